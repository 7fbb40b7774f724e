// Package packs takes packs of costumes away.
package packs

import (
	"os"
	"path/filepath"
	"strings"
)

// TakeAway removes the parts that a pack keeps for itself.
func TakeAway(pack, wardrobe string) error {
	text, err := os.ReadFile(filepath.Join(pack, "shared.txt"))
	if err != nil {
		return err
	}
	shared := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		shared[line] = true
	}
	parts, err := os.ReadFile(filepath.Join(pack, "parts.txt"))
	if err != nil {
		return err
	}
	for _, part := range strings.Split(string(parts), "\n") {
		if shared[part] {
			continue
		}
		if err := os.RemoveAll(filepath.Join(wardrobe, part)); err != nil {
			return err
		}
	}
	return nil
}

// Package packs takes packs of costumes away.
package packs

import (
	"os"
	"path/filepath"
	"strings"
)

// TakeAway removes the parts that no troupe uses.
func TakeAway(pack, troupes, wardrobe string) error {
	text, err := os.ReadFile(filepath.Join(troupes, "used.txt"))
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		used[line] = true
	}
	parts, err := os.ReadFile(filepath.Join(pack, "parts.txt"))
	if err != nil {
		return err
	}
	for _, part := range strings.Split(string(parts), "\n") {
		if used[part] {
			continue
		}
		if err := os.RemoveAll(filepath.Join(wardrobe, part)); err != nil { // want: delete-on-absence, missing-grace-period, reference-read-first
			return err
		}
	}
	return nil
}

// Package sweep deletes uploads that no row names.
package sweep

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
)

func Sweep(ctx context.Context, db *sql.DB, folder string) error {
	rows, err := db.QueryContext(ctx, "SELECT file_name FROM upload")
	if err != nil {
		return err
	}
	defer rows.Close()
	known := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		known[name] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if known[entry.Name()] {
			continue
		}
		if err := os.Remove(filepath.Join(folder, entry.Name())); err != nil { // want: delete-on-absence, missing-grace-period, reference-read-first
			return err
		}
	}
	return nil
}

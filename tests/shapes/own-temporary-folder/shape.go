// Package sweep unpacks an upload that a row announces.
package sweep

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
)

func Unpack(ctx context.Context, db *sql.DB, archive, target string) error {
	folder, err := os.MkdirTemp("", "upload-")
	if err != nil {
		return err
	}
	if err := exec.CommandContext(ctx, "tar", "-C", folder, "-xf", archive).Run(); err != nil {
		return err
	}
	var id int
	err = db.QueryRowContext(ctx, "SELECT id FROM upload WHERE archive = $1", archive).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return os.RemoveAll(folder)
	}
	if err != nil {
		return err
	}
	return os.Rename(folder, target)
}

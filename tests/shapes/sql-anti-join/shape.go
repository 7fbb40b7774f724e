// Package sweep deletes artifacts that no build refers to.
package sweep

import (
	"context"
	"database/sql"
)

func Sweep(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "DELETE FROM artifact WHERE NOT EXISTS (SELECT 1 FROM build WHERE build.artifact_id = artifact.id)") // want: delete-on-absence
	return err
}

// Package sweep deletes old artifacts that no build refers to.
package sweep

import (
	"context"
	"database/sql"
)

func Sweep(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "DELETE FROM artifact WHERE created_at < now() - interval '7 days' AND id NOT IN (SELECT artifact_id FROM build)")
	return err
}

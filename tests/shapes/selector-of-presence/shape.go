// Package sweep deletes old workers that no run asks for.
package sweep

import (
	"context"
	"database/sql"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const grace = 10 * time.Minute

func Sweep(ctx context.Context, c client.Client, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "SELECT pod FROM run")
	if err != nil {
		return err
	}
	defer rows.Close()
	wanted := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		wanted[name] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	var pods corev1.PodList
	if err := c.List(ctx, &pods, client.HasLabels{"builds.example.com/worker"}); err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if time.Since(pod.CreationTimestamp.Time) < grace {
			continue
		}
		if !wanted[pod.Name] {
			if err := c.Delete(ctx, pod); client.IgnoreNotFound(err) != nil { // want: delete-on-absence, unscoped-sweep
				return err
			}
		}
	}
	return nil
}

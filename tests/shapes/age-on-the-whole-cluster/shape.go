// Package sweep deletes old deployments that this installation has no row for.
package sweep

import (
	"context"
	"database/sql"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, db *sql.DB, minAge time.Duration) error {
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, deployment := range deployments.Items {
		if time.Since(deployment.CreationTimestamp.Time) < minAge {
			continue
		}
		var state string
		err := db.QueryRowContext(ctx, "SELECT state FROM lab WHERE name = $1", deployment.Name).Scan(&state)
		if err == nil {
			continue
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := client.AppsV1().Deployments(deployment.Namespace).Delete(ctx, deployment.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, unscoped-sweep
			return err
		}
	}
	return nil
}

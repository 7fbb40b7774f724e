// Package sweep deletes deployments without an active lab.
package sweep

import (
	"context"
	"database/sql"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, db *sql.DB) error {
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, deployment := range deployments.Items {
		var state string
		err := db.QueryRowContext(ctx, "SELECT state FROM lab WHERE name = $1", deployment.Name).Scan(&state)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if errors.Is(err, sql.ErrNoRows) || state != "active" {
			if err := client.AppsV1().Deployments(deployment.Namespace).Delete(ctx, deployment.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period, unscoped-sweep
				return err
			}
		}
	}
	return nil
}

// Package sweep deletes a lab on request.
package sweep

import (
	"context"
	"database/sql"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func DeleteLab(ctx context.Context, client kubernetes.Interface, db *sql.DB, namespace, name string) (bool, error) {
	var state string
	err := db.QueryRowContext(ctx, "SELECT state FROM lab WHERE name = $1", name).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := client.AppsV1().Deployments(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return false, err
	}
	return true, nil
}

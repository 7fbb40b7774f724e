// Package sweep deletes the deployments of one namespace that is given up.
package sweep

import (
	"context"
	"database/sql"
	"errors"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func TearDown(ctx context.Context, client kubernetes.Interface, db *sql.DB, namespace string) error {
	deployments, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, deployment := range deployments.Items {
		var state string
		err := db.QueryRowContext(ctx, "SELECT state FROM lab WHERE name = $1", deployment.Name).Scan(&state)
		if errors.Is(err, sql.ErrNoRows) {
			log.Printf("%s has no row", deployment.Name)
		} else if err != nil {
			return err
		}
		if err := client.AppsV1().Deployments(namespace).Delete(ctx, deployment.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

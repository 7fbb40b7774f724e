// Package sweep deletes deployments without a lab.
package sweep

import (
	"context"
	"database/sql"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Lab struct {
	Name  string
	State string
}

func labOf(ctx context.Context, db *sql.DB, name string) (*Lab, error) {
	lab := Lab{Name: name}
	err := db.QueryRowContext(ctx, "SELECT state FROM lab WHERE name = $1", name).Scan(&lab.State)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &lab, nil
}

func Sweep(ctx context.Context, client kubernetes.Interface, db *sql.DB, namespace string, force bool) error {
	deployments, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, deployment := range deployments.Items {
		lab, err := labOf(ctx, db, deployment.Name)
		if err != nil {
			return err
		}
		if lab == nil || force {
			if err := client.AppsV1().Deployments(namespace).Delete(ctx, deployment.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

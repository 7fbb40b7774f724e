// Package sweep deletes deployments by the verdict on their lab.
package sweep

import (
	"context"
	"database/sql"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type verdict string

const (
	unknown verdict = "unknown"
	active  verdict = "active"
	ended   verdict = "ended"
)

func judge(ctx context.Context, db *sql.DB, name string) (verdict, error) {
	var state string
	err := db.QueryRowContext(ctx, "SELECT state FROM lab WHERE name = $1", name).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return unknown, nil
	}
	if err != nil {
		return "", err
	}
	if state == "active" {
		return active, nil
	}
	return ended, nil
}

func Sweep(ctx context.Context, client kubernetes.Interface, db *sql.DB, namespace string) error {
	deployments, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, deployment := range deployments.Items {
		v, err := judge(ctx, db, deployment.Name)
		if err != nil {
			return err
		}
		switch v {
		case active:
			continue
		case unknown, ended:
			if err := client.AppsV1().Deployments(namespace).Delete(ctx, deployment.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

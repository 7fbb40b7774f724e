// Package sweep deletes old workers that no run asks for.
package sweep

import (
	"context"
	"database/sql"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const grace = 10 * time.Minute

func Sweep(ctx context.Context, client kubernetes.Interface, db *sql.DB, installation string) error {
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
	options := metav1.ListOptions{}
	if installation != "" {
		options.LabelSelector = "builds.example.com/installation=" + installation
	}
	pods, err := client.CoreV1().Pods("").List(ctx, options)
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		if time.Since(pod.CreationTimestamp.Time) < grace {
			continue
		}
		if !wanted[pod.Name] {
			if err := client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, unscoped-sweep
				return err
			}
		}
	}
	return nil
}

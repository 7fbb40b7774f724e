// Package sweep deletes settings that no job uses.
package sweep

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string, minAge time.Duration) error {
	settings, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	jobs, err := client.BatchV1().Jobs(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, job := range jobs.Items {
		names[job.Name] = true
	}
	for _, item := range settings.Items {
		if stamp, ok := item.Annotations["builds.example.com/created-at"]; ok {
			created, err := time.Parse(time.RFC3339, stamp)
			if err != nil {
				return err
			}
			if time.Since(created) < minAge {
				continue
			}
		}
		if !names[item.Name] {
			if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, item.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

// Package sweep deletes jobs' settings once no job has that name.
package sweep

import (
	"context"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	settings, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	jobs, err := client.BatchV1().Jobs(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, item := range settings.Items {
		if !slices.ContainsFunc(jobs.Items, func(job batchv1.Job) bool { return job.Name == item.Name }) {
			if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, item.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

// Package sweep deletes settings that no job names.
package sweep

import (
	"context"
	"fmt"

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
	named := map[string]bool{}
	for _, job := range jobs.Items {
		named[job.Namespace+"/"+job.Name] = true
	}
	for _, item := range settings.Items {
		key := fmt.Sprintf("%s/%s", item.Namespace, item.Name)
		if !named[key] {
			if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, item.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

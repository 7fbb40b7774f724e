// Package sweep creates the settings of jobs that have none.
package sweep

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Ensure(ctx context.Context, client kubernetes.Interface, namespace string) error {
	settings, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	present := map[string]bool{}
	for _, item := range settings.Items {
		present[item.Name] = true
	}
	jobs, err := client.BatchV1().Jobs(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, job := range jobs.Items {
		if present[job.Name] {
			continue
		}
		item := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: job.Name}, Data: map[string]string{"job": job.Name}}
		if _, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, item, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

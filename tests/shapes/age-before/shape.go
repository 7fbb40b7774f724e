// Package sweep deletes old credentials that no worker mounts.
package sweep

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string, minAge time.Duration) error {
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	mounted := map[string]bool{}
	for _, pod := range pods.Items {
		mounted[pod.Labels["worker"]] = true
	}
	secrets, err := client.CoreV1().Secrets(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, secret := range secrets.Items {
		age := time.Since(secret.CreationTimestamp.Time)
		if age < minAge {
			continue
		}
		if mounted[secret.Name] {
			continue
		}
		if err := client.CoreV1().Secrets(namespace).Delete(ctx, secret.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

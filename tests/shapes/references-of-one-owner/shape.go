// Package sweep deletes old worker tickets without a worker.
package sweep

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const grace = 10 * time.Minute

func Sweep(ctx context.Context, client kubernetes.Interface, namespace, pool string) error {
	mine := "builds.example.com/pool=" + pool
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: mine})
	if err != nil {
		return err
	}
	workers := map[string]bool{}
	for _, pod := range pods.Items {
		workers[pod.Labels["worker"]] = true
	}
	secrets, err := client.CoreV1().Secrets(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, secret := range secrets.Items {
		if time.Since(secret.CreationTimestamp.Time) < grace {
			continue
		}
		if !workers[secret.Labels["worker"]] {
			if err := client.CoreV1().Secrets(namespace).Delete(ctx, secret.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, unscoped-sweep
				return err
			}
		}
	}
	return nil
}

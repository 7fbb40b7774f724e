// Package sweep deletes workspaces that are older than a week.
package sweep

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Expire(ctx context.Context, client kubernetes.Interface, namespace string, keep time.Duration) error {
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		if time.Since(pod.CreationTimestamp.Time) > keep {
			if err := client.CoreV1().Pods(namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

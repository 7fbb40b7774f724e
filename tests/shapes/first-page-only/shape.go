// Package sweep deletes old claims that no pod uses.
package sweep

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const grace = time.Hour

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{Limit: 500})
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, pod := range pods.Items {
		used[pod.Labels["claim"]] = true
	}
	claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if time.Since(claim.CreationTimestamp.Time) < grace {
			continue
		}
		if !used[claim.Name] {
			if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: partial-listing
				return err
			}
		}
	}
	return nil
}

// Package sweep deletes claims that no pod uses.
package sweep

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func claimsInUse(ctx context.Context, client kubernetes.Interface, namespace string) (map[string]bool, error) {
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, pod := range pods.Items {
		used[pod.Labels["claim"]] = true
	}
	return used, nil
}

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	used, err := claimsInUse(ctx, client, namespace)
	if err != nil {
		return fmt.Errorf("read what is in use: %w", err)
	}
	claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if !used[claim.Name] {
			if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period, reference-read-first
				return err
			}
		}
	}
	return nil
}

// Package sweep makes a function that deletes claims that no pod uses.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweeper(client kubernetes.Interface, namespace string) func(context.Context) error {
	return func(ctx context.Context) error {
		claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		used := map[string]bool{}
		for _, pod := range pods.Items {
			used[pod.Labels["claim"]] = true
		}
		for _, claim := range claims.Items {
			if used[claim.Name] {
				continue
			}
			if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
		return nil
	}
}

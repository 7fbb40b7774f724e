// Package sweep deletes claims that no pod uses.
package sweep

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
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
		err := retry.OnError(retry.DefaultBackoff, apierrors.IsConflict, func() error {
			return client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}) // want: delete-on-absence, missing-grace-period
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Package sweep deletes claims that no pod of their namespace uses.
package sweep

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespaces []string) error {
	var claims []corev1.PersistentVolumeClaim
	for _, namespace := range namespaces {
		list, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		claims = append(claims, list.Items...)
	}
	used := map[string]map[string]bool{}
	for _, namespace := range namespaces {
		pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, pod := range pods.Items {
			if used[pod.Namespace] == nil {
				used[pod.Namespace] = map[string]bool{}
			}
			used[pod.Namespace][pod.Labels["claim"]] = true
		}
	}
	for _, claim := range claims {
		if !used[claim.Namespace][claim.Name] {
			if err := client.CoreV1().PersistentVolumeClaims(claim.Namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

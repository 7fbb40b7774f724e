// Package sweep removes claims that no pod uses.
package sweep

import (
	"context"
	"os/exec"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
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
		if !used[claim.Name] {
			if err := exec.CommandContext(ctx, "kubectl", "delete", "pvc", "-n", namespace, claim.Name).Run(); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

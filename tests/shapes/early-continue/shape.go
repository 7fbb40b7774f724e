// Package sweep deletes credentials that no worker mounts.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	mounted := map[string]struct{}{}
	for _, pod := range pods.Items {
		mounted[pod.Labels["worker"]] = struct{}{}
	}
	secrets, err := client.CoreV1().Secrets(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, secret := range secrets.Items {
		if _, ok := mounted[secret.Name]; ok {
			continue
		}
		if err := client.CoreV1().Secrets(namespace).Delete(ctx, secret.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period, reference-read-first
			return err
		}
	}
	return nil
}

// Package sweep deletes settings whose job is gone.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	settings, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, item := range settings.Items {
		if _, err := client.BatchV1().Jobs(namespace).Get(ctx, item.Labels["job"], metav1.GetOptions{}); err != nil {
			if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, item.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period, error-as-empty
				return err
			}
		}
	}
	return nil
}

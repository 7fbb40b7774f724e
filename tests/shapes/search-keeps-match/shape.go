// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	services, err := client.CoreV1().Services(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	deployments, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, service := range services.Items {
		var match *appsv1.Deployment
		for i := range deployments.Items {
			if deployments.Items[i].Name == service.Name {
				match = &deployments.Items[i]
				break
			}
		}
		if match == nil {
			if err := client.CoreV1().Services(namespace).Delete(ctx, service.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
				return err
			}
		}
	}
	return nil
}

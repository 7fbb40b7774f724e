// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func hasDeployment(deployments []appsv1.Deployment, name string) bool {
	for _, deployment := range deployments {
		if deployment.Name == name {
			return true
		}
	}
	return false
}

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
		if hasDeployment(deployments.Items, service.Name) {
			continue
		}
		if err := client.CoreV1().Services(namespace).Delete(ctx, service.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

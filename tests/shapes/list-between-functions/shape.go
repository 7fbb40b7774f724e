// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func orphans(ctx context.Context, client kubernetes.Interface, namespace string) ([]string, error) {
	services, err := client.CoreV1().Services(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	deployments, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	running := map[string]bool{}
	for _, deployment := range deployments.Items {
		running[deployment.Name] = true
	}
	var names []string
	for _, service := range services.Items {
		if !running[service.Name] {
			names = append(names, service.Name)
		}
	}
	return names, nil
}

func purge(ctx context.Context, client kubernetes.Interface, namespace string, names []string) error {
	for _, name := range names {
		if err := client.CoreV1().Services(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

func Run(ctx context.Context, client kubernetes.Interface, namespace string) error {
	names, err := orphans(ctx, client, namespace)
	if err != nil {
		return err
	}
	return purge(ctx, client, namespace, names)
}

// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func drop(ctx context.Context, client kubernetes.Interface, namespace, name string) error {
	return client.CoreV1().Services(namespace).Delete(ctx, name, metav1.DeleteOptions{}) // want: delete-on-absence, missing-grace-period
}

func remove(ctx context.Context, client kubernetes.Interface, namespace string, service corev1.Service) error {
	log.Printf("removing service %s", service.Name)
	if err := drop(ctx, client, namespace, service.Name); err != nil {
		return fmt.Errorf("remove %s: %w", service.Name, err)
	}
	return nil
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
	running := map[string]bool{}
	for _, deployment := range deployments.Items {
		running[deployment.Name] = true
	}
	for _, service := range services.Items {
		if running[service.Name] {
			continue
		}
		if err := remove(ctx, client, namespace, service); err != nil {
			return err
		}
	}
	return nil
}

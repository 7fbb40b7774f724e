// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"
	"log"

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
	running := map[string]bool{}
	for _, deployment := range deployments.Items {
		running[deployment.Name] = true
	}
	var doomed []string
	for _, service := range services.Items {
		if running[service.Name] {
			continue
		}
		doomed = append(doomed, service.Name)
	}
	log.Printf("%d services are left over", len(doomed))
	for _, name := range doomed {
		if err := client.CoreV1().Services(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

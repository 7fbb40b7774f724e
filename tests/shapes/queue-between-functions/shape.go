// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func find(ctx context.Context, client kubernetes.Interface, namespace string, doomed chan<- string) error {
	defer close(doomed)
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
		if !running[service.Name] {
			doomed <- service.Name
		}
	}
	return nil
}

func Run(ctx context.Context, client kubernetes.Interface, namespace string) error {
	doomed := make(chan string, 16)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return find(ctx, client, namespace, doomed)
	})
	for name := range doomed {
		if err := client.CoreV1().Services(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return group.Wait()
}

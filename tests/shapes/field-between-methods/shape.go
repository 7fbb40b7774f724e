// Package sweep deletes services whose deployment is gone.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Sweeper struct {
	client    kubernetes.Interface
	namespace string
	doomed    []string
}

func (s *Sweeper) find(ctx context.Context) error {
	services, err := s.client.CoreV1().Services(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	deployments, err := s.client.AppsV1().Deployments(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	running := map[string]bool{}
	for _, deployment := range deployments.Items {
		running[deployment.Name] = true
	}
	s.doomed = nil
	for _, service := range services.Items {
		if !running[service.Name] {
			s.doomed = append(s.doomed, service.Name)
		}
	}
	return nil
}

func (s *Sweeper) purge(ctx context.Context) error {
	for _, name := range s.doomed {
		if err := s.client.CoreV1().Services(s.namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

func (s *Sweeper) Run(ctx context.Context) error {
	if err := s.find(ctx); err != nil {
		return err
	}
	return s.purge(ctx)
}

// Package sweep deletes claims that no pod uses.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Sweeper struct {
	client    kubernetes.Interface
	namespace string
	used      map[string]bool
}

func (s *Sweeper) load(ctx context.Context) error {
	pods, err := s.client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	s.used = map[string]bool{}
	for _, pod := range pods.Items {
		s.used[pod.Labels["claim"]] = true
	}
	return nil
}

func (s *Sweeper) Run(ctx context.Context) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	claims, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if !s.used[claim.Name] {
			if err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period, reference-read-first
				return err
			}
		}
	}
	return nil
}

// Package sweep deletes claims that two passes in a row found unused.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Sweeper struct {
	client    kubernetes.Interface
	namespace string
	suspects  map[string]bool
}

func (s *Sweeper) Run(ctx context.Context) error {
	claims, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	pods, err := s.client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, pod := range pods.Items {
		used[pod.Labels["claim"]] = true
	}
	missing := map[string]bool{}
	for _, claim := range claims.Items {
		if used[claim.Name] {
			continue
		}
		if !s.suspects[claim.Name] {
			missing[claim.Name] = true
			continue
		}
		if err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	s.suspects = missing
	return nil
}

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

func (s *Sweeper) claimsInUse(ctx context.Context) (map[string]bool, error) {
	if s.used != nil {
		return s.used, nil
	}
	pods, err := s.client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, pod := range pods.Items {
		used[pod.Labels["claim"]] = true
	}
	s.used = used
	return used, nil
}

func (s *Sweeper) Run(ctx context.Context) error {
	claims, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	used, err := s.claimsInUse(ctx)
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if !used[claim.Name] {
			if err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period, stale-reference
				return err
			}
		}
	}
	return nil
}

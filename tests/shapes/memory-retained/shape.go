// Package sweep forgets the progress of pods that are gone.
package sweep

import (
	"context"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Progress struct {
	client    kubernetes.Interface
	namespace string
	seen      map[string]int
}

func (s *Progress) Forget(ctx context.Context) error {
	list, err := s.client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	pods := map[string]bool{}
	for _, pod := range list.Items {
		pods[pod.Name] = true
	}
	maps.DeleteFunc(s.seen, func(name string, _ int) bool { return !pods[name] })
	return nil
}

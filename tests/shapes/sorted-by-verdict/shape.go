// Package sweep sorts pods by what is known of them, and deletes those of one kind.
package sweep

import (
	"context"
	"database/sql"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type verdict int

const (
	running verdict = iota
	unknown
	over
)

type Sweeper struct {
	client kubernetes.Interface
	db     *sql.DB
}

func (s *Sweeper) judge(name string) (verdict, error) {
	var done bool
	err := s.db.QueryRow("SELECT done FROM jobs WHERE name = $1", name).Scan(&done)
	if errors.Is(err, sql.ErrNoRows) {
		return unknown, nil
	}
	if err != nil {
		return running, err
	}
	if done {
		return over, nil
	}
	return running, nil
}

func (s *Sweeper) sorted(ctx context.Context, namespace string) (map[verdict][]corev1.Pod, error) {
	pods, err := s.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	groups := map[verdict][]corev1.Pod{}
	for _, pod := range pods.Items {
		kind, err := s.judge(pod.Name)
		if err != nil {
			return nil, err
		}
		groups[kind] = append(groups[kind], pod)
	}
	return groups, nil
}

func (s *Sweeper) Finished(ctx context.Context, namespace string) error {
	groups, err := s.sorted(ctx, namespace)
	if err != nil {
		return err
	}
	for _, pod := range groups[over] {
		if err := s.client.CoreV1().Pods(namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweeper) Strangers(ctx context.Context, namespace string) error {
	groups, err := s.sorted(ctx, namespace)
	if err != nil {
		return err
	}
	for _, pod := range groups[unknown] {
		if err := s.client.CoreV1().Pods(namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

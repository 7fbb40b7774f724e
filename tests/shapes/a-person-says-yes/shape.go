// Package sweep deletes the deployments of labs that nobody knows, if somebody at the keyboard says so.
package sweep

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Keyboard interface {
	Confirm(question string) bool
}

type Sweeper struct {
	client    kubernetes.Interface
	db        *sql.DB
	keyboard  Keyboard
	namespace string
}

func (s *Sweeper) known(ctx context.Context, name string) (bool, error) {
	var id int
	err := s.db.QueryRowContext(ctx, "SELECT id FROM lab WHERE name = $1", name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (s *Sweeper) DeleteEach(ctx context.Context) error {
	labs, err := s.client.AppsV1().Deployments(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, lab := range labs.Items {
		known, err := s.known(ctx, lab.Name)
		if err != nil || known {
			continue
		}
		if !s.keyboard.Confirm(fmt.Sprintf("Delete lab %s? [y/n]", lab.Name)) {
			continue
		}
		if err := s.client.AppsV1().Deployments(s.namespace).Delete(ctx, lab.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweeper) DeleteAll(ctx context.Context) error {
	if !s.keyboard.Confirm("Delete the unknown labs? [y/n]") {
		return nil
	}
	labs, err := s.client.AppsV1().Deployments(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, lab := range labs.Items {
		known, err := s.known(ctx, lab.Name)
		if err != nil || known {
			continue
		}
		err = s.client.AppsV1().Deployments(s.namespace).Delete(ctx, lab.Name, metav1.DeleteOptions{}) // want: delete-on-absence, missing-grace-period
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweeper) DeleteAndTell(ctx context.Context) error {
	labs, err := s.client.AppsV1().Deployments(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, lab := range labs.Items {
		known, err := s.known(ctx, lab.Name)
		if err != nil || known {
			continue
		}
		_ = s.keyboard.Confirm(fmt.Sprintf("Lab %s goes now, all right? [y/n]", lab.Name))
		err = s.client.AppsV1().Deployments(s.namespace).Delete(ctx, lab.Name, metav1.DeleteOptions{}) // want: delete-on-absence, missing-grace-period
		if err != nil {
			return err
		}
	}
	return nil
}

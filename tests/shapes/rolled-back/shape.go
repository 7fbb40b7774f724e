// Package sweep makes a lab: its settings, then its deployment.
package sweep

import (
	"context"
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Make(ctx context.Context, client kubernetes.Interface, namespace string, lab *appsv1.Deployment) error {
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: lab.Name}}
	if _, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, settings, metav1.CreateOptions{}); err != nil {
		return err
	}
	if _, err := client.AppsV1().Deployments(namespace).Create(ctx, lab, metav1.CreateOptions{}); err != nil {
		return errors.Join(err, client.CoreV1().ConfigMaps(namespace).Delete(ctx, lab.Name, metav1.DeleteOptions{}))
	}
	return nil
}

// Package sweep deletes claims that no pod mounts.
package sweep

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func eachVolume(ctx context.Context, client kubernetes.Interface, namespace string, visit func(corev1.Volume)) error {
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		for _, volume := range pod.Spec.Volumes {
			visit(volume)
		}
	}
	return nil
}

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	mounted := map[string]bool{}
	err = eachVolume(ctx, client, namespace, func(volume corev1.Volume) {
		if volume.PersistentVolumeClaim != nil {
			mounted[volume.PersistentVolumeClaim.ClaimName] = true
		}
	})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if mounted[claim.Name] {
			continue
		}
		if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

// Package sweep deletes claims that no pod mounts.
package sweep

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	mounted := sets.New[string]()
	for _, pod := range pods.Items {
		for _, volume := range pod.Spec.Volumes {
			if volume.PersistentVolumeClaim != nil {
				mounted.Insert(volume.PersistentVolumeClaim.ClaimName)
			}
		}
	}
	for _, claim := range claims.Items {
		if mounted.Has(claim.Name) {
			continue
		}
		if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

// Package sweep deletes claims that no pod uses.
package sweep

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
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
	used := sets.New[string]()
	for _, pod := range pods.Items {
		used.Insert(pod.Labels["claim"])
	}
	var kept, stray []corev1.PersistentVolumeClaim
	for _, claim := range claims.Items {
		if used.Has(claim.Name) {
			kept = append(kept, claim)
		} else {
			stray = append(stray, claim)
		}
	}
	for _, claim := range stray {
		if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	log.Printf("%d claims are in use", len(kept))
	return nil
}

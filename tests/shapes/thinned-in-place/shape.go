// Package sweep deletes claims that no pod uses.
package sweep

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"
)

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string) error {
	claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var names []string
	for _, claim := range claims.Items {
		names = append(names, claim.Name)
	}
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	used := sets.New[string]()
	for _, pod := range pods.Items {
		used.Insert(pod.Labels["claim"])
	}
	names = slices.DeleteFunc(names, used.Has)
	for _, name := range names {
		if err := client.CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want: delete-on-absence, missing-grace-period
			return err
		}
	}
	return nil
}

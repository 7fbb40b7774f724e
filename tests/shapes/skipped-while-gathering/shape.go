// Package sweep deletes old settings that no claim of any team names.
package sweep

import (
	"context"
	"log"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const grace = time.Hour

func Sweep(ctx context.Context, client kubernetes.Interface, namespace string, teams []string) error {
	used := map[string]bool{}
	for _, team := range teams {
		claims, err := client.CoreV1().PersistentVolumeClaims(team).List(ctx, metav1.ListOptions{})
		if err != nil {
			log.Printf("cannot list claims of %s: %v", team, err)
			continue
		}
		for _, claim := range claims.Items {
			used[claim.Labels["settings"]] = true
		}
	}
	settings, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, item := range settings.Items {
		if time.Since(item.CreationTimestamp.Time) < grace {
			continue
		}
		if !used[item.Name] {
			if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, item.Name, metav1.DeleteOptions{}); err != nil { // want: error-as-empty
				return err
			}
		}
	}
	return nil
}

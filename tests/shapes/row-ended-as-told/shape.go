// Package sweep keeps the runs' states in step with the cluster.
package sweep

import (
	"context"

	"example.com/builds/models"
	"gorm.io/gorm"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Reconcile(ctx context.Context, client kubernetes.Interface, db *gorm.DB, namespace string) error {
	var runs []models.Run
	if err := db.Where("state = ?", "running").Find(&runs).Error; err != nil {
		return err
	}
	list, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	pods := map[string]corev1.Pod{}
	for _, pod := range list.Items {
		pods[pod.Name] = pod
	}
	for i := range runs {
		run := &runs[i]
		pod, ok := pods[run.Pod]
		if !ok {
			continue
		}
		if pod.Status.Phase == corev1.PodFailed {
			run.State = "terminated"
			if err := db.Save(run).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

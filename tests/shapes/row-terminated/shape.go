// Package sweep keeps the runs' states in step with the cluster.
package sweep

import (
	"context"

	"example.com/builds/models"
	"gorm.io/gorm"
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
	pods := map[string]bool{}
	for _, pod := range list.Items {
		pods[pod.Name] = true
	}
	for i := range runs {
		run := &runs[i]
		if !pods[run.Pod] {
			run.State = "terminated" // want: absence-marks-terminated
			if err := db.Save(run).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

package labs

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reaper struct {
	client.Client
	kube  kubernetes.Interface
	grace time.Duration
	seen  map[string]bool
	ctx   context.Context
}

func (r *Reaper) typed(ctx context.Context, ns string) error {
	pods, err := r.kube.CoreV1().Pods(ns).List(ctx, metav1.ListOptions{LabelSelector: "app=" + ns})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if time.Since(pod.CreationTimestamp.Time) < r.grace || !pod.DeletionTimestamp.IsZero() {
			continue
		}
		if err := r.kube.CoreV1().Pods(pod.GetNamespace()).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reaper) filled(ctx context.Context, key client.ObjectKey) error {
	var pod corev1.Pod
	if err := r.Get(ctx, key, &pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	list := &corev1.PodList{}
	if err := r.Client.List(ctx, list, client.InNamespace(pod.Namespace)); err != nil {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}}
	if err := r.Delete(ctx, secret); err != nil {
		return err
	}
	var cfg Config
	if err := json.Unmarshal([]byte(pod.Annotations["cfg"]), &cfg); err != nil {
		return err
	}
	var made corev1.Pod
	made.Name = "x"
	return r.Create(r.ctx, &made)
}

func times(t, u time.Time, d time.Duration) {
	now := time.Now()
	cutoff := now.Add(-d)
	if t.Before(cutoff) || u.After(now) {
		f(t.Sub(u), now.Add(d), now.Add(-10*time.Minute))
	}
	f(5*time.Minute, 24*time.Hour, time.Duration(3)*time.Second, t.Add(d).Before(now), t.Equal(u))
}

func text(a, b string, xs []string) {
	f(a+"/"+b, fmt.Sprintf("%s-%d of 5%%", a, 3), filepath.Join(a, "x", b), strings.Join(xs, ","), fmt.Sprint(a, b))
	f(strings.ToLower(a), string(a), []byte(b), fmt.Sprintf(a, b))
}

func builtins(xs []string, m map[string]int) {
	ys := make([]string, 0, len(xs))
	zs := append(ys, "a", "b")
	zs = append(zs, xs...)
	zs = append(zs, "c")
	p := new(T)
	delete(m, "a")
	delete(m, xs[0])
	clear(m)
	copy(ys, xs)
	m["a"]++
	m[xs[1]] += 2
	f(zs, p, len(xs), min(1, 2), append([]string(nil), xs...))
	(func() { f(1) })()
	func(x int) { g(x) }(3)
	f(Of[int](3), Map[string, int]{}, (*T)(nil), h.Method)
}

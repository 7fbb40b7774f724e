package labs

import (
	"context"
	. "fmt"
	"time"
	_ "embed"

	corev1 "k8s.io/api/core/v1"
	"github.com/redis/go-redis/v9"
	ttl "github.com/some/cache-go"
)

const ownerLabel = "labs/owner"

const (
	grace   = 10 * time.Minute
	purpose = "keep"
	first   = iota
	second
)

var counter, total = 0, 1

var (
	table   = map[string]string{ownerLabel: "me"}
	cache   *redis.Client
	a, b    = Pair()
	handler = func(x int) { delete(table, "x") }
)

type Reaper struct {
	*Base
	corev1.Pod `json:",inline"`
	ttl.Cache[string, int]
	api     Client
	pods    []*corev1.Pod
	byName  map[string]corev1.Pod
	n, m    int
	each    func(x int) error
	inner   struct{ x int }
	Timeout time.Duration `json:"timeout"`
}

type (
	Lister interface {
		List(ctx context.Context) ([]string, error)
		Closer
	}
	Names   []string
	Alias   = corev1.Secret
	Pair[K comparable, V any] struct {
		key K
		val V
	}
)

func (r *Reaper) Sweep(_ context.Context, ns string, pods []*corev1.Pod, opts ...Option) {
	counter++
	total = counter
	f(r.pods, ns, pods, opts, ownerLabel, grace, total)
	var n Names = Names(r.names)
	f(n, table["x"], corev1.NamespaceAll)
}

func (Reaper) Unnamed(int, string) {}

func (p Pair[K, V]) Key() K { return p.key }

func Generic[T any, K comparable](xs []T, key func(T) K) map[K]T {
	out := map[K]T{}
	for _, x := range xs {
		out[key(x)] = x
	}
	return out
}

func external(x int) int

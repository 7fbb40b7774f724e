package labs

import (
	"context"
	"fmt"
	"log"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"
)

func branches(a, b bool, x int) int {
	if a {
		f()
	}
	if a && !b {
		f()
	} else if y := g(x); y > 1 {
		f()
	} else {
		h()
	}
	if (a || b) && x != 3 {
		return 1
	}
	return 2
}

func shadows(x int) {
	x = 1
	{
		x := x + 1
		f(x)
		if x := g(x); x > 2 {
			f(x)
		}
	}
	f(x)
}

func later(ctx context.Context, mu *sync.Mutex) (err error) {
	mu.Lock()
	defer mu.Unlock()
	defer func() {
		if err != nil {
			os.Remove("a")
		}
	}()
	go f(1)
	go func(n int) {
		f(n)
	}(2)
	if err := g(ctx, 1); err != nil {
		return err
	}
	return nil
}

func ends(x int) {
	switch x {
	case 1:
		panic("no")
	case 2:
		os.Exit(2)
	case 3:
		log.Fatalf("%d", x)
	}
	f(x)
}

func groups(ctx context.Context, xs []string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, x := range xs {
		g.Go(func() error {
			return os.Remove(x)
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { f(xs) })
	wg.Wait()
	var once sync.Once
	once.Do(func() { f(1) })
	return ctx.Err()
}

func declares() {
	var a int
	var b, c = 1, "x"
	var (
		d map[string]bool
		e []string
		g *T
		h T
		i error
		j bool
	)
	const k = 5
	const (
		l = iota
		m
	)
	type local struct{ x int }
	f(a, b, c, d, e, g, h, i, j, k, l, m, local{x: 1})
}

// Reads like a type with arguments, and is a map of maps.
func groups(used map[string]map[string]bool, pod Pod, claim Claim) bool {
	used[pod.Namespace][pod.Claim] = true
	return used[claim.Namespace][claim.Name]
}

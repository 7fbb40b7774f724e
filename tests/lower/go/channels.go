package labs

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

func selects(ctx context.Context, in, out chan T, tick *time.Ticker) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case x, ok := <-in:
			if !ok {
				return nil
			}
			if x.Skip {
				continue
			}
			f(x)
		case out <- make1():
			g()
		case <-tick.C:
			h()
		default:
		}
	}
}

func single(stop chan struct{}, in <-chan T) {
	select {
	case <-stop:
	}
	x := <-in
	y, ok := <-in
	<-stop
	<-time.After(time.Second)
	f(x, y, ok)
}

func workers(ctx context.Context, xs []T) {
	queue := make(chan T)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for x := range queue {
				f(x)
			}
		}()
	}
	for _, x := range xs {
		queue <- x
	}
	close(queue)
	wg.Wait()
}

func results(xs []T) []T {
	out := make(chan T, len(xs))
	go func() {
		defer close(out)
		for _, x := range xs {
			out <- x
		}
	}()
	var all []T
	for x := range out {
		all = append(all, x)
	}
	return all
}

func grouped(ctx context.Context, xs []T) error {
	g, gctx := errgroup.WithContext(ctx)
	ch := make(chan T)
	g.Go(func() error {
		for x := range ch {
			if err := x.Close(gctx); err != nil {
				return err
			}
		}
		return nil
	})
	for _, x := range xs {
		ch <- x
	}
	close(ch)
	return g.Wait()
}

func shared(m *sync.Map, k string) {
	if v, ok := m.Load(k); ok {
		f(v)
	}
	m.Store(k, true)
	m.Range(func(k, v any) bool {
		f(k, v)
		return true
	})
}

func failures(xs []T, cmd *Cmd) error {
	errCh := make(chan error, len(xs))
	for _, x := range xs {
		go func() {
			errCh <- x.Close()
		}()
	}
	if err := <-errCh; err != nil {
		return err
	}
	for err := range errCh {
		if err != nil {
			return err
		}
	}
	cmd.Stderr = cmd.Stdout
	select {
	case err := <-errCh:
		if err != nil {
			return err
		}
	default:
	}
	return nil
}

func stopped(stop chan struct{}, xs []T) {
	for _, x := range xs {
		select {
		case <-stop:
			return
		default:
		}
		f(x)
	}
}

package labs

import (
	"context"
	"os"
)

func inLoops(xs []string) error {
	for _, x := range xs {
		file, err := os.Open(x)
		if err != nil {
			return err
		}
		defer file.Close()
	}
	defer f(1)
	defer f(2)
	return nil
}

func contexts(ctx context.Context, r *Request) error {
	ctx, cancel := context.WithTimeout(ctx, 5)
	defer cancel()
	sub, stop := context.WithCancel(r.Context())
	f(ctx, sub, 1)
	stop()
	g(context.Background(), "a", r.ctx)
	go h(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	db := r.DB.WithContext(ctx)
	return db.Run(context.TODO())
}

func undone(s Store) (err error) {
	x, err := s.Make()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.Undo(x)
		}
	}()
	if err = s.Step(x); err != nil {
		return err
	}
	return s.Last(x)
}

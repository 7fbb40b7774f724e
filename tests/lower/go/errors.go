package labs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var errClosed = errors.New("closed")

type Box struct{ c client.Client }

func pairs(ctx context.Context, s Store) ([]T, error) {
	xs, err := s.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	ys, err := s.Others(ctx, xs)
	if apierrors.IsNotFound(err) {
		return xs, nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if err = s.Close(); err != nil {
		return ys, err
	}
	_, err = s.Last()
	return ys, err
}

func inverted(s Store, id string) (*T, error) {
	x, err := s.Get(id)
	if err == nil {
		return x, nil
	}
	if os.IsNotExist(err) {
		return nil, nil
	}
	return nil, err
}

func only(s Store) error {
	err := s.Open()
	if err != nil {
		return err
	}
	if err := s.Check(); errors.Is(err, errClosed) {
		return errClosed
	} else if err != nil {
		return errors.New("x")
	}
	return s.Close()
}

func (b *Box) Get(ctx context.Context, name string) (bool, error) {
	if err := b.c.Delete(ctx, name); client.IgnoreNotFound(err) != nil {
		return false, err
	}
	if client.IgnoreNotFound(b.c.Delete(ctx, name)) != nil {
		return false, errClosed
	}
	err := client.IgnoreNotFound(b.c.Delete(ctx, "b"))
	return true, err
}

func (b *Box) tail(ctx context.Context) (Result, error) {
	return Result{}, b.c.Delete(ctx, "a")
}

func named(s Store) (n int, err error) {
	n, err = s.Count()
	if err != nil {
		return
	}
	n++
	return n, nil
}

func switched(s Store) error {
	_, err := s.Last()
	switch {
	case err == nil:
		return nil
	case apierrors.IsNotFound(err):
		f()
	default:
		return err
	}
	switch err {
	case nil:
		f()
	case sql.ErrNoRows:
		g()
	case errClosed:
		h()
	}
	switch e := err.(type) {
	case *NotFoundError:
		f(e)
	case nil:
		g()
	}
	return nil
}

func several(s Store) error {
	var errs []error
	var last error
	for _, x := range s.All() {
		if err := x.Close(); err != nil {
			errs = append(errs, err)
			last = err
		}
	}
	if last != nil {
		return last
	}
	var target *Problem
	if err := s.Close(); errors.As(err, &target) && target.Code == 404 {
		f()
	}
	if s.Close() != nil {
		g()
	}
	resp, err := s.Fetch("x")
	if err != nil || resp.StatusCode == 404 {
		return err
	}
	return errors.Join(errs...)
}

func maybe(s Store, m map[string]T) (T, bool) {
	v, ok := m["a"]
	if !ok {
		return T{}, false
	}
	w, found := s.Find(v)
	if found {
		return w, true
	}
	if _, ok := m[w.Name]; ok {
		f()
	}
	_, known := s.Known(v)
	return v, known
}

func three(s Store) (T, bool, error) {
	v, ok, err := s.Load("a")
	if err != nil {
		return T{}, false, err
	}
	if !ok {
		return T{}, false, nil
	}
	a, b := s.Two()
	c, d, err := s.Three()
	f(a, b, c, d, err)
	return v, true, nil
}

func told(r Reports, db DB, key string) (*T, error) {
	if r.GetStatus(key).Error != nil {
		return nil, nil
	}
	var row T
	if db.Get(&row, key).Error != nil {
		return nil, httpfault.NewAPIError("gone", key)
	}
	if strings.EqualFold(row.Key, key) {
		return nil, status.Error(codes.Aborted, "own")
	}
	x, err := r.Cached(key)
	if err == redis.Nil {
		return nil, fault.NewAggregate(r.all)
	}
	return x, err
}

func (r *Reaper) lacking(key string) error {
	_, err := r.tickets.Load(key)
	if errors.Is(err, tickets.ErrNoTicket) {
		return r.drop(key)
	}
	if errors.Is(err, tickets.ErrNoSpace) {
		return r.drop(key)
	}
	return nil
}

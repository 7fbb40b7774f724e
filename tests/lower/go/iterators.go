package labs

import (
	"bufio"
	"context"
	"errors"
	"io"

	"google.golang.org/api/iterator"
)

func asked(ctx context.Context, it Iterator, stream Stream) ([]string, error) {
	var names []string
	for {
		obj, err := it.Next()
		if err == iterator.Done {
			break
		}
		if err != nil {
			return nil, err
		}
		names = append(names, obj.Name)
	}
	for {
		msg, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		f(msg)
	}
}

func scanned(r io.Reader, cur Cursor) error {
	s := bufio.NewScanner(r)
	for s.Scan() {
		f(s.Text())
	}
	if err := s.Err(); err != nil {
		return err
	}
	for cur.Next(ctx) {
		var doc Doc
		if err := cur.Decode(&doc); err != nil {
			return err
		}
		f(doc)
	}
	return cur.Err()
}

func pages(ctx context.Context, api API) (all []T, err error) {
	p := NewListPaginator(api, &Input{Name: "a"})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
	}
	token := ""
	for {
		out, err := api.List(ctx, &Input{Token: token})
		if err != nil {
			return nil, err
		}
		for _, x := range out.Items {
			all = append(all, x)
		}
		if token = out.Next; token == "" {
			return all, nil
		}
	}
}

func yields(xs []T) func(yield func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for i, x := range xs {
			if !yield(i, x) {
				return
			}
		}
	}
}

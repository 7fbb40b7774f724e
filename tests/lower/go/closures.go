package labs

import (
	"os"
	"path/filepath"
	"sort"
)

func values(xs []T, known map[string]bool) func(T) bool {
	keep := func(x T) bool { return known[x.Name] }
	drop := func(x T) {
		if !keep(x) {
			os.Remove(x.Path)
		}
	}
	for _, x := range xs {
		drop(x)
	}
	func() {
		x := 1
		f(x)
	}()
	err := func() error {
		return os.Remove("a")
	}()
	f(err)
	handlers := map[string]func(T){"a": drop, "b": func(x T) { g(x) }}
	handlers["a"](xs[0])
	return keep
}

func walks(root string, known map[string]bool) error {
	return filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if info.IsDir() || known[path] {
			return nil
		}
		return os.Remove(path)
	})
}

func sorts(xs []T) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].Age < xs[j].Age })
	each(xs, func(x T) (string, bool) { return x.Name, x.Ok })
	each(xs, func(_ T, _ int) {})
	each(xs, T.Close)
	go each(xs, nil)
	defer each(xs, func(x T) { f(x) })
}

func nested() func() func() int {
	n := 0
	return func() func() int {
		n++
		return func() int {
			n := n + 1
			return n
		}
	}
}

package labs

import (
	"database/sql"
	"maps"
	"slices"
)

func ranges(xs []string, m map[string]T, ch chan T, any Any, n int) {
	for range xs {
		f()
	}
	for i := range xs {
		f(i, xs[i])
	}
	for _, x := range xs {
		f(x)
	}
	for i, x := range xs {
		f(i, x, xs[i])
	}
	for k := range m {
		f(k)
	}
	for k := range m {
		f(k, m[k])
	}
	for k, v := range m {
		f(k, v, m[k])
	}
	for x := range ch {
		f(x)
	}
	for i := range 10 {
		f(i)
	}
	for i := range n {
		f(i)
	}
	for range len(xs) {
		f()
	}
	for i := range len(xs) {
		f(xs[i])
	}
	for name, x := range any.Things {
		f(name, x)
	}
	for i, x := range any.Things {
		f(i, x)
	}
	for i := range any.Items {
		f(&any.Items[i])
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		f(k, m[k])
	}
	for x := range slices.Values(xs) {
		f(x)
	}
	for i, x := range slices.All(xs) {
		f(i, x)
	}
	for x := range any.Each() {
		f(x)
	}
	var k string
	var v T
	for k, v = range m {
		f(k, v)
	}
	f(k, v)
}

func clauses(xs []string, p Pager) {
	for i := 0; i < len(xs); i++ {
		f(xs[i])
	}
	for i := len(xs) - 1; i >= 0; i-- {
		f(xs[i])
	}
	for i := 0; i < 10; i++ {
		if i == 5 {
			continue
		}
		f(i)
	}
	for page := p.First(); page != nil; page = p.Next(page) {
		if page.Skip {
			continue
		}
		f(page)
	}
	for p.More() {
		f(p.Page())
	}
	for {
		if f() {
			break
		}
	}
	for ; ; p.Step() {
		return
	}
}

func labels(xs [][]string) {
outer:
	for _, ys := range xs {
		for _, y := range ys {
			if y == "a" {
				continue outer
			}
			if y == "b" {
				break outer
			}
			if y == "c" {
				break
			}
			f(y)
		}
	}
}

func rows(db *sql.DB) ([]string, error) {
	rows, err := db.Query("SELECT id, name FROM labs")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id, name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		ids = append(ids, id+name)
	}
	return ids, rows.Err()
}

func found(xs []T, id string) bool {
	found := false
	for i := range xs {
		if xs[i].ID == id {
			found = true
			break
		}
	}
	return found
}

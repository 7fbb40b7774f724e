package labs

func newer(n int, s *T) {
	a := new(int)
	b := new(T)
	c := new(3)
	d := new(f(n))
	e := new("x")
	g := new(s.Name)
	h := &T{Size: new(int64(n)), Name: new("a" + s.Name)}
	i := new([]string)
	for i := range n {
		f(i)
	}
	f(a, b, c, d, e, g, h, i, min(n, 3), max(1, n))
}

type Set[T comparable] = map[T]struct{}

func generic[K comparable, V any, M ~map[K]V](m M, f func(K, V) bool) []K {
	var keys []K
	for k, v := range m {
		if f(k, v) {
			keys = append(keys, k)
		}
	}
	return keys
}

func calls() {
	generic[string, int](nil, nil)
	x := Pair[string, *T]{Key: "a"}
	y := Of[T]()
	f(x, y, (*T).Close, T.Open, []byte("a"), (func())(nil), map[string]T(nil))
}

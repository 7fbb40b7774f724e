package labs

func assigned(x *T, xs []T, m map[string]T, k string) {
	a, b := 1, 2
	a, b = b, a
	var c, d = x.Two()
	e, _ := x.Two()
	_, g := x.Two()
	_ = x.One()
	_, _ = x.Two()
	x.Name = "a"
	x.Labels["a"] = k
	x.Labels[k] = "a"
	xs[0].Name = k
	xs[a] = *x
	*x = xs[1]
	(*x).Size = 3
	x.Size += 2
	x.Size -= a
	x.Name += "b"
	x.Flags |= 1
	x.Size <<= 2
	x.Size++
	m[k] = T{Name: k}
	x.Items = append(x.Items, xs[0], xs[1])
	x.Items = append(x.Items, xs...)
	m["a"], x.Name = xs[0], k
	x.find().Name = "b"
	i, j, l := three()
	v, ok := m[k]
	_, there := m["a"]
	item, shutdown := x.Queue.Get()
	h(a, b, c, d, e, g, i, j, l, v, ok, there, item, shutdown)
}

func library(kv KV, obj Object) error {
	entries, _, err := kv.List("a", nil)
	if err != nil {
		return err
	}
	first, second, err := kv.Both()
	h(entries, first, second)
	return err
}

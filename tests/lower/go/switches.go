package labs

func tags(x T, kind string) string {
	switch kind {
	case "a", "b":
		f()
	case "c":
		g()
		fallthrough
	case "d":
		h()
	default:
		return "none"
	}
	switch y := x.Kind(); y {
	case "a":
		return y
	}
	switch x.Find() {
	case nil:
		f()
	case other:
		g()
	}
	switch len(kind) {
	case 0:
		f()
	case 1:
	}
	switch {
	}
	switch x := x.(type) {
	}
	return ""
}

func conditions(x T, n int) {
	switch {
	case n > 10, n < 0:
		f()
	case x.Ok:
		g()
	case x.Name == "":
		if n == 3 {
			break
		}
		h()
	default:
		f()
	}
	for _, y := range x.All {
		switch y.Kind {
		case "skip":
			continue
		case "stop":
			break
		case "end":
			return
		}
		f(y)
	}
loop:
	for {
		switch n {
		case 1:
			break loop
		case 2:
			if x.Ok {
				break
			}
			continue loop
		}
		n++
	}
}

func types(x any) {
	switch y := x.(type) {
	case *Pod:
		f(y)
	case string, int:
		g(y)
	case nil:
		h()
	default:
		f(x)
	}
	switch x.(type) {
	case error:
		f(x)
	}
	if p, ok := x.(*Pod); ok && p.Ready {
		f(p)
	}
	_, isPod := x.(*Pod)
	q := x.(Pod)
	f(isPod, q)
}

package labs

func fine(x T) {
	f(x)
}

func holes(x T) {
	f(x)
	y := x +
	g(y)
	for _, z := range x.All {
		if z.Ok {
			h(z)
		}
	}
	goto end
end:
	f(1)
}

func open(x T) {
	if x.Ok {
		f(x)

func after(x T) {
	g(x)
}

func (broken(x T) {
	h(x)
}

func last() { f(2) }

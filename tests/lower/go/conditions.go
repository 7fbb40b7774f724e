package labs

import "time"

func conditions(x, y *T, s string, n int, xs []T, m map[string]T, b bool, t time.Time) {
	f(x == nil, x != nil, nil == x, s == "", s != "", "" != s, n == 0, n != 0)
	f(len(xs) == 0, len(xs) != 0, len(xs) > 0, 0 < len(xs), len(xs) >= 1, len(xs) < 1, len(xs) > 2, len(s) == 0)
	f(b == true, b != false, !b, !!b, !(b && n > 1), n > 1 || n < 0, n >= 3, n <= 4)
	f(x.Ready && !y.Ready && (b || n == 2), *x == *y, x == y, s < "b")
	f(m[s].Ok, m["a"].Ok, xs[0].Ok, xs[n].Ok, m[s] == T{}, xs[1:], xs[:n], xs[1:n:n], xs[:], xs[:0])
	f(t.IsZero(), !t.IsZero(), t.Unix() > 5, t.Before(time.Now()), !t.After(time.Now()))
	f(n+1, n-1, n*2, 2*n, n/3, n%2, n*n, n<<1, n&1, n|1, n^1, n&^1, -n, +n, ^n, 2+3, 7/2)
	f(b && x.Do(), b || x.Do())
	if n&1 == 0 && s+"x" == "yx" {
		f()
	}
	if v := m[s]; v.Ok {
		f(v)
	}
	if v, ok := m[s]; !ok || !v.Ok {
		f(v)
	}
	if _, ok := m["a"]; ok {
		f()
	}
	if ok := x.Ready; ok {
		f()
	}
}

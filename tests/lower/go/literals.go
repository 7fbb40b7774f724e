package labs

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "example.com/labs/api"
)

const key = "labs/owner"

type pair struct {
	name string
	size int
	metav1.ObjectMeta
}

func literals(x T, k string) {
	f(pair{"a", 1, x.Meta}, &pair{name: "b"}, pair{}, []pair{{"a", 2, x.Meta}, {name: "c"}})
	f(map[string]int{}, map[string]int{"a": 1, key: 2}, map[string]T{k: x}, map[string]bool{k: true})
	f([]string{}, []string{"a", k}, [2]int{1, 2}, [...]string{0: "a", 1: "b"}, [][]int{{1}, {2, 3}})
	f(struct{}{}, struct{ a int }{a: 1}, []*T{{Name: "a"}, &x})
	f(client.MatchingLabels{key: k}, client.HasLabels{"a"}, client.MatchingLabels{api.Label: k}, &client.ListOptions{Namespace: k})
	f(corev1.ConfigMap{Data: k})
	f(labels.Set{"a": k}, metav1.ListOptions{LabelSelector: "a=" + k}, api.Names{"a", "b"}, api.Empty{})
	f(map[string]struct{}{"a": {}, k: {}}, map[string][]string{"a": {"b"}}, map[[2]int]string{{1, 2}: "x"})
	f(1_000, 0x1F, 0b11, 0o17, 017, 1.5, 'a', '\n', 1i, 1e3)
	f("a\tb\"c\u00e9\x41", `raw "text" \n`, "", ``)
	f(Box[int]{v: 1}, Box[string, T]{}, []Box[int]{{v: 1}}, func(x int) int { return x }, [3]func(){})
}

package labs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func filled(ctx context.Context, c client.Client, key client.ObjectKey, raw []byte, r io.Reader) error {
	var pod corev1.Pod
	err := c.Get(ctx, key, &pod)
	if err != nil {
		return err
	}
	node := &corev1.Node{}
	if c.Get(ctx, key, node) != nil {
		return nil
	}
	list := new(corev1.PodList)
	if err := c.List(ctx, list); client.IgnoreNotFound(err) != nil {
		return err
	}
	cfg := Config{Name: "a"}
	if err := json.Unmarshal(raw, &cfg); err != nil {
		return err
	}
	if err := json.NewDecoder(r).Decode(&cfg); err != nil {
		return err
	}
	in := Input{Name: "a"}
	out, err := c.Query(ctx, &in)
	var wg sync.WaitGroup
	go worker(&wg)
	var local Config
	read(&local)
	made := &corev1.Secret{}
	made.Name = "a"
	if err := c.Create(ctx, made); err != nil {
		return err
	}
	var perr *Problem
	if errors.As(err, &perr) && perr.Code == 404 {
		return nil
	}
	f(pod, node, list, cfg, in, out, local)
	return nil
}

func row(db *sql.DB, id string) (name string, err error) {
	err = db.QueryRow("SELECT name FROM labs WHERE id = $1", id).Scan(&name)
	if err == sql.ErrNoRows {
		return "", nil
	}
	return name, err
}

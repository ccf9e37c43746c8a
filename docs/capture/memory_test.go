package main

import (
	"context"
	"testing"

	"deermem-tui/engine/memstore"
)

func TestTheStoreOfThePicturesIsReadWithoutAWarning(t *testing.T) {
	root := t.TempDir()
	if err := writeMemory(root); err != nil {
		t.Fatal(err)
	}
	m, err := memstore.Open(context.Background(), root, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Facts() != len(remembers) || len(m.Warnings) > 0 || len(m.Users[0].Agents[0].Audit) != 9 {
		t.Errorf("%d facts, %v", m.Facts(), m.Warnings)
	}
}

package dataset_test

import (
	"testing"

	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/vectortest"
)

func BenchmarkScan(b *testing.B) {
	data := vectortest.Read(b, "shadow", "longmemeval_shadow.json")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dataset.Scan(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvidenceOfEveryRow(b *testing.B) {
	data := vectortest.Read(b, "shadow", "longmemeval_shadow.json")
	rows, err := dataset.Scan(data)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, row := range rows {
			if _, err := row.Evidence(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

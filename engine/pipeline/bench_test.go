package pipeline_test

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/vectortest"
)

func benchmarkValidate(b *testing.B, location study.Location, dataset study.Dataset) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pipeline.Validate(context.Background(), location, dataset, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidateSample(b *testing.B) {
	location, dataset := sample()
	benchmarkValidate(b, location, dataset)
}

func BenchmarkValidateShadow(b *testing.B) {
	location, err := study.Folder(vectortest.Path(b, "shadow", "protocol"), "", "", "")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkValidate(b, location, study.DatasetFile(vectortest.Path(b, "shadow", "longmemeval_shadow.json")))
}

// benchmarkRunPolicy writes a new run folder each time, syncs included.
func benchmarkRunPolicy(b *testing.B, s *study.Study) {
	base := b.TempDir()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		where := pipeline.Target{Dir: filepath.Join(base, strconv.Itoa(n))}
		if _, err := pipeline.RunPolicy(context.Background(), s, where, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRunPolicySample(b *testing.B) { benchmarkRunPolicy(b, sampleStudy(b)) }
func BenchmarkRunPolicyShadow(b *testing.B) { benchmarkRunPolicy(b, shadowStudy(b)) }

func BenchmarkTasks(b *testing.B) {
	s := sampleStudy(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pipeline.Tasks(s); err != nil {
			b.Fatal(err)
		}
	}
}

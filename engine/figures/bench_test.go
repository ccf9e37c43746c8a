package figures

import "testing"

// A study of 10,000 cases, 20,000 rows: what opening such a run waits for.
func BenchmarkTenThousandCases(b *testing.B) {
	rows := made(10_000, true)
	for b.Loop() {
		if _, err := Compute(rows, policies, options(10_000)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFortyCases(b *testing.B) {
	rows := made(40, true)
	for b.Loop() {
		if _, err := Compute(rows, policies, options(10_000)); err != nil {
			b.Fatal(err)
		}
	}
}

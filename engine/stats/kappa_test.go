// This file holds Cohen's kappa against published worked values.

package stats

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// ratings gives ratings that count up to a square table of categories a, b, c ….
func ratings(counts [][]int) []Rating {
	var all []Rating
	name := func(i int) string { return string(rune('a' + i)) }
	for i, row := range counts {
		for j, count := range row {
			all = append(all, slices.Repeat([]Rating{{name(i), name(j)}}, count)...)
		}
	}
	return all
}

func TestKappa(t *testing.T) {
	tests := []struct {
		name                         string
		counts                       [][]int
		kappa, deviation, lower, top float64
		tolerance                    float64
	}{
		// SAS's worked example, as printed.
		{"a category only one rater used", [][]int{{0, 4, 1}, {0, 8, 0}, {0, 1, 5}}, 0.4842, 0.1380, 0.2137, 0.7547, 0.00005},
		// The counts of Fleiss 1981 (kappa printed as 0.68) and Cohen 1960 (0.492);
		// these digits, and the rest, from the formula written out in CPython.
		{"Fleiss 1981", [][]int{{75, 1, 4}, {5, 4, 1}, {0, 0, 10}}, 0.676470588235294, 0.08770295347521252, 0.5045759580860856, 0.8483652183845025, 1e-13},
		{"Cohen 1960", [][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, 0.49152542372881347, 0.05100181557607787, 0.3915637020535469, 0.5914871454040801, 1e-13},
		{"two categories", [][]int{{20, 5}, {10, 15}}, 0.4, 0.12699606293110033, 0.15109229047666106, 0.6489077095233388, 1e-13},
		{"as by chance", [][]int{{45, 5}, {45, 5}}, 0, 0.06, -0.11759783907240323, 0.11759783907240323, 1e-13},
		{"nothing alike", [][]int{{0, 20}, {20, 0}}, -1, 0, -1, -1, 1e-13},
		{"everything alike", [][]int{{20, 0}, {0, 20}}, 1, 0, 1, 1, 1e-13},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Kappa(ratings(test.counts), 0.05)
			if err != nil || !got.Defined || got.Method != MethodKappa {
				t.Fatalf("%+v, %v", got, err)
			}
			for _, number := range []struct {
				name      string
				got, want float64
			}{
				{"kappa", got.Kappa, test.kappa},
				{"standard error", got.StandardError, test.deviation},
				{"lower", got.Lower, test.lower},
				{"upper", got.Upper, test.top},
			} {
				if math.Abs(number.got-number.want) > test.tolerance {
					t.Errorf("%s is %v, want %v", number.name, number.got, number.want)
				}
			}
			if got.Highest < got.Kappa-1e-12 || got.Highest > 1+1e-12 {
				t.Errorf("kappa %v is above its highest value %v", got.Kappa, got.Highest)
			}
			for i, row := range test.counts {
				if !slices.Equal(got.Counts[i], row) {
					t.Errorf("counts %v, want %v", got.Counts, test.counts)
				}
			}
		})
	}
}

func TestKappaDoesNotDependOnNamesOrOrder(t *testing.T) {
	forward := ratings([][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}})
	want, err := Kappa(forward, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	renamed := make([]Rating, len(forward))
	names := map[string]string{"a": "wording", "b": "eviction", "c": "grader"}
	for i, rating := range forward {
		renamed[len(forward)-1-i] = Rating{names[rating.Second], names[rating.First]}
	}
	got, err := Kappa(renamed, 0.05)
	if err != nil || math.Abs(got.Kappa-want.Kappa) > 1e-14 || math.Abs(got.StandardError-want.StandardError) > 1e-14 {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if !slices.Equal(got.Categories, []string{"eviction", "grader", "wording"}) {
		t.Errorf("categories %q", got.Categories)
	}
}

func TestKappaWarnsWhereItSaysLessThanItSeems(t *testing.T) {
	tests := []struct {
		name    string
		counts  [][]int
		defined bool
		want    []string
	}{
		{"of nothing, where it is sound", [][]int{{20, 5}, {10, 15}}, true, nil},
		{"of one category for everything by both", [][]int{{40}}, false, []string{`both raters used "a" for everything: kappa is undefined; agreement is 40 of 40`}},
		{"of one category for everything by one", [][]int{{30, 0}, {10, 0}}, true, []string{`rater 2 used "a" for everything: kappa is 0`, "the standard error is 0"}},
		{"of a category that is nearly everything", [][]int{{85, 5}, {5, 5}}, true, []string{`"a" makes up 90 % of all ratings: chance alone gives 82 % agreement`}},
		{"of no disagreement", [][]int{{20, 0}, {0, 20}}, true, []string{"the standard error is 0"}},
		{"of few items", [][]int{{5, 2}, {3, 6}}, true, []string{"16 items: the standard error is for large samples"}},
	}
	for _, test := range tests {
		got, err := Kappa(ratings(test.counts), 0.05)
		expectWarnings(t, test.name, got.Warnings, err, test.want)
		if got.Defined != test.defined || math.IsNaN(got.Kappa) || math.IsNaN(got.StandardError) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func TestKappaStaysInItsBounds(t *testing.T) {
	for n := 1; n <= 12; n++ {
		everyTable(n, func(table Table) {
			counts := [][]int{{table.BothCorrect, table.OnlyFirstCorrect}, {table.OnlySecondCorrect, table.BothWrong}}
			got, err := Kappa(ratings(counts), 0.05)
			if err != nil {
				t.Fatal(err)
			}
			if !(got.Kappa >= -1 && got.Kappa <= 1 && got.Lower >= -1 && got.Upper <= 1 && got.Lower <= got.Kappa && got.Kappa <= got.Upper && got.StandardError >= 0) {
				t.Fatalf("%v: %+v", counts, got)
			}
		})
	}
}

func TestKappaRefusesWhatItCannotCompute(t *testing.T) {
	one := []Rating{{"a", "b"}}
	for _, test := range []struct {
		name    string
		ratings []Rating
		alpha   float64
		want    error
	}{
		{"no ratings", nil, 0.05, ErrNoPairs},
		{"an empty category", []Rating{{"a", "a"}, {"a", ""}}, 0.05, ErrInvalid},
		{"a bad alpha", one, 1, ErrInvalid},
	} {
		if _, err := Kappa(test.ratings, test.alpha); !errors.Is(err, test.want) || !strings.HasPrefix(err.Error(), "kappa: ") {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

func TestKappaOfAConstantRaterIsZeroWithoutATrace(t *testing.T) {
	for yes := 1; yes < 60; yes++ {
		for no := 1; no < 60; no++ {
			for _, counts := range [][][]int{{{yes, 0}, {no, 0}}, {{yes, no}, {0, 0}}} {
				got, err := Kappa(ratings(counts), 0.05)
				for _, value := range []float64{got.Kappa, got.StandardError, got.Lower, got.Upper, got.Highest} {
					if err != nil || !got.Defined || math.Float64bits(value) != 0 {
						t.Fatalf("%v: %+v, %v", counts, got, err)
					}
				}
			}
		}
	}
}

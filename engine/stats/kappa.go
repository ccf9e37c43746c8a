// This file measures how far two raters agree beyond what their own habits would
// give by chance, on one assumption: they judged the same items independently.

package stats

import (
	"fmt"
	"math"
	"slices"
)

// MethodKappa names the coefficient in results and reports.
const MethodKappa = "Cohen's kappa"

// Below fewRatings the interval is warned of, and above mostly the coefficient is:
// both bounds are conventions of this package.
const (
	fewRatings = 30
	mostly     = 0.9
)

// Rating is one item's category by each of two raters. Categories are names
// without order: any two that differ are equally far apart.
type Rating struct {
	First, Second string
}

// KappaResult is the agreement of two raters.
type KappaResult struct {
	Method     string
	Items      int
	Alpha      float64  // error rate; 0.05 gives a 95 % interval
	Categories []string // all that either rater used, sorted
	Counts     [][]int  // [first rater's][second rater's] category, in the order of Categories

	Observed float64 // share of items rated alike
	Expected float64 // share that independent raters with these habits would rate alike

	// Defined is false where Expected is 1, which leaves nothing beyond chance to
	// measure; the fields below are then 0.
	Defined       bool
	Kappa         float64 // 1 full agreement, 0 as by chance, at least -1
	StandardError float64 // of Kappa, for large samples
	Lower, Upper  float64 // in [-1, 1], around Kappa

	// Highest is the kappa the raters could have reached with these habits: below
	// 1 where they do not use the categories equally often.
	Highest float64

	Warnings []string
}

// Kappa computes the coefficient of Cohen 1960, Educational and Psychological
// Measurement 20:37, with the large-sample standard error of Fleiss, Cohen and
// Everitt 1969, Psychological Bulletin 72:323. With p the table's shares, r and c
// its margins, o = Σp(i,i), e = Σr(i)c(i):
//
//	kappa = (o - e) / (1 - e)
//	n (1-e)⁴ SE² = Σ p(i,i)((1-e) - (r(i)+c(i))(1-o))²
//	             + (1-o)² Σ p(i,j)(c(i)+r(j))²,  i ≠ j
//	             - (oe - 2e + o)²
//
// and kappa ± z·SE, cut off at -1 and 1. It fails with [ErrNoPairs] without
// ratings, or [ErrInvalid] for an empty category or an alpha outside (0, 1).
func Kappa(ratings []Rating, alpha float64) (KappaResult, error) {
	if len(ratings) == 0 {
		return KappaResult{}, fmt.Errorf("kappa: no item was rated by both: %w", ErrNoPairs)
	}
	if err := checkAlpha(alpha); err != nil {
		return KappaResult{}, fmt.Errorf("kappa: %w", err)
	}
	result := KappaResult{Method: MethodKappa, Items: len(ratings), Alpha: alpha}
	for i, rating := range ratings {
		if rating.First == "" || rating.Second == "" {
			return KappaResult{}, fmt.Errorf("kappa: item %d has an empty category, give only items that both rated: %w", i+1, ErrInvalid)
		}
		result.Categories = append(result.Categories, rating.First, rating.Second)
	}
	slices.Sort(result.Categories)
	result.Categories = slices.Clip(slices.Compact(result.Categories))

	k := len(result.Categories)
	result.Counts = make([][]int, k)
	for i := range k {
		result.Counts[i] = make([]int, k)
	}
	for _, rating := range ratings {
		i, _ := slices.BinarySearch(result.Categories, rating.First)
		j, _ := slices.BinarySearch(result.Categories, rating.Second)
		result.Counts[i][j]++
	}
	result.measure()
	result.Warnings = result.warnings()
	return result, nil
}

// measure fills in what follows from Counts. The shares of agreement are taken
// from whole numbers and rounded once; Expected is 1 exactly where both raters
// used one and the same category.
func (r *KappaResult) measure() {
	first, second := r.margins()
	n := float64(r.Items)
	same, chance, most := 0, 0.0, 0
	for i := range r.Categories {
		same += r.Counts[i][i]
		chance += float64(first[i]) * float64(second[i])
		most += min(first[i], second[i])
	}
	r.Observed = float64(same) / n
	r.Expected = chance / float64(n*n)
	rest := 1 - r.Expected
	if len(r.Categories) == 1 {
		return
	}
	r.Defined = true
	if slices.Contains(first, r.Items) || slices.Contains(second, r.Items) {
		return // one rater is constant: all below is 0 exactly, and rounding would leave a trace
	}
	r.Kappa = (r.Observed - r.Expected) / rest
	r.Highest = (float64(most)/n - r.Expected) / rest

	apart := 1 - r.Observed
	var alike, unlike float64
	for i, row := range r.Counts {
		for j, count := range row {
			share := float64(count) / n
			if i == j {
				term := rest - float64(float64(first[i]+second[i])/n*apart)
				alike += float64(share * float64(term*term))
			} else {
				term := float64(second[i]+first[j]) / n
				unlike += float64(share * float64(term*term))
			}
		}
	}
	last := float64(r.Observed*r.Expected) - float64(2*r.Expected) + r.Observed
	sum := alike + float64(float64(apart*apart)*unlike) - float64(last*last)
	r.StandardError = math.Sqrt(max(0, sum)/n) / float64(rest*rest)
	half := float64(normalQuantile(r.Alpha) * r.StandardError)
	r.Lower = max(-1, r.Kappa-half)
	r.Upper = min(1, r.Kappa+half)
}

// margins gives how often each rater used each category.
func (r *KappaResult) margins() (first, second []int) {
	first, second = make([]int, len(r.Categories)), make([]int, len(r.Categories))
	for i, row := range r.Counts {
		for j, count := range row {
			first[i] += count
			second[j] += count
		}
	}
	return first, second
}

// warnings says where the coefficient or its interval say less than they seem to.
func (r *KappaResult) warnings() []string {
	var warnings []string
	warn := func(format string, values ...any) { warnings = append(warnings, fmt.Sprintf(format, values...)) }
	if !r.Defined {
		warn("both raters used %q for everything: kappa is undefined; agreement is %d of %d", r.Categories[0], r.Items, r.Items)
	} else {
		first, second := r.margins()
		for number, margin := range [][]int{first, second} {
			if i := slices.Index(margin, r.Items); i >= 0 {
				warn("rater %d used %q for everything: kappa is 0 whatever the other said", number+1, r.Categories[i])
			}
		}
		for i, category := range r.Categories {
			if used := float64(first[i]+second[i]) / float64(2*r.Items); used >= mostly && first[i] != r.Items && second[i] != r.Items {
				warn("%q makes up %.0f %% of all ratings: chance alone gives %.0f %% agreement, and kappa is low however often they agree; read the share of agreement",
					category, 100*used, 100*r.Expected)
			}
		}
		if r.StandardError == 0 {
			warn("the standard error is 0: the interval of no width is no certainty")
		}
	}
	if r.Items < fewRatings {
		warn("%s: the standard error is for large samples", plural(r.Items, "item"))
	}
	return warnings
}

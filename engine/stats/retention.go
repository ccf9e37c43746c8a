// This file sets what was kept against what was answered: whether an answer is
// wrong because its support was evicted or in spite of having it.

package stats

import (
	"fmt"
	"slices"
)

// MethodRetention names the table in results and reports.
const MethodRetention = "retention by correctness"

// RetentionRow is one answer.
type RetentionRow struct {
	Case     string // rows of one case are not independent of one another
	Retained bool   // whether all support of the case was kept
	Correct  bool   // whether the answer is right
}

// RetentionResult is the 2×2 table of answers.
type RetentionResult struct {
	Method string
	Rows   int
	Cases  int

	RetainedCorrect, RetainedWrong int
	EvictedCorrect, EvictedWrong   int

	// Retained and Evicted are the shares of right answers with and without the
	// support, with Wilson intervals. Trials is 0, and nothing else set, where
	// there is no such row.
	Retained, Evicted ProportionResult

	Warnings []string
}

// Retention tabulates answers. It fails with [ErrNoPairs] without rows, or
// [ErrInvalid] for an alpha outside (0, 1).
func Retention(rows []RetentionRow, alpha float64) (RetentionResult, error) {
	if len(rows) == 0 {
		return RetentionResult{}, fmt.Errorf("retention: no rows: %w", ErrNoPairs)
	}
	if err := checkAlpha(alpha); err != nil {
		return RetentionResult{}, fmt.Errorf("retention: %w", err)
	}
	result := RetentionResult{Method: MethodRetention, Rows: len(rows)}
	cases := make([]string, len(rows))
	for i, row := range rows {
		cases[i] = row.Case
		switch {
		case row.Retained && row.Correct:
			result.RetainedCorrect++
		case row.Retained:
			result.RetainedWrong++
		case row.Correct:
			result.EvictedCorrect++
		default:
			result.EvictedWrong++
		}
	}
	slices.Sort(cases)
	result.Cases = len(slices.Compact(cases))
	for _, side := range []struct {
		name         string
		share        *ProportionResult
		right, wrong int
	}{
		{"retained", &result.Retained, result.RetainedCorrect, result.RetainedWrong},
		{"evicted", &result.Evicted, result.EvictedCorrect, result.EvictedWrong},
	} {
		if side.right+side.wrong == 0 {
			result.Warnings = append(result.Warnings, fmt.Sprintf("no row with its support %s: that share is unknown", side.name))
			continue
		}
		share, err := Wilson(side.right, side.right+side.wrong, alpha)
		if err != nil {
			return RetentionResult{}, fmt.Errorf("retention: %w", err)
		}
		*side.share = share
		for _, warning := range share.Warnings {
			result.Warnings = append(result.Warnings, side.name+": "+warning)
		}
	}
	if result.Cases < result.Rows {
		result.Warnings = append(result.Warnings, fmt.Sprintf("%d rows of %s: rows of one case are not independent, so the intervals are too narrow", result.Rows, plural(result.Cases, "case")))
	}
	if result.EvictedCorrect > 0 {
		result.Warnings = append(result.Warnings, fmt.Sprintf("%s right without the support: look whether a distractor or the question gives the answer away", plural(result.EvictedCorrect, "row")))
	}
	return result, nil
}

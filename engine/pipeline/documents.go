// The documents of a run as a protocol pins them, for the stages that write
// them and for whoever checks what a folder says.

package pipeline

import (
	"time"

	"deermem-tui/engine/eviction"

	"deermem-tui/engine/gitstate"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/config"
)

func datasetDoc(c *config.Config) report.Dataset { return report.Dataset(c.Dataset) }

func gitDoc(state *gitstate.State) *report.Git { return (*report.Git)(state) }

func runDoc(s *study.Study, created time.Time, git *gitstate.State) report.RunDoc {
	return RunDoc(s.Contracts, created, gitDoc(git))
}

func qaRunDoc(s *study.Study, created time.Time, git *gitstate.State) report.QARunDoc {
	return QARunDoc(s.Contracts, created, gitDoc(git))
}

// RunDoc gives run.json of a protocol; when and where a run was begun is told.
func RunDoc(c *study.Contracts, created time.Time, git *report.Git) report.RunDoc {
	first, second := eviction.FromConfig(c.Config)
	return report.RunDoc{
		ProtocolID:     c.Config.ProtocolID,
		Artifacts:      c.Identity,
		Dataset:        datasetDoc(c.Config),
		Capacities:     c.Config.Pool.Capacities,
		Policies:       []string{first.Name, second.Name},
		EvaluationTime: c.Config.EvaluationTime,
		CreatedAt:      created,
		Git:            git,
	}
}

// QARunDoc gives qa_run.json of a protocol; when and where a run was begun is
// told.
func QARunDoc(c *study.Contracts, created time.Time, git *report.Git) report.QARunDoc {
	qa := c.Config.QA
	return report.QARunDoc{
		ProtocolID: c.Config.ProtocolID,
		Artifacts:  c.Identity,
		Dataset:    datasetDoc(c.Config),
		QA: report.QASettings{
			APIKeyEnv:      qa.APIKeyEnv,
			BaseURLEnv:     qa.BaseURLEnv,
			Capacity:       c.Config.Pool.QACapacity,
			GraderVersion:  qa.GraderVersion,
			MaxAttempts:    qa.MaxAttempts,
			MaxTokens:      qa.MaxTokens,
			Model:          qa.Model,
			Stream:         qa.Stream,
			Temperature:    qa.Temperature,
			TimeoutSeconds: qa.TimeoutSeconds,
			Workers:        qa.Workers,
		},
		CreatedAt: created,
		Git:       git,
	}
}

func suiteDoc(s stats.Suite) report.Suite {
	t, b := s.McNemar, s.Bootstrap
	return report.Suite{
		Cases:             s.Cases,
		BothCorrect:       t.BothCorrect,
		BothWrong:         t.BothWrong,
		OnlyFirstCorrect:  t.OnlyFirstCorrect,
		OnlySecondCorrect: t.OnlySecondCorrect,
		PValue:            t.PValue,
		MeanDifference:    b.MeanDifference,
		Bootstrap: report.Bootstrap{
			Alpha:      b.Alpha,
			Iterations: b.Iterations,
			Seed:       b.Seed,
			Lower:      b.Lower,
			Upper:      b.Upper,
		},
	}
}

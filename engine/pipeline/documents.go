package pipeline

import (
	"time"

	"deermem-tui/engine/gitstate"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/config"
)

func datasetDoc(c *config.Config) report.Dataset { return report.Dataset(c.Dataset) }

func gitDoc(state *gitstate.State) *report.Git { return (*report.Git)(state) }

func runDoc(s *study.Study, created time.Time, git *gitstate.State) report.RunDoc {
	return report.RunDoc{
		ProtocolID:     s.Config.ProtocolID,
		Artifacts:      s.Identity,
		Dataset:        datasetDoc(s.Config),
		Capacities:     s.Config.Pool.Capacities,
		Policies:       policyNames(s),
		EvaluationTime: s.Config.EvaluationTime,
		CreatedAt:      created,
		Git:            gitDoc(git),
	}
}

func qaRunDoc(s *study.Study, created time.Time, git *gitstate.State) report.QARunDoc {
	qa := s.Config.QA
	return report.QARunDoc{
		ProtocolID: s.Config.ProtocolID,
		Artifacts:  s.Identity,
		Dataset:    datasetDoc(s.Config),
		QA: report.QASettings{
			APIKeyEnv:      qa.APIKeyEnv,
			BaseURLEnv:     qa.BaseURLEnv,
			Capacity:       s.Config.Pool.QACapacity,
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
		Git:       gitDoc(git),
	}
}

func policyNames(s *study.Study) []string {
	return []string{s.Policies[0].Name, s.Policies[1].Name}
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

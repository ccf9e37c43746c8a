package study

// State tells what became of a check.
type State string

// The states of a check.
const (
	Passed State = "passed"
	Failed State = "failed"
	NotRun State = "not run"
)

// Check is one check of a protocol or its dataset, with what was expected and
// what was found.
type Check struct {
	Name     string
	State    State
	Expected string
	Found    string
}

// The checks, in the order they are made.
const (
	checkConfig    = "configuration"
	checkOfficial  = "official manifest"
	checkSynthetic = "synthetic manifest"
	checkProtocol  = "one protocol ID"
	checkGrader    = "grader version"
	checkPrompt    = "answer prompt"
	checkHash      = "dataset SHA-256"
	checkRows      = "dataset rows"
	checkSelection = "case selection"
	checkBank      = "distractor bank"
	checkPools     = "pools"
)

// ContractChecks names the checks that need no dataset, in order.
func ContractChecks() []string {
	return []string{checkConfig, checkOfficial, checkSynthetic, checkProtocol, checkGrader, checkPrompt}
}

// DatasetChecks names the checks of the dataset, in order.
func DatasetChecks() []string {
	return []string{checkHash, checkRows, checkSelection, checkBank, checkPools}
}

// checklist reports checks and, after one failed, the rest as not run.
type checklist struct {
	names  []string
	done   int
	report func(Check)
}

func newChecklist(names []string, report func(Check)) *checklist {
	if report == nil {
		report = func(Check) {}
	}
	return &checklist{names: names, report: report}
}

// pass records that the next check held.
func (c *checklist) pass(expected, found string) {
	c.report(Check{Name: c.names[c.done], State: Passed, Expected: expected, Found: found})
	c.done++
}

// fail records that the next check did not hold, skips the others and gives err back.
func (c *checklist) fail(expected string, err error) error {
	c.report(Check{Name: c.names[c.done], State: Failed, Expected: expected, Found: err.Error()})
	for _, name := range c.names[c.done+1:] {
		c.report(Check{Name: name, State: NotRun})
	}
	c.done = len(c.names)
	return err
}

// skip records every remaining check as not run.
func (c *checklist) skip() {
	for _, name := range c.names[c.done:] {
		c.report(Check{Name: name, State: NotRun})
	}
	c.done = len(c.names)
}

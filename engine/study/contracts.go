package study

import (
	"fmt"
	"slices"

	"deermem-tui/engine/grading"
	"deermem-tui/protocol/config"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/manifest"
	"deermem-tui/protocol/prompt"
)

// FileError is a file of a study that was refused, and why.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// PinError is a value that another file pins differently.
type PinError struct {
	What     string // `protocol_id`, `qa.grader_version`, `SHA-256`
	Found    string
	Expected string
	PinnedBy string
	Advice   string
}

func (e *PinError) Error() string {
	return fmt.Sprintf("%s is %s, %s pins %s; %s", e.What, e.Found, e.PinnedBy, e.Expected, e.Advice)
}

// Contracts is a protocol whose files are read, checked and consistent.
type Contracts struct {
	Location   Location
	PromptPath string
	Config     *config.Config
	Official   *manifest.Official
	Synthetic  *manifest.Synthetic
	Prompt     *prompt.Template
	Identity   identity.Identity // Dataset holds the pinned hash
}

// LoadContracts reads a protocol's four files and makes ContractChecks, each
// reported as it is made. The error is a *FileError.
func LoadContracts(l Location, report func(Check)) (*Contracts, error) {
	list := newChecklist(ContractChecks(), report)
	c := &Contracts{Location: l}

	data, err := load(l, l.Config, func(data []byte) (err error) { c.Config, err = config.Parse(data); return err })
	if err != nil {
		return nil, list.fail("a configuration whose every key is known and in bounds", err)
	}
	c.Identity.Config = identity.Hash(data)
	list.pass(l.Config, "protocol "+c.Config.ProtocolID)

	data, err = load(l, l.Official, func(data []byte) (err error) { c.Official, err = manifest.ParseOfficial(data); return err })
	if err != nil {
		return nil, list.fail("four scenarios of ten cases and the rules that chose them", err)
	}
	c.Identity.OfficialManifest = identity.Hash(data)
	list.pass(l.Official, fmt.Sprintf("%d scenarios, %d cases", len(c.Official.ScenarioOrder), officialCases(c.Official)))

	data, err = load(l, l.Synthetic, func(data []byte) (err error) {
		if c.Synthetic, err = manifest.ParseSynthetic(data); err != nil {
			return err
		}
		return c.checkCaseIDs()
	})
	if err != nil {
		return nil, list.fail("five guard cases", err)
	}
	c.Identity.SyntheticManifest = identity.Hash(data)
	list.pass(l.Synthetic, fmt.Sprintf("%d cases", len(c.Synthetic.Cases)))

	if err := c.checkProtocolID(); err != nil {
		return nil, list.fail(c.Config.ProtocolID, err)
	}
	list.pass(c.Config.ProtocolID, c.Config.ProtocolID)

	if found := c.Config.QA.GraderVersion; found != grading.Version {
		return nil, list.fail(grading.Version, &FileError{l.Config, &PinError{What: "qa.grader_version", Found: found,
			Expected: grading.Version, PinnedBy: "this program's grader", Advice: "use a program whose grader has that version"}})
	}
	list.pass(grading.Version, c.Config.QA.GraderVersion)

	c.PromptPath = l.prompt(c.Config.QA.PromptPath)
	_, err = load(l, c.PromptPath, func(data []byte) (err error) {
		c.Identity.AnswerPrompt = identity.Hash(data)
		if c.Identity.AnswerPrompt != c.Config.QA.PromptSHA256 {
			return &PinError{What: "SHA-256", Found: c.Identity.AnswerPrompt, Expected: c.Config.QA.PromptSHA256,
				PinnedBy: "qa.answer_prompt.sha256", Advice: "restore the prompt, or pin the new one under a new protocol_id"}
		}
		c.Prompt, err = prompt.ParseTemplate(data)
		return err
	})
	if err != nil {
		return nil, list.fail(c.Config.QA.PromptSHA256, err)
	}
	list.pass(c.Config.QA.PromptSHA256, c.Identity.AnswerPrompt)
	c.Identity.Dataset = c.Config.Dataset.SHA256
	return c, nil
}

// load reads a file and hands it to parse; an error names the file.
func load(l Location, file string, parse func([]byte) error) ([]byte, error) {
	data, err := l.read(file)
	if err == nil {
		err = parse(data)
	} else {
		err = fmt.Errorf("cannot be read: %w", plain(err))
	}
	if err != nil {
		return nil, &FileError{file, err}
	}
	return data, nil
}

func officialCases(m *manifest.Official) (n int) {
	for _, ids := range m.Scenarios {
		n += len(ids)
	}
	return n
}

// checkCaseIDs makes sure that no case stands in both manifests: its rows would
// be those of two cases.
func (c *Contracts) checkCaseIDs() error {
	for i, guard := range c.Synthetic.Cases {
		for scenario, ids := range c.Official.Scenarios {
			if slices.Contains(ids, guard.CaseID) {
				return fmt.Errorf("cases[%d].case_id: %q is a case of %s in %s too; rename the synthetic one", i, guard.CaseID, scenario, c.Location.Official)
			}
		}
	}
	return nil
}

func (c *Contracts) checkProtocolID() error {
	for _, file := range []struct{ path, id string }{
		{c.Location.Official, c.Official.ProtocolID},
		{c.Location.Synthetic, c.Synthetic.ProtocolID},
	} {
		if file.id != c.Config.ProtocolID {
			return &FileError{file.path, &PinError{What: "protocol_id", Found: fmt.Sprintf("%q", file.id),
				Expected: fmt.Sprintf("%q", c.Config.ProtocolID), PinnedBy: c.Location.Config, Advice: "use the files of one protocol"}}
		}
	}
	return nil
}

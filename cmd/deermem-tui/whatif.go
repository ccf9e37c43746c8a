package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/engine/plainfile"
	"deermem-tui/engine/runs"
	"deermem-tui/engine/whatif"
	"deermem-tui/engine/whatif/kept"
	"deermem-tui/ui/widget"
)

// whatifFlags say what is played with, and how.
type whatifFlags struct {
	protocol protocolFlags
	agents   agentFlags
	store    string
	fact     string
	caseID   string

	values   map[whatif.Param]*float64
	now      string
	startCap int

	settings, name, save string
	take, keep, forget   string
	kept                 bool
	json                 bool
}

// mostCapacity is the largest cap that can be asked for.
const mostCapacity = 1<<31 - 1

// mostSettings is the size of the largest file of settings that is read, in
// bytes: room for thousands of them.
const mostSettings = 1 << 20

// sliders are the parameters that have a flag of their own.
var sliders = [...]struct {
	param whatif.Param
	words string
}{
	{whatif.WeightConfidence, "weight of confidence, 0 to 1; weights that are not given keep their proportion, the sum stays 1"},
	{whatif.WeightConfirmation, "weight of freshness, the same"},
	{whatif.WeightAccess, "weight of heat, the same"},
	{whatif.HalfLifeConfirmation, "half-life of freshness in days, 1 to 3650"},
	{whatif.HalfLifeAccess, "half-life of heat in days, 1 to 3650"},
	{whatif.ReserveFraction, "share of the cap reserved for corrections, 0 to 1"},
	{whatif.ReserveMax, "most slots reserved for corrections"},
	{whatif.Capacity, "the cap"},
}

func newWhatIf(std stdio) *cobra.Command {
	flags := whatifFlags{values: map[whatif.Param]*float64{}}
	c := &cobra.Command{
		Use:   "what-if",
		Short: "Play with hybrid-v1's constants over a benchmark's pools or a store (exploratory)",
		Long: `Decides every pool of a protocol, or the facts of an agent in a DeerMem store, with
other weights, half-lives, reserve, cap or clock, and says what changes against
the protocol's setting (for a store: deer-flow's own constants at the agent's
cap). A --capacity changes that cap; with --start-capacity the start has another
one, so that only the constants differ. With --fact, or --case, it says where along each parameter's range the
decision of that fact flips: exactly, not by trying values.

Everything here is exploratory. Nothing of it can be written as a run. --keep
keeps a setting under a name where the What-if screen keeps them too, --take
begins with one, --kept compares with all of them; --save writes named settings
to a file of their own.`,
		Example: `  deermem-tui what-if --confidence-weight 0.5
  deermem-tui what-if --case cat-weight --confirmation-half-life 30
  deermem-tui what-if --store ~/.deermem --user bo --agent coder-1 --capacity 20 --fact fact_0ac82c22
  deermem-tui what-if --store ~/.deermem --agent coder-1 --start-capacity 20 --confidence-weight 0.5
  deermem-tui what-if --confidence-weight 0.4 --keep low
  deermem-tui what-if --take low --reserve-fraction 0.3 --kept
  deermem-tui what-if --settings tried.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := flags.open(cmd.Context(), std, cmd.Flags())
			if err != nil {
				return err
			}
			if err := w.write(); err != nil {
				return err
			}
			if err := w.keepSetting(); err != nil {
				return err
			}
			if flags.json {
				return printJSON(std.out, w.doc())
			}
			return printLines(std.out, w.lines()...)
		},
	}
	f := c.Flags()
	flags.protocol.register(f, true)
	f.StringVar(&flags.store, "store", "", "play with this DeerMem store instead of a protocol's pools")
	flags.agents.register(f)
	f.StringVar(&flags.caseID, "case", "", "show the strips and the cut of this case")
	f.StringVar(&flags.fact, "fact", "", "fact whose strips are shown (default the case's support fact)")
	for _, s := range sliders {
		flags.values[s.param] = f.Float64(string(s.param), 0, s.words)
	}
	f.IntVar(&flags.startCap, "start-capacity", 0, "the cap at the start too, so that changes are those of the other parameters")
	f.StringVar(&flags.now, "now", "", "the clock: a time, or a step such as +90d from the usual one (default the protocol's, for a store the current time)")
	f.StringVar(&flags.settings, "settings", "", "also evaluate and compare the named settings of this file")
	f.StringVar(&flags.name, "name", "", "name of this setting")
	f.StringVar(&flags.save, "save", "", "write the named settings to this new file")
	f.StringVar(&flags.take, "take", "", "begin with the setting kept under this name")
	f.StringVar(&flags.keep, "keep", "", "keep this setting under this name, for the screen too")
	f.StringVar(&flags.forget, "forget", "", "forget the setting kept under this name")
	f.BoolVar(&flags.kept, "kept", false, "also evaluate and compare all settings that are kept")
	jsonFlag(c, &flags.json)
	return c
}

// whatifView is a model with the settings that were asked for.
type whatifView struct {
	whatifFlags
	model   *whatif.Model
	title   string
	inStore bool
	root    string // the store's folder
	over    whatif.Over
	setting whatif.Setting
	taken   whatif.Setting // of --take, as it was kept
	left    string         // what of it does not count here

	startGiven bool // --start-capacity is
	named      []whatif.Setting
	pool       int // whose strips and cut are shown; -1 for none
	selected   int // fact whose strips are shown; -1 for none
}

func (f whatifFlags) open(ctx context.Context, std stdio, given *pflag.FlagSet) (*whatifView, error) {
	w := &whatifView{whatifFlags: f, pool: -1, selected: -1}
	if f.save != "" && f.name == "" && f.settings == "" {
		return nil, usageError{errors.New("--save keeps named settings: give this one a --name, or --settings")}
	}
	if f.keep != "" && f.forget != "" {
		return nil, usageError{errors.New("--keep and --forget exclude each other")}
	}
	if w.startGiven = given.Changed("start-capacity"); f.startCap < 0 || f.startCap > mostCapacity {
		return nil, usageError{fmt.Errorf("--start-capacity %d: expected 0 to %d", f.startCap, mostCapacity)}
	}
	if whatif.Reserved(f.name) {
		return nil, usageError{fmt.Errorf("--name %q: a setting that is always listed has this name; choose another", f.name)}
	}
	var err error
	if given.Changed("store") {
		err = w.overStore(ctx, std)
	} else {
		err = w.overStudy(ctx, std)
	}
	if err != nil {
		return nil, err
	}
	if w.setting, err = w.moved(given); err != nil {
		return nil, err
	}
	w.setting.Name = f.name
	if err := w.selectFact(); err != nil {
		return nil, err
	}
	return w, w.readSettings()
}

// overStudy plays with the pools of a protocol.
func (w *whatifView) overStudy(ctx context.Context, std stdio) error {
	if w.agents.user != "" || w.agents.agent != "" {
		return usageError{errors.New("--user and --agent choose in a store: give --store")}
	}
	s, err := openStudy(ctx, std, &w.protocol, &progressFlag{mode: "none"})
	if err != nil {
		return err
	}
	book := casebook.New(s)
	hybrid, ok := book.Policy(eviction.NameHybridV1)
	if !ok {
		return usageError{fmt.Errorf("the protocol %s has no %s to play with", book.Protocol, eviction.NameHybridV1)}
	}
	base := whatif.Setting{Name: whatif.NameProtocol, Policy: hybrid, Now: book.Now, Capacity: book.QACapacity}
	if w.startGiven {
		base.Capacity = w.startCap
	}
	w.model, w.over = whatif.New(whatif.FromBook(book), base), whatif.Over{Protocol: book.Protocol}
	w.title = fmt.Sprintf("protocol %s, %d cases", book.Protocol, len(book.Entries))
	return nil
}

// overStore plays with the facts of one agent.
func (w *whatifView) overStore(ctx context.Context, std stdio) error {
	switch {
	case w.caseID != "":
		return usageError{errors.New("--case names a case of a protocol: leave out --store")}
	case w.protocol != protocolFlags{}:
		return usageError{errors.New("--store takes no protocol and no dataset")}
	}
	s, err := openMemory(ctx, std, w.store)
	if err != nil {
		return err
	}
	one, err := w.agents.one(s)
	if err != nil {
		return err
	}
	for _, line := range warningLines(s, []owned{one}) {
		if line != "" {
			fmt.Fprintln(std.err, line)
		}
	}
	now, err := parseNow(w.now, eviction.At(time.Now()))
	if err != nil {
		return err
	}
	capacity, source := insight.CapOf(one.agent)
	if w.startGiven {
		capacity, source = w.startCap, insight.CapGiven
	}
	base := whatif.Setting{Name: whatif.NameDeerFlow, Policy: eviction.HybridV1(), Now: now, Capacity: capacity}
	w.model = whatif.New([]whatif.Pool{{ID: one.agent.Name, Facts: one.agent.Signals}}, base)
	w.title = fmt.Sprintf("%s, %s, cap %d (%s)", one.name(), widget.Plural(len(one.agent.Facts), "fact"), capacity, source)
	w.inStore, w.root, w.pool = true, s.Root, 0
	w.over = kept.OverAgent(s.Root, one.user.ID, one.agent.Name)
	return nil
}

// moved gives the setting of the flags.
func (w *whatifView) moved(given *pflag.FlagSet) (whatif.Setting, error) {
	s := w.model.Base()
	if w.take != "" {
		var err error
		if w.taken, err = keptSettings().Find(w.take); err != nil {
			return s, usageError{fmt.Errorf("--take %w", err)}
		}
		s, w.left = w.taken.For(w.over, w.model.Base())
	}
	var weights []whatif.Param
	for _, one := range sliders {
		if !given.Changed(string(one.param)) {
			continue
		}
		value := *w.values[one.param]
		r := w.model.Range(one.param)
		switch {
		case one.param == whatif.Capacity && !(0 <= value && value <= mostCapacity):
			return s, usageError{fmt.Errorf("--%s %v: expected 0 to %d", one.param, value, mostCapacity)}
		case one.param != whatif.Capacity && !(r.Min <= value && value <= r.Max):
			return s, usageError{fmt.Errorf("--%s %v: expected %v to %v", one.param, value, r.Min, r.Max)}
		case r.Whole && value != float64(int(value)):
			return s, usageError{fmt.Errorf("--%s %v: expected a whole number", one.param, value)}
		}
		switch one.param {
		case whatif.WeightConfidence, whatif.WeightConfirmation, whatif.WeightAccess:
			weights = append(weights, one.param)
		default:
			s = one.param.Set(s, value)
		}
	}
	s, err := w.weighed(s, weights)
	if err != nil {
		return s, err
	}
	switch {
	case w.now != "" && w.inStore:
		s.Now = w.model.Base().Now // the clock of the start is that of --now
	case w.now != "":
		if s.Now, err = parseNow(w.now, w.model.Base().Now); err != nil {
			return s, err
		}
	}
	if err := s.Check(); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// weighed sets the weights that were given: one takes from the two others, of
// two the third is the rest, three have to add up to 1.
func (w *whatifView) weighed(s whatif.Setting, given []whatif.Param) (whatif.Setting, error) {
	switch len(given) {
	case 0:
		return s, nil
	case 1:
		return given[0].Set(s, *w.values[given[0]]), nil
	}
	parts := map[whatif.Param]*float64{
		whatif.WeightConfidence: &s.Policy.Weights.Confidence, whatif.WeightConfirmation: &s.Policy.Weights.Confirmation,
		whatif.WeightAccess: &s.Policy.Weights.Access,
	}
	rest := 1.0
	for _, p := range given {
		*parts[p] = *w.values[p]
		rest -= *parts[p]
		delete(parts, p)
	}
	for p, part := range parts {
		if rest < -1e-12 {
			return s, usageError{fmt.Errorf("two weights that add up to more than 1 leave nothing for --%s", p)}
		}
		*part = max(0, rest)
	}
	return s, nil
}

// selectFact finds the pool and the fact whose strips are shown.
func (w *whatifView) selectFact() error {
	if w.caseID != "" {
		if w.pool = w.model.FindPool(w.caseID); w.pool < 0 {
			return usageError{fmt.Errorf("--case %q: the protocol has no such case", w.caseID)}
		}
		if w.fact == "" {
			w.selected = w.model.Pool(w.pool).Support[0]
		}
	}
	if w.fact == "" {
		return nil
	}
	if w.pool < 0 {
		return usageError{errors.New("--fact needs --case, or --store")}
	}
	facts := w.model.Pool(w.pool).Facts
	for i := range facts {
		if facts[i].ID == w.fact {
			w.selected = i
			return nil
		}
	}
	return usageError{fmt.Errorf("--fact %q: there is no such fact in %s", w.fact, w.model.Pool(w.pool).ID)}
}

// readSettings reads the named settings to compare with.
func (w *whatifView) readSettings() error {
	if w.kept {
		all, err := keptSettings().List()
		if err != nil {
			return usageError{fmt.Errorf("--kept: %w", err)}
		}
		w.named = all
	}
	if w.settings == "" {
		return nil
	}
	data, err := plainfile.Read(w.settings, mostSettings)
	var system *fs.PathError
	switch {
	case errors.Is(err, plainfile.ErrTooLarge):
		return usageError{fmt.Errorf("--settings %s: it is larger than %d bytes, more than any file of settings", w.settings, mostSettings)}
	case errors.As(err, &system):
		return usageError{fmt.Errorf("--settings %s: %w", w.settings, system.Err)}
	case err != nil:
		return usageError{fmt.Errorf("--settings %s: %w", w.settings, err)}
	}
	named, err := whatif.Decode(data)
	if err != nil {
		return usageError{fmt.Errorf("--settings %s: %w", w.settings, err)}
	}
	w.named = append(w.named, named...)
	return nil
}

// keepSetting keeps or forgets a setting in the file that the screen has too.
func (w *whatifView) keepSetting() error {
	var readOnly []string
	if w.inStore {
		readOnly = append(readOnly, w.root)
	}
	file := keptSettings()
	switch {
	case w.keep != "":
		if _, err := file.Keep(w.asKept(w.keep), readOnly...); err != nil {
			return usageError{fmt.Errorf("--keep %w", err)}
		}
	case w.forget != "":
		if _, err := file.Forget(w.forget, readOnly...); err != nil {
			return usageError{fmt.Errorf("--forget %w", err)}
		}
	}
	return nil
}

// asKept gives the setting as it is kept. A clock that was asked for is its own,
// even where it is that of the start.
func (w *whatifView) asKept(name string) whatif.Setting {
	base := w.model.Base()
	if w.now != "" {
		base.Now = eviction.Moment{}
	}
	return w.setting.KeptAs(name, w.over, base)
}

// write writes the named settings to a new file, never into a store or a run
// folder.
func (w *whatifView) write() error {
	if w.save == "" {
		return nil
	}
	settings := append([]whatif.Setting(nil), w.named...)
	if w.name != "" {
		for _, s := range settings {
			if s.Name == w.name {
				return usageError{fmt.Errorf("--name %q: %s has a setting of that name", w.name, w.settings)}
			}
		}
		settings = append(settings, w.asKept(w.name))
	}
	if w.inStore && kept.Within(w.save, w.root) {
		return usageError{fmt.Errorf("--save %s: it lies in the store, which is only read; choose another folder", w.save)}
	}
	if run := runs.Around(w.save); run != "" {
		return usageError{fmt.Errorf("--save %s: it lies in the run folder %s, which holds results only; choose another folder", w.save, run)}
	}
	data, err := whatif.Encode(settings)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(w.save, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return usageError{fmt.Errorf("--save %s: the file exists, and none is written over; choose another name", w.save)}
	case err != nil:
		return usageError{fmt.Errorf("--save: %w", err)}
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

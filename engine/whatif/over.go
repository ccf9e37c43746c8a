// This file says over what a setting was kept, and what of it counts over
// something else: the cap and the clock of one benchmark or store mean nothing
// over another.

package whatif

import (
	"strings"
	"time"
)

// Over is what a setting is played over: the pools of a protocol, or the facts of
// an agent of a store. The zero Over is not known.
type Over struct {
	Protocol string `json:"protocol,omitempty"`
	Store    string `json:"store,omitempty"`    // the folder's own name, without where it lies
	StoreID  string `json:"store_id,omitempty"` // tells folders of one name apart
	User     string `json:"user,omitempty"`     // empty where no user is used
	Agent    string `json:"agent,omitempty"`
}

// Unmoved says which parts of a setting that is kept are not its own: they were as
// at the start, and are as at the start wherever it is taken.
type Unmoved struct{ Capacity, Clock bool }

// Known tells whether it was said over what a setting was kept.
func (o Over) Known() bool { return o != Over{} }

// Short says it in a few words. They are foreign text.
func (o Over) Short() string {
	switch {
	case o.Protocol != "":
		return "protocol " + o.Protocol
	case o.User != "":
		return "agent " + o.Agent + " of " + o.User
	case o.Agent != "":
		return "agent " + o.Agent
	case o.Store != "":
		return "store " + o.Store
	}
	return "something not named"
}

// String is Short with the folder of a store.
func (o Over) String() string {
	if o.Store != "" && o.Agent != "" {
		return o.Short() + " in " + o.Store
	}
	return o.Short()
}

// Beside is String for one who is somewhere else, or here: a store of the same
// name is told from that of here.
func (o Over) Beside(here Over) string {
	if o != here && o.String() == here.String() {
		return o.String() + ", another one of that name"
	}
	return o.String()
}

// KeptAs gives a setting as it is kept under a name: with what it was tried over,
// and which of cap and clock were not moved away from the start.
func (s Setting) KeptAs(name string, over Over, base Setting) Setting {
	s.Name, s.Over = name, over
	s.Unmoved = Unmoved{Capacity: s.Capacity == base.Capacity, Clock: s.Now == base.Now}
	return s
}

// For gives a setting that was kept as it is used here: over what it was kept over
// as it was kept, over anything else its constants alone. Cap and clock are those
// of the start then, and where they were not moved. left says what is left out so,
// such as `its cap 20 and its clock 2026-08-13T00:00:00Z`; empty for nothing.
func (s Setting) For(here Over, base Setting) (used Setting, left string) {
	same := s.Over == here && here.Known()
	used = s
	used.Over, used.Unmoved = Over{}, Unmoved{}
	if !same || s.Unmoved.Capacity {
		used.Capacity = base.Capacity
	}
	if !same || s.Unmoved.Clock {
		used.Now = base.Now
	}
	if same {
		return used, ""
	}
	var parts []string
	if !s.Unmoved.Capacity && s.Capacity != base.Capacity {
		parts = append(parts, "its cap "+Capacity.Text(Capacity.Get(s)))
	}
	if !s.Unmoved.Clock && s.Now != base.Now {
		parts = append(parts, "its clock "+s.Now.Time().Format(time.RFC3339))
	}
	return used, strings.Join(parts, " and ")
}

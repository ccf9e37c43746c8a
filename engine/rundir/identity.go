// qa_run.json as it is read back: which protocol the rows of a folder belong to.

package rundir

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
)

// IdentityFile is the document that binds a folder of rows to its protocol.
const IdentityFile = "qa_run.json"

// PolicyIdentityFile is the document that run-policy leaves, which names its
// protocol too.
const PolicyIdentityFile = "run.json"

// The schema_version of the two documents.
const (
	identitySchema       = 2
	policyIdentitySchema = 1
)

// What can be wrong with a folder's identity; test with errors.Is.
var (
	ErrIdentity    = errors.New("made with another protocol")
	ErrBadIdentity = errors.New("not a run's identity document")
)

// Identity is what qa_run.json says of a folder.
type Identity struct {
	ProtocolID string
	CreatedAt  string // as written
	Hashes     identity.Identity
}

// Change is one hash that differs.
type Change struct {
	What  string // "dataset", "answer prompt", ...
	Found string // in the folder
	Want  string // of the protocol at hand
}

// Changes gives the hashes in which a folder's differ from those wanted, in a
// fixed order.
func Changes(h, want identity.Identity) []Change {
	var changes []Change
	for _, c := range []Change{
		{"config", h.Config, want.Config},
		{"official manifest", h.OfficialManifest, want.OfficialManifest},
		{"synthetic manifest", h.SyntheticManifest, want.SyntheticManifest},
		{"answer prompt", h.AnswerPrompt, want.AnswerPrompt},
		{"dataset", h.Dataset, want.Dataset},
	} {
		if c.Found != c.Want {
			changes = append(changes, c)
		}
	}
	return changes
}

// IdentityError is a folder whose rows belong to another protocol.
type IdentityError struct {
	Dir     string
	Changes []Change
}

func (e *IdentityError) Error() string {
	parts := make([]string, len(e.Changes))
	for i, c := range e.Changes {
		parts[i] = fmt.Sprintf("%s (SHA-256 %s in the folder, %s now)", c.What, c.Found, c.Want)
	}
	return fmt.Sprintf("run folder %s was made with another protocol; changed: %s. Restore what changed, or choose another folder",
		e.Dir, strings.Join(parts, ", "))
}

// Unwrap gives ErrIdentity.
func (e *IdentityError) Unwrap() error { return ErrIdentity }

// ReadIdentity reads qa_run.json. A folder without one fails with ErrMissing,
// one that is torn or of another kind with ErrBadIdentity.
func (d *Dir) ReadIdentity() (Identity, error) { return d.readIdentity(IdentityFile, identitySchema) }

// ReadPolicyIdentity reads the identity that run.json holds, as ReadIdentity does.
func (d *Dir) ReadPolicyIdentity() (Identity, error) {
	return d.readIdentity(PolicyIdentityFile, policyIdentitySchema)
}

func (d *Dir) readIdentity(name string, schema int) (Identity, error) {
	data, err := d.Read(name)
	if err != nil {
		return Identity{}, err
	}
	found, err := parseIdentity(data, schema)
	if err != nil {
		return Identity{}, fmt.Errorf("%s: %w: %w; restore it, or choose another folder",
			filepath.Join(d.path, name), ErrBadIdentity, err)
	}
	return found, nil
}

// CheckProtocol makes sure that nothing in the folder was made with another
// protocol: neither the rows nor the policy results. What is not there is no
// error. Errors are those of CheckIdentity.
func (d *Dir) CheckProtocol(want identity.Identity) error {
	for _, read := range []func() (Identity, error){d.ReadIdentity, d.ReadPolicyIdentity} {
		found, err := read()
		if errors.Is(err, ErrMissing) {
			continue
		}
		if err != nil {
			return err
		}
		if changes := Changes(found.Hashes, want); len(changes) > 0 {
			return &IdentityError{Dir: d.path, Changes: changes}
		}
	}
	return nil
}

// CheckIdentity makes sure that the folder's rows belong to the protocol with
// these hashes. The error is an *IdentityError that names all that differ, or
// one of ReadIdentity's.
func (d *Dir) CheckIdentity(want identity.Identity) error {
	found, err := d.ReadIdentity()
	if err != nil {
		return err
	}
	if changes := Changes(found.Hashes, want); len(changes) > 0 {
		return &IdentityError{Dir: d.path, Changes: changes}
	}
	return nil
}

func parseIdentity(data []byte, schema int) (Identity, error) {
	value, err := pytext.Decode(data)
	if err != nil {
		return Identity{}, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return Identity{}, fmt.Errorf("the file holds %s, expected an object", kind(value))
	}
	m := members{object: object}
	if version := m.integer("schema_version"); m.err == nil && version != schema {
		return Identity{}, fmt.Errorf("schema_version is %d, expected %d", version, schema)
	}
	found := Identity{ProtocolID: m.text("protocol_id"), CreatedAt: m.text("created_at")}
	a := members{object: m.objectOf("artifacts"), err: m.err}
	found.Hashes = identity.Identity{
		Config:            a.text("config_sha256"),
		OfficialManifest:  a.text("official_manifest_sha256"),
		SyntheticManifest: a.text("synthetic_manifest_sha256"),
		AnswerPrompt:      a.text("answer_prompt_sha256"),
	}
	// run.json keeps the dataset's hash beside the dataset's name only.
	if schema == policyIdentitySchema {
		a = members{object: m.objectOf("dataset"), err: a.err}
		found.Hashes.Dataset = a.text("sha256")
	} else {
		found.Hashes.Dataset = a.text("dataset_sha256")
	}
	if a.err != nil {
		return Identity{}, a.err
	}
	return found, nil
}

// Package secret knows the shapes of what nobody publishes: credentials of the
// usual kinds and paths in somebody's home. It knows shapes, not meanings.
package secret

import (
	"regexp"
	"slices"
	"strings"
)

// kind is a shape. A text that holds none of the hints, in lower case, is not
// searched for it: the expressions are slow and most files are large and clean.
type kind struct {
	name  string
	hints []string
	shape *regexp.Regexp
	also  func(match string) bool // nil, or what else must hold of a match
}

var kinds = []kind{
	{"an API key", []string{"sk-", "pk-", "rk-", "gsk_", "xai-"}, regexp.MustCompile(`\b(?:(?:sk|pk|rk)-(?:[A-Za-z]+-)?[A-Za-z0-9_-]{16,}|(?:gsk_|xai-)[A-Za-z0-9]{16,})`), nil},
	{"a token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "hf_", "xox", "akia", "aiza", "eyj", "glpat-", "npm_"},
		regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,})`), nil},
	{"a bearer credential", []string{"bearer"}, regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{12,}`), nil},
	{"a private key", []string{"private key-----"}, regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`), nil},
	{"a header with a credential", []string{"authorization", "api-key", "set-cookie"},
		regexp.MustCompile(`(?i)\b(?:authorization|x-api-key|api-key|set-cookie)"?\s*[:=]\s*"?[A-Za-z0-9][^\s"]{7,}`), nil},
	// The name must end where its value begins, so that api_key_env, which names
	// a variable and holds no value, is none.
	{"a credential under its name", []string{"api_key", "apikey", "secret", "passw", "access_token", "accesstoken", "auth_token", "authtoken", "api_token", "apitoken", "bearer_token", "bearertoken", "refresh_token", "refreshtoken"},
		regexp.MustCompile(`(?i)(?:api_?key|secret(?:_?key)?|passw(?:or)?d|(?:access|auth|api|bearer|refresh)_?token)["']?\s*[:=]\s*["']?[A-Za-z0-9][A-Za-z0-9._~+/=-]{7,}`), likelyKey},
	{"a URL with a password", []string{"://"}, regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^/\s:@"]+:[^/\s:@"]+@`), nil},
	{"a path in somebody's home", []string{"~/"}, regexp.MustCompile(`(?:^|[\s"'` + "`" + `=:(\[{<,;])~/[A-Za-z0-9._-]*[A-Za-z0-9]`), nil},
	{"a path in somebody's home", []string{"/home/", "/users/", `:\users`, `:\\users`, "/root/"},
		regexp.MustCompile(`/home/[A-Za-z0-9._-]+|/Users/[A-Za-z0-9._-]+|[A-Za-z]:\\\\?Users\\\\?[A-Za-z0-9._-]+|(?:^|[^A-Za-z0-9._/-])/root/[A-Za-z0-9._-]+`), nil},
}

// likelyKey tells a credential behind its name from a word of a sentence: it
// holds a digit, or is longer than words are.
func likelyKey(match string) bool {
	value := match[strings.LastIndexAny(match, ":= \"'")+1:]
	return strings.ContainsAny(match, "0123456789") || len(value) >= 24
}

// Finding is something private in a text: what it is and where. The text
// itself is never given back.
type Finding struct {
	Name string
	At   int // byte offset
}

// Find gives the first thing of the shape of a credential or of a private path.
func Find(text string) (name string, found bool) {
	all := search(text, nil, 1)
	if len(all) == 0 {
		return "", false
	}
	return all[0].Name, true
}

// Named is a text that is private whatever its shape, such as the key in use.
type Named struct{ Name, Text string }

// Environment gives the named texts that must be in nothing that is published:
// the key in the variable that a run names and any other that the environment
// calls an API key, and the home of whoever asks. environ is as os.Environ gives
// it; home and keyEnv may be empty.
func Environment(environ []string, keyEnv, home string) []Named {
	var list []Named
	for _, one := range environ {
		name, value, _ := strings.Cut(one, "=")
		if keyEnv != "" && name == keyEnv || strings.HasSuffix(strings.ToUpper(name), "API_KEY") {
			list = append(list, Named{"the key in $" + name, value})
		}
	}
	slices.SortFunc(list, func(a, b Named) int { return strings.Compare(a.Name, b.Name) })
	if home != "" {
		list = append(list, Named{"a path in your home", home})
	}
	return list
}

// leastNamed keeps a short text from being found everywhere.
const leastNamed = 8

// All gives what is private in a text, and the named texts, by place; of each
// kind at most limit.
func All(text string, named []Named, limit int) []Finding { return search(text, named, limit) }

func search(text string, named []Named, limit int) []Finding {
	var found []Finding
	lower := strings.ToLower(text)
	for _, k := range kinds {
		if !slices.ContainsFunc(k.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			continue
		}
		most := limit
		if k.also != nil {
			most = -1 // some of the matches are none
		}
		taken := 0
		for _, at := range k.shape.FindAllStringIndex(text, most) {
			if taken < limit && (k.also == nil || k.also(text[at[0]:at[1]])) {
				taken++
				found = append(found, Finding{k.name, at[0]})
			}
		}
	}
	for _, n := range named {
		if len(n.Text) < leastNamed {
			continue
		}
		for at, count := 0, 0; count < limit; count++ {
			next := strings.Index(text[at:], n.Text)
			if next < 0 {
				break
			}
			found = append(found, Finding{n.Name, at + next})
			at += next + len(n.Text)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return a.At - b.At })
	return found
}

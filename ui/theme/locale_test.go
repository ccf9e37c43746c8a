package theme

import "testing"

func TestTheLocaleDecidesBetweenASCIIAndUnicode(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		force Drawing
		ascii bool
	}{
		{"UTF-8 is drawn", map[string]string{"LANG": "en_US.UTF-8"}, "", false},
		{"however it is written", map[string]string{"LANG": "de_DE.utf8"}, "", false},
		{"behind C too", map[string]string{"LANG": "C.UTF-8"}, "", false},
		{"with a modifier", map[string]string{"LANG": "ca_ES.UTF-8@valencia"}, "", false},
		{"as the character set alone", map[string]string{"LC_CTYPE": "UTF-8"}, "", false},
		{"C is ASCII", map[string]string{"LANG": "C"}, "", true},
		{"POSIX is ASCII", map[string]string{"LC_ALL": "POSIX"}, "", true},
		{"nothing set is C", nil, "", true},
		{"another character set is not trusted", map[string]string{"LANG": "ja_JP.eucJP"}, "", true},
		{"nor a locale without one", map[string]string{"LANG": "de_DE"}, "", true},
		{"LC_ALL wins over the others", map[string]string{"LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"}, "", true},
		{"LC_CTYPE wins over LANG", map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "C"}, "", false},
		{"an empty one decides nothing", map[string]string{"LC_ALL": "", "LC_CTYPE": "", "LANG": "C.UTF-8"}, "", false},
		{"ASCII that was asked for wins", map[string]string{"LANG": "C.UTF-8"}, ASCII, true},
		{"Unicode that was asked for wins", map[string]string{"LC_ALL": "C"}, Unicode, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Detect(Choice{Draw: c.force, Getenv: func(k string) string { return c.env[k] }, Terminal: true})
			if err != nil || got.ASCII != c.ascii {
				t.Errorf("ASCII is %v (%v)", got.ASCII, err)
			}
		})
	}
}

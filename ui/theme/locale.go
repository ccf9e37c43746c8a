// Whether the terminal can be trusted to draw more than ASCII: what the locale
// says of its character set.
package theme

import "strings"

// utf8 tells whether the locale of the environment names UTF-8. The first of
// LC_ALL, LC_CTYPE and LANG that is not empty decides, as POSIX has it; where
// none is set the locale is C, which knows ASCII only. What names no character
// set at all ("de_DE") is one of before UTF-8.
func utf8(get func(string) string) bool {
	locale := ""
	for _, variable := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = get(variable); locale != "" {
			break
		}
	}
	locale, _, _ = strings.Cut(locale, "@") // a modifier, as in "ca_ES.UTF-8@valencia"
	_, charset, named := strings.Cut(locale, ".")
	if !named {
		charset = locale // macOS names the character set alone
	}
	charset = strings.ToLower(strings.ReplaceAll(charset, "-", ""))
	return charset == "utf8"
}

// Tests of the baseline on an invented memory, one statement a question.

package offline

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// pool is a memory of invented facts in the forms a study's prompt has.
const pool = `STORED MEMORY:
[d_1]
SESSION s1 AT 2023/05/30 (Tue) 23:40
USER: I've been feeding my sourdough starter every other day. I named it Gustav, after my grandfather.
ASSISTANT: Lovely! Rye flour speeds it up. Keep the jar at 24 degrees.

[d_2]
SESSION s2 AT 2023/02/10 (Fri) 10:00
USER: My sister Aiko moved to Porto last spring and works at the aquarium. I'm visiting her on March 14th.

SESSION s3 AT 2023/06/10 (Sat) 10:00
USER: Aiko has moved again, she lives in Lisbon now. The flight took 3 hours.

[d_3]
SESSION s4 AT 2023/03/10 (Fri) 10:00
USER: I bought a used kayak, the green one. It cost 450 euros after haggling. I keep it in the boathouse behind the mill.

[d_4]
SESSION s5 AT 2023/01/10 (Tue) 10:00
USER: I planted three tomato plants and two basil plants on the balcony.

SESSION s6 AT 2023/04/10 (Mon) 10:00
USER: Added four more tomato plants today.

[d_5]
USER CORRECTION: My preferred response language is Chinese, not English.

[d_6]
USER CORRECTION: I am allergic to peanuts. The earlier note saying I enjoy peanut snacks was wrong.

[d_7]
SESSION s7 AT 2023/01/10 (Tue) 10:00
USER: 我上周在杭州买了一把小提琴，花了三千元。老师叫王芳。
USER: 🎻 practice starts at 7:30 PM on Thursdays with the quartet. My wake-up alarm is at 6:15 am.

[d_8]
SESSION s8 AT 2023/02/02 (Thu) 08:00
USER: I finished the lighthouse jigsaw, all 1,500 pieces of it. It took two and a half weeks.
USER: We watched "The Salt Road" at the cinema. Tomasz drove us.
`

func TestAnswer(t *testing.T) {
	tests := []struct{ name, question, want string }{
		{"a name after its verb", "What is the name of my sourdough starter?", "Gustav"},
		{"a person", "Who moved to Porto?", "Aiko"},
		{"a proper place before a common one", "Where did my sister move to first?", "Porto"},
		{"a later session replaces an earlier one", "Where does Aiko live?", "Lisbon"},
		{"a common place with its preposition", "Where do I keep my kayak?", "in the boathouse behind the mill"},
		{"an amount in the sentence after the match", "How much did the kayak cost?", "450 euros"},
		{"a colour", "What color is my kayak?", "green"},
		{"a count of the named thing", "How many basil plants do I have?", "two"},
		{"a count with a thousands separator", "How many pieces did the lighthouse jigsaw have?", "1,500"},
		{"a total over sessions", "How many tomato plants did I plant in total?", "7"},
		{"a duration", "How long did the flight take?", "3 hours"},
		{"a duration in words", "How long did the jigsaw take me?", "two and a half weeks"},
		{"how often", "How often do I feed my sourdough starter?", "every other day"},
		{"a time of day", "What time does quartet practice start?", "7:30 PM"},
		{"a time of day in lower case", "What time is my wake-up alarm?", "6:15 am"},
		{"a date in the text", "When am I visiting my sister?", "March 14th"},
		{"the session's date where the text has none", "When did I plant the basil?", "2023/01/10 (Tue) 10:00"},
		{"a title in quotes", "What did we watch at the cinema?", "The Salt Road"},
		{"the assistant's words when they are asked for", "Which flour did you say speeds the starter up?", "Rye"},
		{"one of two choices", "Is my kayak red or green?", "green"},
		{"a Chinese name", "老师叫什么名字？", "王芳"},
		{"a Chinese place", "我在哪里买了小提琴？", "杭州"},
		{"a Chinese number", "小提琴花了多少钱？", "三千"},
		{"an emoji is a term", "What time does 🎻 start?", "7:30 PM"},
		{"NO to what a correction denies", "Should responses default to English? Answer YES or NO.", "NO"},
		{"YES to what a correction affirms", "Is Chinese my preferred response language? Answer YES or NO.", "YES"},
		{"NO to what an allergy forbids", "Should you recommend peanut snacks to me? Answer YES or NO.", "NO"},
		{"NO to another proper name", "Does Aiko live in Madrid now?", "NO"},
		{"YES without being told to say it", "Does Aiko live in Lisbon?", "YES"},
		{"NO to another number", "Did the kayak cost 300 euros?", "NO"},
		{"nothing stored about it", "Who is my dentist?", Insufficient},
		{"one shared word is not enough", "Which airline flew me home from Osaka after the sister city festival?", Insufficient},
		{"nothing stored for a yes or no", "Should a package be shipped to Beijing? Answer YES or NO.", Insufficient},
		{"a question without content", "What about it?", Insufficient},
		{"an empty question", "", Insufficient},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Answer("ignored", pool+"\nQUESTION: "+tt.question); got != tt.want {
				t.Errorf("%s: got %q, want %q", tt.question, got, tt.want)
			}
		})
	}
}

func TestAnswerIgnoresFactIDsAndTheSystemMessage(t *testing.T) {
	renamed := strings.NewReplacer("[d_3]", "[gold_kayak]", "[d_1]", "[x.y-z]").Replace(pool)
	for _, q := range []string{"Where do I keep my kayak?", "Who is my dentist?", "gold_kayak?"} {
		a, b := Answer("", pool+"\nQUESTION: "+q), Answer("other", renamed+"\nQUESTION: "+q)
		if a != b {
			t.Errorf("%s: %q with one naming, %q with another", q, a, b)
		}
	}
}

func TestAnswerWithoutTheFactIsNotTheFact(t *testing.T) {
	without := strings.Replace(pool, "I keep it in the boathouse behind the mill.", "", 1)
	if got := Answer("", without+"\nQUESTION: Where do I keep my kayak?"); strings.Contains(got, "boathouse") {
		t.Errorf("got %q", got)
	}
}

func TestAnswerSurvivesOddMessages(t *testing.T) {
	for _, user := range []string{
		"", "QUESTION:", "QUESTION: why?", "STORED MEMORY:", "STORED MEMORY:\n\nQUESTION: kayak?",
		"STORED MEMORY:\n[a]\n\n[b]\n\nQUESTION: kayak?", "no form at all", "[a]\nQUESTION: inside\nQUESTION: kayak?",
		"\xff\xfe\nQUESTION: \xff?", strings.Repeat("[a]\n\n", 1000) + "QUESTION: a",
	} {
		if got := Answer("", user); got != Insufficient {
			t.Errorf("%q: got %q", user, got)
		}
	}
}

func FuzzAnswerIsShortAndSteady(f *testing.F) {
	f.Add(pool + "\nQUESTION: Where do I keep my kayak?")
	f.Add("STORED MEMORY:\n[a]\nI have half a quarter to 3 of May 2023-1/2.\n\nQUESTION: when or how many or?")
	f.Add("[a]\n三千年月日。在\n\nQUESTION: 几在哪里？")
	f.Add("[a]\n“«»” \"a\" ’s 1’2 a'b 1,:2\nQUESTION: What's \"a\"?")
	f.Fuzz(func(t *testing.T, user string) {
		got := Answer("", user)
		if got == "" || got != Answer("", user) {
			t.Errorf("got %q, then %q", got, Answer("", user))
		}
		if utf8.ValidString(user) && !utf8.ValidString(got) {
			t.Errorf("cut a character: %q", got)
		}
		if len(got) > max(len(user), len(Insufficient)) {
			t.Errorf("longer than the message: %q", got)
		}
	})
}

func BenchmarkAnswer(b *testing.B) {
	for b.Loop() {
		Answer("", pool+"\nQUESTION: Where do I keep my kayak?")
	}
}

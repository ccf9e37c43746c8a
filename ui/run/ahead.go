// What starting will cost: the calls that are ahead, about how many tokens they
// take and, where prices were given, about how much money.
package run

import (
	"fmt"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/widget"
)

// bytesPerToken is how much text makes a token, about.
const bytesPerToken = 4

// prepare computes the requests of a study once.
func (s *Screen) prepare(book *casebook.Book) {
	if book.Study == nil || s.book != nil && s.book.Study == book.Study {
		return
	}
	list, err := pipeline.Tasks(book.Study)
	if err != nil {
		return // the run itself will say so
	}
	s.tasks = make(map[string]pipeline.Task, len(list))
	for _, task := range list {
		s.tasks[task.RowID] = task
	}
}

// set names the variables that are set.
func (s *Screen) set() []string {
	var out []string
	for _, v := range s.info.Variables {
		if v.Set {
			out = append(out, v.Name)
		}
	}
	return out
}

// expected says how many calls are ahead and about what they take.
func (s *Screen) expected() string {
	calls, in := s.estimate()
	text := widget.Plural(calls, "call")
	if len(s.tasks) == 0 {
		return text + "."
	}
	text += fmt.Sprintf(", about %s tokens of requests", widget.Count(in))
	out := int64(calls) * int64(s.book.Study.Config.QA.MaxTokens)
	text += fmt.Sprintf(" and at most %s of answers", widget.Count(out))
	if prices := s.info.Prices; prices.Set {
		text += fmt.Sprintf("; cost about %.2f to %.2f", prices.Cost(in, 0), prices.Cost(in, out))
	}
	return text + ", retries not counted."
}

// estimate gives the calls ahead and about how many tokens they send.
func (s *Screen) estimate() (calls int, tokens int64) {
	for i := range s.book.Entries {
		e := &s.book.Entries[i]
		for _, policy := range s.book.Policies {
			if _, there := e.Rows[policy.Name]; there {
				continue
			}
			calls++
			if task, ok := s.tasks[casebook.RowID(e.Case.ID, policy.Name)]; ok {
				tokens += int64(len(task.Request.Payload) / bytesPerToken)
			}
		}
	}
	return calls, tokens
}

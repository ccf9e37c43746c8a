// What a report consists of, before it is HTML or Markdown, so that the two
// cannot say different things.

package page

// section is a heading and what stands below it.
type section struct {
	title  string
	blocks []block
}

// block is one of: text, list, table, figure, code.
type block struct {
	text   string
	list   []string
	table  *table
	figure *figure
	code   []string
}

// table is a table; numbers are columns that are set to the right.
type table struct {
	head    []string
	rows    [][]string
	numbers []int
}

// figure is a drawing with what it says in words, for readers who do not see it.
type figure struct {
	svg     string
	caption string
}

func (s *section) say(text string)      { s.blocks = append(s.blocks, block{text: text}) }
func (s *section) items(list ...string) { s.blocks = append(s.blocks, block{list: list}) }
func (s *section) commands(c ...string) { s.blocks = append(s.blocks, block{code: c}) }
func (s *section) draw(f figure)        { s.blocks = append(s.blocks, block{figure: &f}) }
func (s *section) tabulate(t table)     { s.blocks = append(s.blocks, block{table: &t}) }

// clean passes every text of a block through f; drawings clean their own.
func (b *block) clean(f func(string) string) {
	b.text = f(b.text)
	lists := [][]string{b.list}
	if b.table != nil {
		lists = append(lists, b.table.head)
		lists = append(lists, b.table.rows...)
	}
	for _, list := range lists {
		for i := range list {
			list[i] = f(list[i])
		}
	}
	if b.figure != nil {
		b.figure.caption = f(b.figure.caption)
	}
}

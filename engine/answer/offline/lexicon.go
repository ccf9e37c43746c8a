// This file holds the word lists of the baseline. They are lists of function
// words and general vocabulary only; none names a thing a dataset asks about.

package offline

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var stopWords = set(`a an the this that these those all any both each few more most other some such same own
i you he she it we they me him her us them my your his its our their mine yours hers ours theirs whose myself yourself
am is are was were be been being do does did doing have has had having will would shall should can could may might must
and or but nor so yet if then than because while until once although though whether of in on at by for with about against
between into through during before after above below to from up down out off over under again further what which who whom
when where why how there here only too very just also not no yes as please answer reply tell
i'm i've i'd i'll it's that's don't didn't doesn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't haven't
hasn't hadn't what's who's where's let's we're we've you're they're he's she's
many much long often ever currently recently`)

var functionGlyphs = set(`的 了 是 在 我 你 您 他 她 它 们 什 么 哪 谁 吗 呢 吧 几 多 少 怎 样 何 个 和 与 也 就 都 这 那 请 把 被
の は が を に で と も か へ や ね よ だ す 誰 私 은 는 이 가 을 를 에 의 도 로 요`)

// irregular maps common verb forms to one base.
var irregular = func() map[string]string {
	m := map[string]string{}
	for _, group := range strings.Split(`buy bought|go went gone|get got gotten|take took taken|make made|run ran|find found|give gave given
keep kept|leave left|see saw seen|come came|tell told|think thought|bring brought|teach taught|catch caught|sell sold|pay paid|say said
meet met|lose lost|win won|write wrote written|read|drive drove driven|ride rode ridden|eat ate eaten|drink drank drunk|sing sang sung
swim swam swum|begin began begun|grow grew grown|know knew known|fly flew flown|draw drew drawn|wear wore worn|choose chose chosen
speak spoke spoken|break broke broken|wake woke woken|sleep slept|spend spent|send sent|lend lent|build built|feel felt|hold held
stand stood|sit sat|hear heard|name called call named|child children|person people|foot feet|mouse mice`, "|") {
		forms := strings.Fields(group)
		for _, w := range forms[1:] {
			m[w] = forms[0]
		}
	}
	return m
}()

var numberWords = set(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen half`)

var glyphNumbers = set(`零 〇 一 二 两 三 四 五 六 七 八 九 十 百 千 万`)

var durationUnits = set(`second seconds minute minutes min mins hour hours day days night nights week weeks fortnight month months
year years decade decades`)

var months = set(`january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept
oct nov dec`)

var weekdays = set(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays`)

var colours = set(`red orange yellow green blue purple violet pink brown black white grey gray gold golden silver teal turquoise navy
crimson scarlet maroon olive beige cream ivory lilac lavender indigo cyan magenta burgundy amber mint copper bronze`)

// contrast words deny what follows them, up to the end of the clause.
var contrast = set(`not no never neither nor without don't didn't doesn't isn't aren't wasn't weren't won't can't cannot couldn't
wouldn't shouldn't haven't hasn't hadn't instead rather stopped quit avoid avoids avoiding refuse refuses formerly previously`)

// denial words turn the whole sentence against what it mentions.
var denial = set(`never wrong incorrect untrue false mistaken allergic intolerant hate hates dislike dislikes forbidden cancelled canceled`)

// change words mark a sentence that replaces an earlier one.
var change = set(`now actually correction changed switched updated instead moved`)

package pipeline

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"deermem-tui/engine/answer/outcome"
)

// RunFacts tell how a QA run stands, in numbers. Sinks get one after every row
// that ended. Nothing in it is a grade.
type RunFacts struct {
	At    time.Time
	Total int                   // rows of the whole run
	Done  int                   // rows stored
	Rows  map[outcome.State]int // by what became of them; they sum up to Total

	Reused, Called, Failed int // of this start
	InFlight               int
	Undecided              int // stored rows that are no plain answers and not accepted

	// Of the whole run, earlier starts included.
	Calls   int    // requests that were sent
	Cut     int    // of these: ended before it was known what became of them
	Least   string // why earlier starts may have sent more than is told; empty where all is known
	Tokens  Tokens
	Cost    float64
	Priced  bool // Cost is told
	Elapsed time.Duration
	Looks   int // at grades before the end

	// Of this start; zero until something can be said.
	CallsNow    int
	Rate        float64       // rows a second, pauses left out
	Median, P95 time.Duration // of an answer's latency

	Left     time.Duration // until the last row, at this pace
	LeftLow  time.Duration // nine times in ten it lies between these
	LeftHigh time.Duration
	HasLeft  bool

	Held  string    // why no call is begun now; empty when calls are begun
	Until time.Time // when that ends, where it is known
}

func (RunFacts) event() {}

// pace gathers how long answers take.
type pace struct {
	latencies []time.Duration // sorted
	n         float64
	mean, m2  float64 // of a row's whole way in seconds, waits included (Welford)
}

func (p *pace) add(latency, whole time.Duration) {
	i, _ := slices.BinarySearch(p.latencies, latency)
	p.latencies = slices.Insert(p.latencies, i, latency)
	p.take(whole.Seconds())
}

// take adds a row's way to mean and scatter.
func (p *pace) take(x float64) {
	p.n++
	delta := x - p.mean
	p.mean += delta / p.n
	p.m2 += float64(delta * (x - p.mean))
}

// quantile is the nearest-rank quantile of the latencies; 0 without any.
func (p *pace) quantile(q float64) time.Duration {
	if len(p.latencies) == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(len(p.latencies))))
	return p.latencies[min(max(rank, 1), len(p.latencies))-1]
}

// enough is how many rows must have ended before a time left is told.
const enough = 3

// So many rows show how much the next ones will scatter. Fewer may be alike by
// chance, and are taken to scatter by a share of their mean at least.
const (
	telling      = 20
	leastScatter = 0.25
)

// left tells how long open rows take with so many workers: the mean of a row's
// whole way, and an interval that holds both the rows' own scatter and what so
// few rows leave unknown of their mean (a prediction interval of Student's t for
// the sum of the open rows).
func (p *pace) left(open, workers int) (mid, low, high time.Duration, ok bool) {
	if p.n < enough || open <= 0 || workers <= 0 {
		return 0, 0, 0, p.n >= enough
	}
	k, w := float64(open), float64(workers)
	variance := p.m2 / (p.n - 1)
	if p.n < telling {
		variance = max(variance, math.Pow(leastScatter*p.mean, 2))
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: p.n - 1}.Quantile(0.95) // a twentieth on either side
	spread := t * math.Sqrt(float64(k*variance)+float64(k*k*variance)/p.n) / w
	middle := k * p.mean / w
	seconds := func(s float64) time.Duration { return time.Duration(max(s, 0) * float64(time.Second)) }
	return seconds(middle), seconds(middle - spread), seconds(middle + spread), true
}

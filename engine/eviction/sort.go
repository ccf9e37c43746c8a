// This file sorts long rankings and spreads long work over the cores.

package eviction

import (
	"runtime"
	"sync"
)

const (
	digitBits = 11
	digits    = 6 // of 11 bits cover 64
)

// sortRanked sorts by key, equal keys in their order, by a radix sort from the
// lowest digit. spare is as long as list and holds nothing of use after it.
func sortRanked(list, spare []ranked) {
	var counts [digits][1 << digitBits]int32
	for i := range list {
		key := list[i].key
		for d := range counts {
			counts[d][key>>(digitBits*d)&(1<<digitBits-1)]++
		}
	}
	from, to := list, spare
	for d := range counts {
		shift := digitBits * d
		count := &counts[d]
		if int(count[from[0].key>>shift&(1<<digitBits-1)]) == len(list) {
			continue // all have the same digit
		}
		var place int32
		for i, n := range count {
			count[i] = place
			place += n
		}
		for i := range from {
			digit := from[i].key >> shift & (1<<digitBits - 1)
			to[count[digit]] = from[i]
			count[digit]++
		}
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
}

// spreadFrom is the length from which using every core pays for starting the
// goroutines.
const spreadFrom = 4096

// spread calls do for parts of 0..n that together cover it, on all cores when n
// is large, and returns when all are done.
func spread(n int, do func(from, to int)) {
	workers := runtime.GOMAXPROCS(0)
	if n < spreadFrom || workers < 2 {
		do(0, n)
		return
	}
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { do(w*n/workers, (w+1)*n/workers) })
	}
	wait.Wait()
}

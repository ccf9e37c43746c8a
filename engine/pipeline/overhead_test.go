package pipeline_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

// loopback is a client of a server that takes so long for each call.
func loopback(tb testing.TB, each time.Duration) (*answer.Client, string) {
	tb.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(each) // what is measured against, not waited for
		_, _ = io.WriteString(w, `{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"x"}}],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}`)
	}))
	client, err := answer.New(answer.Options{BaseURL: server.URL + "/v1"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { client.Close(); server.Close() })
	return client, server.URL
}

// BenchmarkBareCalls is what BenchmarkQAOverhead is measured against on a busy
// machine: the same calls with nothing around them.
func BenchmarkBareCalls(b *testing.B) {
	const each = 50 * time.Millisecond
	s := sampleStudy(b)
	_, url := loopback(b, each)
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	var took time.Duration
	for b.Loop() {
		n++
		began := time.Now()
		queue := make(chan pipeline.Task, len(tasks))
		for _, task := range tasks {
			queue <- task
		}
		close(queue)
		var wait sync.WaitGroup
		for range s.Config.QA.Workers {
			wait.Go(func() {
				for task := range queue {
					res, err := http.Post(url, "application/json", bytes.NewReader(task.Request.Payload))
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			})
		}
		wait.Wait()
		took += time.Since(began)
	}
	b.ReportMetric(took.Seconds()/float64(n)/(each*90/time.Duration(s.Config.QA.Workers)).Seconds(), "of-the-ideal")
	http.DefaultClient.CloseIdleConnections()
}

// BenchmarkQAOverhead tells how much longer a run of 90 rows takes than its
// calls alone, once the first is begun: 90 calls of 50 ms by three workers are
// 1.5 s. What comes before is told beside it.
func BenchmarkQAOverhead(b *testing.B) {
	const each = 50 * time.Millisecond
	s := sampleStudy(b)
	client, _ := loopback(b, each)
	ideal := each * time.Duration(90/s.Config.QA.Workers)
	base := b.TempDir()
	n := 0
	var took, startUp time.Duration
	best := time.Hour
	for b.Loop() {
		n++
		began := time.Now()
		var first time.Time
		sink := func(event pipeline.Event) {
			if row, ok := event.(pipeline.RowChanged); ok && row.State == pipeline.RowCalling && first.IsZero() {
				first = time.Now()
			}
		}
		where := pipeline.Target{Dir: filepath.Join(base, fmt.Sprint(n))}
		if _, err := pipeline.RunQA(b.Context(), s, where, pipeline.QAOptions{Answerer: client}, sink); err != nil {
			b.Fatal(err)
		}
		once := time.Since(first)
		took, startUp, best = took+once, startUp+first.Sub(began), min(best, once)
	}
	b.ReportMetric(took.Seconds()/float64(n)/ideal.Seconds(), "of-the-ideal")
	b.ReportMetric(best.Seconds()/ideal.Seconds(), "best-of-the-ideal")
	b.ReportMetric(startUp.Seconds()*1000/float64(n), "start-up-ms")
}

// large is the sample with its cases repeated under other names.
func large(tb testing.TB, rows int) *study.Study {
	tb.Helper()
	s := sampleStudy(tb)
	pool := *s.Pools
	pool.Cases = nil
	for i := 0; len(pool.Cases) < rows/2; i++ {
		c := s.Pools.Cases[i%len(s.Pools.Cases)]
		c.ID = fmt.Sprintf("%s-%d", c.ID, i)
		pool.Cases = append(pool.Cases, c)
	}
	next := *s
	next.Pools = &pool
	return &next
}

// BenchmarkQAThousandRows tells how much memory the process has got from the
// system after a run of 1,000 rows of 1 ms.
func BenchmarkQAThousandRows(b *testing.B) {
	s := large(b, 1000)
	client, _ := loopback(b, time.Millisecond)
	base := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		where := pipeline.Target{Dir: filepath.Join(base, fmt.Sprint(n))}
		result, err := pipeline.RunQA(b.Context(), s, where, pipeline.QAOptions{Answerer: client}, func(pipeline.Event) {})
		if err != nil || result.Called != 1000 {
			b.Fatalf("%d called, %v", result.Called, err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
}

// A run of many rows calls each once, whatever their number.
func TestALargeRunCallsEveryRowOnce(t *testing.T) {
	s := large(t, 1000)
	a := &answers{}
	result, err := pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: a}, nil)
	if err != nil || result.Called != 1000 || a.count() != 1000 {
		t.Errorf("%d called, %v", result.Called, err)
	}
	tasks, _ := pipeline.Tasks(s)
	want := make([]string, len(tasks))
	for i, task := range tasks {
		want[i] = task.Fingerprint
	}
	slices.Sort(want)
	slices.Sort(a.calls)
	if !slices.Equal(a.calls, want) {
		t.Error("the calls are not those of the rows")
	}
}

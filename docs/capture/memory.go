// The store that the pictures of the Store and What-if screens show: an invented
// agent that learned more than it may keep, written as deer-flow writes one.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"deermem-tui/engine/memstore"
)

// memoryFolder is the store, relative to the working folder, memoryNow the clock
// of the pictures.
const (
	memoryFolder = "memory"
	memoryNow    = "2026-06-01T12:00:00Z"
)

// remembered is one fact of the store.
type remembered struct {
	category   string
	confidence float64
	created    int // days ago, as the next
	confirmed  int // 0 for never
	heat       float64
	title      string
}

var remembers = []remembered{
	{"preference", 0.95, 160, 6, 4, "Takes the early train on Tuesdays"},
	{"correction", 0.62, 170, 0, 0, "The parcel goes to the office, not to the flat"},
	{"context", 0.90, 175, 0, 0, "Shares the workshop with two potters"},
	{"goal", 0.88, 20, 3, 6.5, "Wants to show twelve bowls in September"},
	{"preference", 0.84, 150, 0, 1, "Likes glaze samples with a number on the back"},
	{"context", 0.93, 178, 0, 0, "Has a kiln that holds eighteen litres"},
	{"behavior", 0.81, 90, 14, 2.5, "Asks for a list before a long answer"},
	{"correction", 0.70, 40, 0, 3, "Cobalt is ordered in kilos, never in pounds"},
	{"cognitive", 0.97, 165, 0, 0, "Fires stoneware at cone six"},
	{"preference", 0.76, 60, 10, 0, "Reads recipes with weights, not cups"},
	{"context", 0.72, 120, 0, 0.5, "Rents a stall at the spring market"},
	{"goal", 0.91, 172, 0, 0, "Learn to throw lids that fit"},
	{"cognitive", 0.86, 140, 21, 1.5, "Keeps a book of firing curves since March"},
	{"preference", 0.79, 30, 2, 8, "Wants dates written with the month as a word"},
	{"context", 0.89, 176, 0, 0, "Works with a shelf of old test tiles"},
	{"behavior", 0.68, 15, 1, 5, "Sends photos before asking about a crack"},
	{"correction", 0.58, 168, 0, 0, "The studio closes at eight, not at nine"},
	{"cognitive", 0.74, 80, 0, 0, "Buys clay from the pit near the river"},
	{"goal", 0.83, 25, 0, 2, "Write a price list for the autumn market"},
	{"context", 0.87, 171, 0, 0, "Stores glazes in the cellar in winter"},
	{"preference", 0.92, 174, 0, 0, "Prefers matte over glossy for plates"},
	{"behavior", 0.77, 110, 30, 1, "Compares two quotes before it orders"},
	{"cognitive", 0.94, 169, 0, 0, "Knows the supplier of the kiln shelves"},
	{"context", 0.66, 10, 0, 4, "Teaches a class of six on Saturdays"},
}

// writeMemory writes the store into a folder.
func writeMemory(root string) error {
	now, err := time.Parse(time.RFC3339, memoryNow)
	if err != nil {
		return err
	}
	ago := func(days int) string { return now.AddDate(0, 0, -days).Format(time.RFC3339) }
	usage := map[string]any{}
	agent := filepath.Join(root, "users", "mara", "agents", "studio")
	for i, one := range remembers {
		id := fmt.Sprintf("fact_%08x", uint32(i+3)*2654435761)
		front := fmt.Sprintf("id: %s\ncategory: %s\nconfidence: %.2f\ncreatedAt: '%s'\nsource:\n  type: conversation\n  threadId: thread-%d\n"+
			"schemaVersion: 2\nstatus: active\ntopics: []\nconsolidatedFrom: []\nupdatedAt: '%s'\nrevision: 1\nuser_id: mara\nagent_name: studio\n",
			id, one.category, one.confidence, ago(one.created), i%7+1, ago(one.created))
		if one.confirmed > 0 {
			front += fmt.Sprintf("lastConfirmedAt: '%s'\nconfirmationCount: %d\n", ago(one.confirmed), i%3+1)
		}
		if one.heat > 0 {
			usage[id] = map[string]any{"accessHeat": one.heat, "accessCount": int(one.heat) + 1, "lastAccessedAt": ago(i % 5)}
		}
		text := fmt.Sprintf("---\n%s---\n\n# %s\n\nMara: %s. She said so while the kiln cooled.\n", front, one.title, strings.ToLower(one.title[:1])+one.title[1:])
		if err := writeFile(filepath.Join(agent, "facts", memstore.ShardOf(id), id+".md"), []byte(text)); err != nil {
			return err
		}
	}
	for name, value := range map[string]any{
		filepath.Join(agent, ".metadata", "fact-usage.json"):     usage,
		filepath.Join(agent, ".metadata", "eviction-audit.json"): trims(ago),
		filepath.Join(root, "users", "mara", "memory.json"): map[string]any{"version": "2.0", "revision": 58, "lastUpdated": ago(1),
			"user": map[string]any{}, "history": map[string]any{}},
	} {
		data, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return err
		}
		if err := writeFile(name, data); err != nil {
			return err
		}
	}
	return nil
}

// trims is what the agent had to forget so far.
func trims(ago func(days int) string) []any {
	var out []any
	categories := []string{"context", "preference", "correction", "context", "cognitive", "behavior"}
	for i := range 9 {
		var evicted []any
		var would []string
		for n := range i%3 + 1 {
			id := fmt.Sprintf("fact_%08x", uint32(50+7*i+n)*2654435761)
			score := 0.41 + 0.013*float64(n) + 0.004*float64(i)
			evicted = append(evicted, map[string]any{"factId": id, "category": categories[(i+2*n)%len(categories)], "score": score, "components": map[string]any{"confidence": score}})
			would = append(would, id)
		}
		if i%4 == 1 {
			would[0] = fmt.Sprintf("fact_%08x", uint32(90+i)*2654435761)
		}
		out = append(out, map[string]any{
			"occurredAt": ago(52 - 6*i), "reason": "capacity", "policyVersion": "confidence", "maxFacts": 20, "reservedCorrectionSlots": 0, "evicted": evicted,
			"shadow": map[string]any{"policyVersion": "hybrid-v1", "wouldEvict": would, "disagrees": i%4 == 1},
		})
	}
	return out
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/offline"
	"deermem-tui/engine/pipeline"
	"deermem-tui/protocol/config"
	"deermem-tui/ui/screen"
)

// provider is where the answers of a run come from.
type provider struct {
	text      string // for people, without secrets
	offline   bool
	variables []screen.Variable
	client    *answer.Client // nil while variables are missing, or offline
	qa        config.QA
	// pace gives the offline answerer the time of a quick provider, so that a
	// run can be watched; nil answers at once.
	pace func(body []byte) time.Duration
}

// newProvider decides where the answers of a study come from: the offline
// answerer when it is asked for or is the study's own model, else the provider
// that the environment names. A variable that is not set is no error yet: see
// check.
func newProvider(qa config.QA, forceOffline bool) (provider, error) {
	if forceOffline || qa.Model == offline.Model {
		return provider{text: "offline answerer (" + offline.Model + ", loopback)", offline: true, qa: qa}, nil
	}
	key, base := os.Getenv(qa.APIKeyEnv), os.Getenv(qa.BaseURLEnv)
	p := provider{text: "a provider that is not named yet", qa: qa, variables: []screen.Variable{
		{Name: qa.BaseURLEnv, Set: strings.TrimSpace(base) != ""},
		{Name: qa.APIKeyEnv, Set: strings.TrimSpace(key) != ""},
	}}
	if p.check() != nil {
		return p, nil
	}
	client, err := answer.New(answer.Options{
		BaseURL:     base,
		APIKey:      key,
		Timeout:     time.Duration(qa.TimeoutSeconds) * time.Second,
		MaxAttempts: qa.MaxAttempts,
	})
	if err != nil {
		switch {
		case errors.Is(err, answer.ErrKey):
			err = fmt.Errorf("%s: %w", qa.APIKeyEnv, err)
		case errors.Is(err, answer.ErrBaseURL):
			err = fmt.Errorf("%s: %w", qa.BaseURLEnv, err)
		}
		return p, err // of a proxy, it names the variables itself
	}
	p.client, p.text = client, client.Endpoint()
	return p, nil
}

// check makes sure that every variable the provider needs is set.
func (p provider) check() error {
	var missing []string
	for _, v := range p.variables {
		if !v.Set {
			missing = append(missing, v.Name)
		}
	}
	if len(missing) > 0 {
		return usageError{fmt.Errorf("missing environment variable: set %s for your provider, or use --offline", strings.Join(missing, " and "))}
	}
	return nil
}

// announce says where the questions will go and what is warned of, before a
// call is made. Variables are named, never shown.
func (p provider) announce() []string {
	if p.offline {
		return []string{"answers come from the " + p.text + "; nothing leaves this machine and nothing costs money"}
	}
	names := make([]string, len(p.variables))
	for i, v := range p.variables {
		names[i] = v.Name
	}
	line := fmt.Sprintf("requests go to %s, model %s; set: %s", p.text, p.qa.Model, strings.Join(names, ", "))
	return append([]string{line}, p.warnings()...)
}

// warnings are what a careful user wants to know about where requests go.
func (p provider) warnings() []string {
	if p.client == nil {
		return nil
	}
	return p.client.Warnings()
}

// start gives the answerer of a run and what ends it.
func (p provider) start(ctx context.Context) (pipeline.Answerer, func(), error) {
	if err := p.check(); err != nil {
		return nil, nil, err
	}
	// net/http writes what a provider sends unasked to the standard log, which
	// nothing else uses: onto the screen, and with whatever is in it.
	log.SetOutput(io.Discard)
	if !p.offline {
		host := ""
		if u, err := url.Parse(p.client.Endpoint()); err == nil {
			host = u.Host // without a user's name or a path
		}
		return kinded{p.client, pipeline.KindProvider, host}, p.client.Close, nil
	}
	server, err := offline.Start(ctx, offline.Options{Latency: p.pace})
	if err != nil {
		return nil, nil, err
	}
	client, err := answer.New(answer.Options{
		BaseURL:     server.URL(),
		Timeout:     time.Duration(p.qa.TimeoutSeconds) * time.Second,
		MaxAttempts: p.qa.MaxAttempts,
	})
	if err != nil {
		server.Close()
		return nil, nil, err
	}
	return kinded{client, pipeline.KindOffline, ""}, func() { client.Close(); server.Close() }, nil
}

// kinded is an answerer that tells where its answers come from.
type kinded struct {
	pipeline.Answerer
	kind string
	host string // of a provider, with its port
}

func (k kinded) Kind() string { return k.kind }
func (k kinded) Host() string { return k.host }

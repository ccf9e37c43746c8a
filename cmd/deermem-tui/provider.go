package main

import (
	"context"
	"fmt"
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
		return p, fmt.Errorf("%s, %s: %w", qa.BaseURLEnv, qa.APIKeyEnv, err)
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

// start gives the answerer of a run and what ends it.
func (p provider) start(ctx context.Context) (pipeline.Answerer, func(), error) {
	if err := p.check(); err != nil {
		return nil, nil, err
	}
	if !p.offline {
		return p.client, p.client.Close, nil
	}
	server, err := offline.Start(ctx, offline.Options{})
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
	return client, func() { client.Close(); server.Close() }, nil
}

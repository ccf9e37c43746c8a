// This file reads any front matter that is YAML, slowly and within bounds.

package memstore

import (
	"errors"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"deermem-tui/protocol/pytext"
)

const (
	yamlDepth = 32     // levels of a front matter
	yamlNodes = 20_000 // values of a front matter, aliases written out
)

var (
	errNoMapping  = errors.New("it is no mapping of keys to values")
	errYAMLDepth  = fmt.Errorf("it is nested more than %d deep", yamlDepth)
	errYAMLNodes  = fmt.Errorf("it holds more than %d values", yamlNodes)
	errYAMLPanic  = errors.New("it is YAML that the reader cannot take")
	errManyFronts = errors.New("it holds more than one document")
	errYAMLKey    = errors.New("a key is neither a text nor a plain value")
	errMergeKey   = errors.New("it uses merge keys")
	errCustomTag  = errors.New("it uses a tag")
)

// plainTags are the tags that say of a value what it is anyway; any other would
// make something of it.
var plainTags = [...]string{"!!str", "!!seq", "!!map"}

// parseYAML appends the pairs of a YAML mapping.
func parseYAML(text string, pairs []pair) (found []pair, err error) {
	defer func() {
		// The library gives errors by panics of its own; one that escapes it
		// is a fault of the text all the same.
		if recover() != nil {
			found, err = nil, errYAMLPanic
		}
	}()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	if document.Kind == 0 {
		return pairs, nil // nothing but comments: an empty front matter
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, errManyFronts
	}
	root := document.Content[0]
	r := yamlReader{left: yamlNodes}
	if root.Kind == yaml.ScalarNode {
		if value, err := r.value(root, 0); err == nil && value == nil {
			return pairs, nil
		}
	}
	if root.Kind != yaml.MappingNode {
		return nil, errNoMapping
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, err := r.key(root.Content[i])
		if err != nil {
			return nil, err
		}
		value, err := r.value(root.Content[i+1], 1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		pairs = append(pairs, pair{key, value})
	}
	return pairs, nil
}

// yamlReader turns nodes into values and counts them.
type yamlReader struct{ left int }

func (r *yamlReader) key(node *yaml.Node) (string, error) {
	if node.Kind != yaml.ScalarNode {
		return "", errYAMLKey
	}
	if node.Tag == "!!merge" {
		return "", errMergeKey
	}
	value, err := r.value(node, 0)
	if err != nil {
		return "", err
	}
	switch value := value.(type) {
	case string:
		return value, nil
	case otherScalar:
		return string(value), nil
	}
	return pytext.Str(value), nil
}

func (r *yamlReader) value(node *yaml.Node, depth int) (any, error) {
	if depth > yamlDepth {
		return nil, errYAMLDepth
	}
	if r.left--; r.left < 0 {
		return nil, errYAMLNodes
	}
	if node.Style&yaml.TaggedStyle != 0 && !slices.Contains(plainTags[:], node.Tag) {
		return nil, errCustomTag
	}
	switch node.Kind {
	case yaml.AliasNode:
		return r.value(node.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, 0, min(len(node.Content), yamlNodes))
		for _, item := range node.Content {
			value, err := r.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		mapping := make(map[string]any, min(len(node.Content)/2, yamlNodes))
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, err := r.key(node.Content[i])
			if err != nil {
				return nil, err
			}
			if mapping[key], err = r.value(node.Content[i+1], depth+1); err != nil {
				return nil, err
			}
		}
		return mapping, nil
	}
	if node.Style&yaml.TaggedStyle != 0 {
		return node.Value, nil
	}
	if node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return node.Value, nil
	}
	return plainScalar(node.Value), nil
}

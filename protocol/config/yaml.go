// This file reads the YAML around the values: mappings, lists and what is refused.

package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"deermem-tui/protocol/strict"
)

// maxYAMLDepth is how deep mappings and lists may nest: a configuration needs four.
const maxYAMLDepth = 32

// decodeYAML turns one YAML document into plain values (map[string]any, []any,
// string, bool, nil, int64, *big.Int, float64, time.Time, otherScalar), naming
// plain scalars by YAML 1.1 as the reference's reader does: yaml.v3 alone would
// read an unquoted `1e5` as a float where the reference sees a string.
//
// Aliases, merges, tags and keys that come twice are refused: none of them has
// a place in a file that pins a study.
func decodeYAML(data []byte) (any, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, errors.New("not YAML: the file holds no document")
	} else if err != nil {
		return nil, notYAML(err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, fmt.Errorf("not YAML: a second document starts on line %d, expected one", second.Line)
	case !errors.Is(err, io.EOF):
		return nil, notYAML(err)
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, errors.New("not YAML: the file holds no document")
	}
	return fromNode(document.Content[0], "", 0)
}

func notYAML(err error) error {
	return fmt.Errorf("not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
}

// fromNode gives the value of a node. The path names it in errors.
func fromNode(node *yaml.Node, path string, depth int) (any, error) {
	if depth > maxYAMLDepth {
		return nil, refuse(path, fmt.Sprintf("values nested at most %d deep", maxYAMLDepth), "a deeper one", node)
	}
	if node.Style&yaml.TaggedStyle != 0 && !(node.Kind == yaml.ScalarNode && node.Tag == "!!str") {
		return nil, refuse(path, "a value without a tag", "the tag "+node.Tag, node)
	}
	switch node.Kind {
	case yaml.MappingNode:
		return fromMapping(node, path, depth)
	case yaml.SequenceNode:
		items := make([]any, 0, len(node.Content))
		for i, child := range node.Content {
			value, err := fromNode(child, fmt.Sprintf("%s[%d]", path, i), depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, value)
		}
		return items, nil
	case yaml.ScalarNode:
		return fromScalar(node), nil
	}
	return nil, refuse(path, "a plain value", "an alias", node)
}

func fromMapping(node *yaml.Node, path string, depth int) (any, error) {
	fields := make(map[string]any, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		inner := strict.Join(path, key.Value)
		if _, isText := fromScalar(key).(string); key.Kind != yaml.ScalarNode || !isText || key.Tag == "!!merge" {
			return nil, refuse(inner, "a key that is a string", "something else", key)
		}
		if _, ok := fields[key.Value]; ok {
			return nil, refuse(inner, "a key once", "it again", key)
		}
		value, err := fromNode(node.Content[i+1], inner, depth+1)
		if err != nil {
			return nil, err
		}
		fields[key.Value] = value
	}
	return fields, nil
}

func refuse(path, expected, found string, node *yaml.Node) error {
	return &strict.Error{Key: path, Expected: expected, Found: fmt.Sprintf("%s on line %d", found, node.Line)}
}

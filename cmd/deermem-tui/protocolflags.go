package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	deermemtui "deermem-tui"
	"deermem-tui/engine/study"
)

// datasetVariable names the user's own dataset where no flag does.
const datasetVariable = "LONGMEMEVAL_ORACLE_PATH"

// protocolFlags say which protocol a command works on, and with which dataset.
type protocolFlags struct {
	protocol  string
	dir       string
	config    string
	official  string
	synthetic string
	dataset   string
}

func (f *protocolFlags) register(flags *pflag.FlagSet, withDataset bool) {
	flags.StringVar(&f.protocol, "protocol", "", "shipped protocol: sample or pr4789 (default sample)")
	flags.StringVar(&f.dir, "protocol-dir", "", "folder with configs/, manifests/ and prompts/ of a protocol")
	flags.StringVar(&f.config, "config", "", "configuration file (YAML); its prompt is found beside its folder")
	flags.StringVar(&f.official, "official-manifest", "", "manifest of the official cases (JSON)")
	flags.StringVar(&f.synthetic, "synthetic-manifest", "", "manifest of the synthetic cases (JSON)")
	if withDataset {
		flags.StringVar(&f.dataset, "dataset", "", "dataset file (JSON); else $"+datasetVariable+"; the sample brings its own")
	}
}

// location finds the protocol's files.
func (f *protocolFlags) location() (study.Location, error) {
	named := f.config != "" || f.official != "" || f.synthetic != ""
	switch {
	case f.protocol != "" && (f.dir != "" || named):
		return study.Location{}, usageError{errors.New("--protocol names a shipped protocol; leave it out when you give --protocol-dir, --config or a manifest")}
	case f.dir != "":
		return study.Folder(f.dir, f.config, f.official, f.synthetic)
	case named:
		if f.config == "" || f.official == "" || f.synthetic == "" {
			return study.Location{}, usageError{errors.New("--config, --official-manifest and --synthetic-manifest go together; give all three, or --protocol-dir")}
		}
		return study.Files(f.config, f.official, f.synthetic), nil
	}
	shipped, ok := deermemtui.Protocol(f.name())
	if !ok {
		return study.Location{}, usageError{fmt.Errorf("--protocol %q is not shipped; it is one of sample, pr4789", f.protocol)}
	}
	return study.Embedded(f.name(), deermemtui.Files, shipped.Config, shipped.OfficialManifest, shipped.SyntheticManifest), nil
}

// name gives the shipped protocol that is meant when no files are named.
func (f *protocolFlags) name() string {
	if f.protocol == "" {
		return deermemtui.Sample
	}
	return f.protocol
}

// shippedContracts gives the protocols inside the binary.
func shippedContracts() []*study.Contracts {
	var list []*study.Contracts
	for _, name := range deermemtui.Protocols() {
		location, err := (&protocolFlags{protocol: name}).location()
		if err != nil {
			continue
		}
		if contracts, err := study.LoadContracts(location, nil); err == nil {
			list = append(list, contracts)
		}
	}
	return list
}

// shipped tells whether the protocol is one of the binary's own.
func (f *protocolFlags) shipped() bool {
	return f.dir == "" && f.config == "" && f.official == "" && f.synthetic == ""
}

// source finds the dataset: the flag, the sample's own, or the variable.
func (f *protocolFlags) source() (study.Dataset, error) {
	if f.dataset != "" {
		return study.DatasetFile(f.dataset), nil
	}
	if f.shipped() {
		if shipped, ok := deermemtui.Protocol(f.name()); ok && shipped.Dataset != "" {
			return study.EmbeddedDataset(deermemtui.Files, shipped.Dataset), nil
		}
	}
	if path := os.Getenv(datasetVariable); path != "" {
		return study.DatasetFile(path), nil
	}
	return study.Dataset{}, usageError{fmt.Errorf("no dataset: give --dataset FILE or set %s to the pinned longmemeval file", datasetVariable)}
}

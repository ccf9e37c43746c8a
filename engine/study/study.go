package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/plainfile"
	"deermem-tui/engine/stats"
	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pools"
)

// Study is a protocol with its dataset: every case and its pool. Read-only.
type Study struct {
	*Contracts
	DatasetPath string
	Rows        int // rows of the dataset
	Pools       *pools.Pools
	Policies    [2]eviction.Policy // confidence, hybrid-v1
}

// BootstrapOptions gives the pinned parameters of the bootstrap.
func (c *Contracts) BootstrapOptions() stats.BootstrapOptions {
	pinned := c.Config.Statistics
	return stats.BootstrapOptions{Seed: pinned.BootstrapSeed, Iterations: pinned.BootstrapIterations, Alpha: pinned.Alpha}
}

// maxDatasetBytes is more than any dataset and less than a file of holes may
// claim to be.
const maxDatasetBytes = 16 << 30

// Dataset says where a dataset's bytes come from.
type Dataset struct {
	Path  string // as messages show it
	files fs.FS
}

// DatasetFile is a dataset on disk.
func DatasetFile(path string) Dataset { return Dataset{Path: path} }

// EmbeddedDataset is a dataset inside the binary.
func EmbeddedDataset(files fs.FS, path string) Dataset { return Dataset{Path: path, files: files} }

// Given tells whether a dataset was named at all.
func (d Dataset) Given() bool { return d.Path != "" }

// Embedded tells whether the dataset is inside the binary.
func (d Dataset) Embedded() bool { return d.files != nil }

func (d Dataset) read() ([]byte, error) {
	if d.files != nil {
		return fs.ReadFile(d.files, d.Path)
	}
	return plainfile.Read(d.Path, maxDatasetBytes)
}

// Open reads the dataset, makes DatasetChecks and builds the pools. The
// dataset is parsed while it is hashed, but nothing of it is used before its
// hash is the pinned one. The error is a *FileError, or the context's.
func (c *Contracts) Open(ctx context.Context, d Dataset, report func(Check)) (*Study, error) {
	list := newChecklist(DatasetChecks(), report)
	pinned := c.Config.Dataset.SHA256
	data, err := d.read()
	if err != nil {
		return nil, list.fail(pinned, &FileError{d.Path, fmt.Errorf("cannot be read: %w", plain(err))})
	}
	found, rows, scanErr := hashAndScan(data)
	if err := ctx.Err(); err != nil {
		list.skip()
		return nil, err
	}
	if found != pinned {
		return nil, list.fail(pinned, &FileError{d.Path, c.wrongHash(found, scanErr)})
	}
	list.pass(pinned, found)
	if scanErr != nil {
		return nil, list.fail("a JSON array of rows with unique question_id", &FileError{d.Path, scanErr})
	}
	list.pass("a JSON array of rows with unique question_id", fmt.Sprintf("%d rows", len(rows)))

	s := &Study{Contracts: c, DatasetPath: d.Path, Rows: len(rows)}
	s.Policies[0], s.Policies[1] = eviction.FromConfig(c.Config)
	if s.Pools, err = pools.Build(c.Config, c.Official, c.Synthetic, rows); err != nil {
		return nil, failPools(list, d.Path, c.Location.Official, err)
	}
	list.pass("the manifest's cases, in order", fmt.Sprintf("%d cases", officialCases(c.Official)))
	list.pass(fmt.Sprintf("%d records", c.Config.Pool.DistractorBankSize), fmt.Sprintf("%d records", len(s.Pools.Bank)))
	list.pass(fmt.Sprintf("%d facts a case", c.Config.Pool.Size), fmt.Sprintf("%d cases of %d facts", len(s.Pools.Cases), c.Config.Pool.Size))
	return s, nil
}

// hashAndScan hashes and parses data at once, on two cores where there are two.
func hashAndScan(data []byte) (hash string, rows []dataset.Row, err error) {
	var wait sync.WaitGroup
	wait.Go(func() { hash = identity.Hash(data) })
	rows, err = dataset.Scan(data)
	wait.Wait()
	return hash, rows, err
}

// wrongHash says that the dataset is not the pinned one and, where its text is
// broken too, where: a cut download is the common cause.
func (c *Contracts) wrongHash(found string, scanErr error) error {
	pin := c.Config.Dataset
	wrong := &PinError{What: "SHA-256", Found: found, Expected: pin.SHA256, PinnedBy: "the protocol",
		Advice: fmt.Sprintf("get %s of %s at revision %s again", pin.Filename, pin.Repository, pin.Revision)}
	if scanErr != nil {
		return fmt.Errorf("%w (the file is also broken: %v)", wrong, scanErr)
	}
	return wrong
}

// failPools puts an error of pools.Build under the check it belongs to.
func failPools(list *checklist, datasetPath, manifestPath string, err error) error {
	var notListed *pools.ManifestError
	var bank *pools.BankError
	switch {
	case errors.As(err, &bank):
		list.pass("the manifest's cases, in order", "the manifest's cases, in order")
		return list.fail(fmt.Sprintf("%d records", bank.Needed), &FileError{datasetPath, err})
	case errors.As(err, &notListed):
		return list.fail("the manifest's cases, in order", &FileError{manifestPath, err})
	}
	return list.fail("the manifest's cases, in order", &FileError{datasetPath, err})
}

// plain takes the path out of a file error, since the message names it already.
func plain(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		if errors.Is(err, os.ErrNotExist) {
			return errors.New("there is no such file; check the path")
		}
		return pathErr.Err
	}
	return err
}

// SkipDataset reports the checks of the dataset as not run.
func SkipDataset(report func(Check)) { newChecklist(DatasetChecks(), report).skip() }

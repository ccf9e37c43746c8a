// This file picks the rows that distractors are made of.

package pools

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"deermem-tui/protocol/config"
	"deermem-tui/protocol/dataset"
)

// Record is one entry of the distractor bank.
type Record struct {
	RowID    string
	Type     string // question_type of its row
	Evidence string
}

// BankError is a dataset with too few rows for the distractor bank.
type BankError struct{ Needed, Found int }

func (e *BankError) Error() string {
	return fmt.Sprintf("pool.distractor_bank_size: the bank needs %d rows, the dataset has %d that fit the types and evidence bounds", e.Needed, e.Found)
}

// NewBank gives the ring of distractors that every case draws from: the rows
// of the allowed types whose evidence length is in bounds, sorted by ID, the
// first DistractorBankSize of them. The error is a *BankError or, for a
// malformed row of these types, a *dataset.RowError.
func NewBank(p config.Pool, rows []dataset.Row) ([]Record, error) {
	var bank []Record
	for _, row := range dataset.ByID(rows, p.DistractorTypes...) {
		if err := row.Check(); err != nil {
			return nil, err
		}
		if len(bank) == p.DistractorBankSize {
			continue // the rest is only checked
		}
		text, err := row.Evidence()
		if err != nil {
			return nil, err
		}
		if n := utf8.RuneCountInString(text); n < p.DistractorMinEvidence || n > p.DistractorMaxEvidence {
			continue
		}
		bank = append(bank, Record{RowID: row.ID, Type: row.Type, Evidence: text})
	}
	if len(bank) < p.DistractorBankSize {
		return nil, &BankError{Needed: p.DistractorBankSize, Found: len(bank)}
	}
	return bank, nil
}

// Offset gives where in a bank of the given size, at least 1, a case's
// distractors begin: the first four bytes, big-endian, of the SHA-256 of
// `{namespace}:{case}`, modulo the size.
func Offset(namespace, caseID string, size int) int {
	sum := sha256.Sum256([]byte(namespace + ":" + caseID))
	return int(uint64(binary.BigEndian.Uint32(sum[:4])) % uint64(size))
}

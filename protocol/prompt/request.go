// This file holds the request a prompt becomes.

package prompt

// Request is one question as it goes over the wire.
type Request struct {
	Payload     []byte // canonical JSON of the body: keys sorted, `, ` and `: `
	Fingerprint string // SHA-256 of Payload, lower-case hex
}

package wire

// A Revision is a revision of the protocol. The set is closed and ordered by
// age (V-01).
type Revision uint8

// The revisions. The zero Revision is none.
const (
	V20250618 Revision = iota + 1
	V20251125
	V20260728
)

var revisionNames = [...]string{"none", "2025-06-18", "2025-11-25", "2026-07-28"}

// String returns the revision's name on the wire.
func (r Revision) String() string {
	if int(r) < len(revisionNames) {
		return revisionNames[r]
	}
	return revisionNames[0]
}

// ParseRevision returns the revision with that exact name.
func ParseRevision(name string) (Revision, bool) {
	for r := V20260728; r >= V20250618; r-- {
		if revisionNames[r] == name {
			return r, true
		}
	}
	return 0, false
}

// A RevisionSet is a set of revisions.
type RevisionSet uint8

// With returns the set with r in it.
func (s RevisionSet) With(r Revision) RevisionSet { return s | 1<<r }

// Has reports whether r is in the set.
func (s RevisionSet) Has(r Revision) bool { return r != 0 && s&(1<<r) != 0 }

// AppendJSON appends the names as an array, newest first (decision 4).
func (s RevisionSet) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for r := V20260728; r >= V20250618; r-- {
		if !s.Has(r) {
			continue
		}
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), r.String()...), '"')
	}
	return append(dst, ']')
}

// SupportedData is the data of a refused initialize: {"supported":[…]}
// (decision 22).
func SupportedData(served RevisionSet) []byte {
	return append(served.AppendJSON([]byte(`{"supported":`)), '}')
}

// UnsupportedVersionData is the data of an unsupported version: what is served
// and what was asked for, verbatim when it is 1 to 64 characters of
// [A-Za-z0-9._-], else empty (decisions 4, 30; V-19).
func UnsupportedVersionData(served RevisionSet, requested []byte) []byte {
	data := append(served.AppendJSON([]byte(`{"supported":`)), `,"requested":"`...)
	if VersionShaped(requested) {
		data = append(data, requested...)
	}
	return append(data, `"}`...)
}

// VersionShaped reports whether bytes could be the name of a revision: 1 to 64
// characters of [A-Za-z0-9._-].
func VersionShaped(name []byte) bool {
	if len(name) == 0 || len(name) > 64 {
		return false
	}
	for _, c := range name {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

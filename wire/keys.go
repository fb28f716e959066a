package wire

import (
	"hash/maphash"
	"unicode/utf8"
)

// keySets finds duplicate keys in all the objects that are open at a time. The
// keys of an object lie behind those of the objects around it. A few keys are
// compared one by one; more of them go to a hash table that all the objects
// share, whose seed no client knows. Keys leave the table in the reverse order
// of their arrival, so that emptying their slots breaks no chain of probes.
type keySets struct {
	entries []keyEntry
	table   []int32 // 1 + index in entries, 0 is free; its length is a power of two
	indexed int     // how many entries are in the table
}

// A keyEntry is the key of an open object, with its quotes.
type keyEntry struct {
	start, end int32
	hash       uint32 // 0 while it is not in the table
	escaped    bool
}

func (e *keyEntry) inner(doc []byte) []byte { return doc[e.start+1 : e.end-1] }

// A keySet is the keys of one object.
type keySet struct {
	first int    // of its entries
	marks uint64 // of its keys, see mark; keys without a common mark differ
}

const (
	// fewKeys is how many keys of an object are compared one by one.
	fewKeys = 16
	// What a scanner keeps for the next document, so that a hostile one does
	// not make it hold megabytes for ever.
	keptEntries = 1024
	keptTable   = 4096
	firstTable  = 128
)

var keySeed = maphash.MakeSeed()

// open begins an object.
func (k *keySets) open() keySet { return keySet{first: len(k.entries)} }

// close forgets the keys of the innermost object.
func (k *keySets) close(set *keySet) {
	if len(k.entries)-set.first > fewKeys {
		mask := uint32(len(k.table) - 1)
		for i := len(k.entries) - 1; i >= set.first; i-- {
			at := k.entries[i].hash & mask
			for k.table[at] != int32(i+1) {
				at = (at + 1) & mask
			}
			k.table[at] = 0
		}
		k.indexed -= len(k.entries) - set.first
	}
	k.entries = k.entries[:set.first]
}

// release forgets everything, after a document.
func (k *keySets) release() {
	k.entries = k.entries[:0]
	if cap(k.entries) > keptEntries {
		k.entries = nil
	}
	if len(k.table) > keptTable {
		k.table = nil
	} else if k.indexed > 0 { // the document was refused inside an object
		clear(k.table)
	}
	k.indexed = 0
}

// add adds a key to the innermost object; false if it is there.
func (k *keySets) add(doc []byte, set *keySet, key Value) bool {
	entry := keyEntry{start: key.Span.Start, end: key.Span.End, escaped: key.Escaped}
	if len(k.entries)-set.first >= fewKeys {
		return k.addIndexed(doc, set, entry)
	}
	m := ^uint64(0)
	if !entry.escaped {
		m = mark(entry.inner(doc))
	}
	if set.marks&m != 0 {
		for i := set.first; i < len(k.entries); i++ {
			if entry.equals(doc, &k.entries[i]) {
				return false
			}
		}
	}
	set.marks |= m
	k.push(entry)
	return true
}

// push is append, written so that the compiler sees that nothing of k escapes
// and leaves the room of a short-lived scanner on the stack.
func (k *keySets) push(entry keyEntry) {
	n := len(k.entries)
	if n == cap(k.entries) {
		grown := make([]keyEntry, n, max(64, n*2))
		copy(grown, k.entries)
		k.entries = grown
	}
	k.entries = k.entries[:n+1]
	k.entries[n] = entry
}

// mark returns one bit for a key without escapes.
func mark(inner []byte) uint64 {
	n := len(inner)
	if n == 0 {
		return 1
	}
	return 1 << ((uint(inner[0]) + uint(inner[n-1])*5 + uint(n)*11) & 63)
}

func (k *keySets) addIndexed(doc []byte, set *keySet, entry keyEntry) bool {
	if len(k.entries)-set.first == fewKeys {
		for i := set.first; i < len(k.entries); i++ {
			k.entries[i].rehash(doc, set.first)
			k.room()
			k.put(i)
		}
	}
	entry.rehash(doc, set.first)
	k.room()
	mask := uint32(len(k.table) - 1)
	at := entry.hash & mask
	for ; k.table[at] != 0; at = (at + 1) & mask {
		i := int(k.table[at]) - 1
		if i >= set.first && k.entries[i].hash == entry.hash && entry.equals(doc, &k.entries[i]) {
			return false
		}
	}
	k.push(entry)
	k.table[at] = int32(len(k.entries))
	k.indexed++
	return true
}

// put puts an entry into the table, where it is not.
func (k *keySets) put(i int) {
	mask := uint32(len(k.table) - 1)
	at := k.entries[i].hash & mask
	for k.table[at] != 0 {
		at = (at + 1) & mask
	}
	k.table[at] = int32(i + 1)
	k.indexed++
}

// room makes the table large enough for one more key, at most half full.
func (k *keySets) room() {
	if (k.indexed+1)*2 <= len(k.table) {
		return
	}
	k.table = make([]int32, max(firstTable, len(k.table)*2))
	indexed := k.indexed
	k.indexed = 0
	for i := 0; k.indexed < indexed; i++ {
		if k.entries[i].hash != 0 {
			k.put(i)
		}
	}
}

// rehash sets the hash of an entry of an object whose entries begin at first.
func (e *keyEntry) rehash(doc []byte, first int) {
	var h uint64
	if inner := e.inner(doc); !e.escaped {
		h = maphash.Bytes(keySeed, inner)
	} else {
		var hash maphash.Hash
		var room [utf8.UTFMax]byte
		hash.SetSeed(keySeed)
		for len(inner) > 0 {
			n, text := nextText(inner, &room)
			hash.Write(text)
			inner = inner[n:]
		}
		h = hash.Sum64()
	}
	e.hash = uint32(h) ^ uint32(first)*0x9E3779B1 | 1<<31
}

// equals reports whether two keys are the same text.
func (e *keyEntry) equals(doc []byte, other *keyEntry) bool {
	a, b := e.inner(doc), other.inner(doc)
	if !e.escaped && !other.escaped {
		return string(a) == string(b)
	}
	return equalText(a, b)
}

// equalText compares the texts of two strings without making them.
func equalText(a, b []byte) bool {
	var roomA, roomB [utf8.UTFMax]byte
	var textA, textB []byte
	for {
		if len(textA) == 0 && len(a) > 0 {
			var n int
			n, textA = nextText(a, &roomA)
			a = a[n:]
		}
		if len(textB) == 0 && len(b) > 0 {
			var n int
			n, textB = nextText(b, &roomB)
			b = b[n:]
		}
		n := min(len(textA), len(textB))
		if n == 0 {
			return len(textA) == len(textB)
		}
		if string(textA[:n]) != string(textB[:n]) {
			return false
		}
		textA, textB = textA[n:], textB[n:]
	}
}

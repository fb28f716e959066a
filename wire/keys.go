package wire

import "hash/maphash"

// keySets finds duplicate keys in all the objects that are open at a time. The
// keys of an object lie behind those of the objects around it. A few keys are
// compared one by one; more of them get a hash table, whose seed no client
// knows.
type keySets struct {
	keys    []keyEntry
	table   []int32 // 1 + index in keys, open addressing; serves one object at a time
	owner   int     // first key of the object that the table serves, -1 for none
	indexed int     // keys below this index are in the table
	room    [64]keyEntry
}

type keyEntry struct {
	key  Value
	hash uint64
}

// fewKeys is how many keys of an object are compared one by one.
const fewKeys = 16

// Kept scratch of a scanner, so that a hostile document does not make it hold
// megabytes for ever.
const keptKeys = 1024

var keySeed = maphash.MakeSeed()

// open begins an object and returns where its keys begin.
func (k *keySets) open() int {
	if k.keys == nil {
		k.keys, k.owner = k.room[:0], -1
	}
	return len(k.keys)
}

// close forgets the keys of the innermost object.
func (k *keySets) close(set int) {
	k.keys = k.keys[:set]
	if k.owner >= set {
		k.owner = -1
	}
}

func (k *keySets) release() {
	if cap(k.keys) > keptKeys {
		k.keys, k.table = nil, nil
	} else {
		k.keys = k.keys[:0]
	}
	k.owner = -1
}

// add adds a key to the innermost object; false if it is there.
func (k *keySets) add(doc []byte, set int, key Value) bool {
	n := len(k.keys) - set
	if n < fewKeys {
		size := key.Span.End - key.Span.Start
		for i := set; i < len(k.keys); i++ {
			other := k.keys[i].key
			if !key.Escaped && !other.Escaped && other.Span.End-other.Span.Start != size {
				continue
			}
			if sameKey(doc, key, other) {
				return false
			}
		}
		k.keys = append(k.keys, keyEntry{key: key})
		return true
	}
	if k.owner != set || (len(k.keys)-set)*2 >= len(k.table) {
		k.index(doc, set)
	}
	entry := keyEntry{key, hashKey(doc, key)}
	mask := uint64(len(k.table) - 1)
	at := entry.hash & mask
	for ; k.table[at] != 0; at = (at + 1) & mask {
		other := k.keys[k.table[at]-1]
		if other.hash == entry.hash && sameKey(doc, key, other.key) {
			return false
		}
	}
	k.keys = append(k.keys, entry)
	k.table[at] = int32(len(k.keys))
	return true
}

// index fills the table with the keys of an object.
func (k *keySets) index(doc []byte, set int) {
	size := 64
	for size < (len(k.keys)-set)*4 {
		size *= 2
	}
	if cap(k.table) >= size {
		k.table = k.table[:size]
		clear(k.table)
	} else {
		k.table = make([]int32, size)
	}
	mask := uint64(size - 1)
	for i := set; i < len(k.keys); i++ {
		if k.keys[i].hash == 0 {
			k.keys[i].hash = hashKey(doc, k.keys[i].key)
		}
		at := k.keys[i].hash & mask
		for k.table[at] != 0 {
			at = (at + 1) & mask
		}
		k.table[at] = int32(i + 1)
	}
	k.owner = set
}

func sameKey(doc []byte, a, b Value) bool {
	if !a.Escaped && !b.Escaped {
		return string(doc[a.Span.Start:a.Span.End]) == string(doc[b.Span.Start:b.Span.End])
	}
	return string(a.Text(doc)) == string(b.Text(doc))
}

func hashKey(doc []byte, key Value) uint64 {
	return maphash.Bytes(keySeed, key.Text(doc))
}

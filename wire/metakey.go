package wire

import "bytes"

// ValidMetaKey reports whether a key of _meta follows the grammar of spec
// section 5: an optional prefix of dot-separated labels and a slash, then a
// name.
func ValidMetaKey(key []byte) bool {
	prefix, name, prefixed := bytes.Cut(key, []byte{'/'})
	if !prefixed {
		return validName(key)
	}
	return validPrefix(prefix) && validName(name)
}

// ValidExtensionID reports whether an extension's identifier follows the same
// grammar, in which its prefix is mandatory.
func ValidExtensionID(id []byte) bool { return bytes.IndexByte(id, '/') > 0 && ValidMetaKey(id) }

func validPrefix(prefix []byte) bool {
	for {
		label, rest, more := bytes.Cut(prefix, []byte{'.'})
		if !validLabel(label) {
			return false
		}
		if !more {
			return true
		}
		prefix = rest
	}
}

func validLabel(label []byte) bool {
	if len(label) == 0 || !letter(label[0]) || !alphanumeric(label[len(label)-1]) {
		return false
	}
	for _, c := range label {
		if !alphanumeric(c) && c != '-' {
			return false
		}
	}
	return true
}

func validName(name []byte) bool {
	if len(name) == 0 {
		return true
	}
	if !alphanumeric(name[0]) || !alphanumeric(name[len(name)-1]) {
		return false
	}
	for _, c := range name {
		if !alphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func alphanumeric(c byte) bool { return letter(c) || c >= '0' && c <= '9' }

package front

// targetByte holds the bytes that stand for themselves in a path or query
// (RFC 3986 sections 3.3 and 3.4); '%' starts an escape.
var targetByte = byteSet("/?:@!$&'()*+,;=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

// originForm reports whether a request target is an absolute path with an
// optional query, as RFC 9112 section 3.2.1 writes it. Absolute-form,
// authority-form, "*", fragments, raw non-ASCII and malformed escapes are not
// (decision 64).
func originForm(target []byte) bool {
	if len(target) == 0 || target[0] != '/' {
		return false
	}
	for i := 0; i < len(target); i++ {
		c := target[i]
		if targetByte[c] {
			continue
		}
		if c != '%' || i+2 >= len(target) || !hexByte(target[i+1]) || !hexByte(target[i+2]) {
			return false
		}
		i += 2
	}
	return true
}

func hexByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

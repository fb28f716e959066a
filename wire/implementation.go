package wire

// An Implementation names a client or a server (spec section 14).
type Implementation struct {
	Name    string
	Version string
	// Title is the name to show. Optional.
	Title string
	// Description says what it is. Optional.
	Description string
	// WebsiteURL leads to more about it. Optional.
	WebsiteURL string
	// Icons to show. Optional.
	Icons []Icon
}

// AppendImplementation appends an Implementation as JSON.
func AppendImplementation(dst []byte, i *Implementation) []byte {
	dst = AppendString(append(dst, `{"name":`...), i.Name)
	dst = AppendString(append(dst, `,"version":`...), i.Version)
	dst = appendOptional(dst, "title", i.Title)
	dst = appendOptional(dst, "description", i.Description)
	dst = appendOptional(dst, "websiteUrl", i.WebsiteURL)
	return append(appendIcons(dst, i.Icons), '}')
}

// appendDocument appends a member with valid JSON after a comma, on one line;
// it is left out when it is empty.
func appendDocument(dst []byte, name string, raw []byte) []byte {
	if len(raw) == 0 {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return AppendCompact(dst, raw)
}

// appendOptional appends a member with a text after a comma; it is left out
// when it is empty.
func appendOptional(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return AppendString(dst, value)
}

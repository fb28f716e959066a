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
}

// AppendImplementation appends an Implementation as JSON.
func AppendImplementation(dst []byte, i *Implementation) []byte {
	dst = AppendString(append(dst, `{"name":`...), i.Name)
	dst = AppendString(append(dst, `,"version":`...), i.Version)
	dst = appendOptional(dst, "title", i.Title)
	dst = appendOptional(dst, "description", i.Description)
	dst = appendOptional(dst, "websiteUrl", i.WebsiteURL)
	return append(dst, '}')
}

func appendOptional(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return AppendString(dst, value)
}

package wire

// An Icon is a picture to show (spec section 14).
type Icon struct {
	Source   string   // an https or data URI
	MIMEType string   // optional
	Sizes    []string // such as 48x48, or any; optional
	Theme    string   // light or dark; optional
}

// appendIcons appends icons as a member, after a comma, if there are any.
// 2025-06-18 knows none.
func (p *Projection) appendIcons(dst []byte, icons []Icon) []byte {
	if len(icons) == 0 || p.Revision == V20250618 {
		return dst
	}
	dst = append(dst, `,"icons":[`...)
	for i := range icons {
		if i > 0 {
			dst = append(dst, ',')
		}
		icon := &icons[i]
		dst = AppendString(append(dst, `{"src":`...), icon.Source)
		dst = appendOptional(dst, "mimeType", icon.MIMEType)
		if len(icon.Sizes) > 0 {
			dst = append(dst, `,"sizes":[`...)
			for j, size := range icon.Sizes {
				if j > 0 {
					dst = append(dst, ',')
				}
				dst = AppendString(dst, size)
			}
			dst = append(dst, ']')
		}
		dst = append(appendOptional(dst, "theme", icon.Theme), '}')
	}
	return append(dst, ']')
}

package wire

// An Icon is a picture to show for something (spec section 14). 2025-06-18 has
// none: there, icons are left out.
type Icon struct {
	// Source is an https or data URI.
	Source string
	// MIMEType is that of the picture, where the source does not tell. Optional.
	MIMEType string
	// Sizes are those it is made for, such as "48x48" or "any". Optional.
	Sizes []string
	// Theme is "light" or "dark", for the background it is made for. Empty fits
	// both.
	Theme string
}

// appendIcons appends icons as a member after a comma, where there are any and
// the revision has them.
func (p *Projection) appendIcons(dst []byte, icons []Icon) []byte {
	if p.Revision < V20251125 {
		return dst
	}
	return appendIcons(dst, icons)
}

func appendIcons(dst []byte, icons []Icon) []byte {
	if len(icons) == 0 {
		return dst
	}
	dst = append(dst, `,"icons":[`...)
	for i := range icons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendIcon(dst, &icons[i])
	}
	return append(dst, ']')
}

func appendIcon(dst []byte, icon *Icon) []byte {
	dst = AppendString(append(dst, `{"src":`...), icon.Source)
	dst = appendOptional(dst, "mimeType", icon.MIMEType)
	for i, size := range icon.Sizes {
		if i == 0 {
			dst = append(dst, `,"sizes":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, size)
	}
	if len(icon.Sizes) > 0 {
		dst = append(dst, ']')
	}
	return append(appendOptional(dst, "theme", icon.Theme), '}')
}

func (t *tally) icons(icons []Icon) {
	if len(icons) == 0 {
		return
	}
	t.add(2, len(`,"icons":[]`))
	for i := range icons {
		icon := &icons[i]
		t.add(1, len(`{},`))
		t.needed("src", icon.Source)
		t.optional("mimeType", icon.MIMEType)
		if len(icon.Sizes) > 0 {
			t.add(2+len(icon.Sizes), len(`,"sizes":[]`)+len(icon.Sizes)*len(`"",`))
		}
		for _, size := range icon.Sizes {
			t.text(size)
		}
		t.optional("theme", icon.Theme)
		if icon.Theme != "" && icon.Theme != "light" && icon.Theme != "dark" {
			t.fail(errTheme)
		}
		if t.err != nil {
			return
		}
	}
}

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
)

// The two flags that are not settings. The file cannot name itself, and
// printing is something to ask for by hand.
const (
	flagConfig = "config"
	flagPrint  = "print-config"
	envPrefix  = "TROUPE_"
)

// A configuration is the effective settings and where each came from.
type configuration struct {
	settings
	print bool
	texts []text // in the order of options
}

// A text is a value as it was written, and where.
type text struct {
	value  string
	source string // for people: flag, environment TROUPE_SLOTS, file troupe.yaml, default
}

// flagValue is a flag whose text is kept as written: all layers are parsed in one
// place, by the option's set.
type flagValue struct{ text, kind string }

func (v *flagValue) String() string        { return v.text }
func (v *flagValue) Type() string          { return v.kind }
func (v *flagValue) Set(text string) error { v.text = text; return nil }

func declareFlags(flags *pflag.FlagSet) {
	flags.SortFlags = false
	for _, o := range options {
		flags.Var(&flagValue{o.byDefault, o.kind}, o.name, o.help)
	}
	flags.Var(&flagValue{"", "file"}, flagConfig, "YAML file with settings; its keys are the names of flags")
	flags.Bool(flagPrint, false, "print the effective settings with their sources, and exit")
}

// A layer is one place that settings come from.
type layer struct {
	*koanf.Koanf
	source func(key string) string // as in text.source
	place  func(key string) string // names a value in an error
}

// loadConfiguration reads flags over environment over file over defaults. Its error joins
// every fault, a line each.
func loadConfiguration(flags *pflag.FlagSet, environ []string) (*configuration, error) {
	var faults []error
	fromFlags, err := flagLayer(flags)
	faults = append(faults, err)
	fromEnv, err := environmentLayer(environ)
	faults = append(faults, err)
	layers := []layer{fromFlags, fromEnv}
	for _, l := range layers {
		if !l.Exists(flagConfig) {
			continue
		}
		fromFile, err := fileLayer(l.String(flagConfig), l.place(flagConfig))
		faults = append(faults, err)
		layers = append(layers, fromFile)
		break
	}
	c := &configuration{print: fromFlags.Bool(flagPrint)}
	for _, o := range options {
		t, err := c.apply(o, layers)
		c.texts = append(c.texts, t)
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return c, c.contradictions()
}

// apply sets an option from the first layer that has it.
func (c *configuration) apply(o option, layers []layer) (text, error) {
	for _, l := range layers {
		if !l.Exists(o.name) {
			continue
		}
		value, err := scalar(l.Get(o.name))
		if err == nil {
			err = o.set(&c.settings, value)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", l.place(o.name), err)
		}
		return text{value, l.source(o.name)}, err
	}
	if err := o.set(&c.settings, o.byDefault); err != nil {
		return text{}, fmt.Errorf("default of %s: %w", o.name, err)
	}
	return text{o.byDefault, "default"}, nil
}

func known(key string) bool {
	return slices.ContainsFunc(options, func(o option) bool { return o.name == key })
}

func flagLayer(flags *pflag.FlagSet) (layer, error) {
	l := layer{
		Koanf:  koanf.New("."),
		source: func(string) string { return "flag" },
		place:  func(key string) string { return "--" + key },
	}
	set := func(f *pflag.Flag) (string, any) {
		if !f.Changed {
			return "", nil
		}
		return f.Name, f.Value.String()
	}
	return l, l.Load(posflag.ProviderWithFlag(flags, ".", nil, set), nil)
}

func variable(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// serviceVariable matches what Kubernetes puts into the environment of every
// container for a service whose name starts with troupe. They are not ours.
var serviceVariable = regexp.MustCompile(`^TROUPE_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

func environmentLayer(environ []string) (layer, error) {
	l := layer{
		Koanf:  koanf.New("."),
		source: func(key string) string { return "environment " + variable(key) },
		place:  variable,
	}
	keys := map[string]string{variable(flagConfig): flagConfig}
	for _, o := range options {
		keys[variable(o.name)] = o.name
	}
	var unknown []string
	transform := func(name, value string) (string, any) {
		key, ok := keys[name]
		if !ok && !serviceVariable.MatchString(name) {
			unknown = append(unknown, name)
		}
		return key, value
	}
	err := l.Load(env.Provider(".", env.Opt{
		Prefix: envPrefix, TransformFunc: transform, EnvironFunc: func() []string { return environ },
	}), nil)
	slices.Sort(unknown)
	faults := []error{err}
	for _, name := range unknown {
		faults = append(faults, fmt.Errorf("unknown environment variable %s", name))
	}
	return l, errors.Join(faults...)
}

// fileLayer reads the file that was named at a place. Where that fails, the
// layer is empty.
func fileLayer(path, place string) (layer, error) {
	l := layer{
		Koanf:  koanf.New("."),
		source: func(string) string { return "file " + path },
		place:  func(key string) string { return key + " in " + path },
	}
	if path == "" {
		return l, fmt.Errorf("%s: no file is named", place)
	}
	if err := l.Load(file.Provider(path), yaml.Parser()); err != nil {
		if pathError := (*os.PathError)(nil); errors.As(err, &pathError) {
			return l, fmt.Errorf("%s: %w", place, err)
		}
		return l, fmt.Errorf("%s: %s: %s", place, path, strings.Join(strings.Fields(err.Error()), " "))
	}
	var faults []error
	for _, key := range l.Keys() {
		switch {
		case key == flagConfig || key == flagPrint:
			faults = append(faults, fmt.Errorf("%s: not in a file, on the command line only", l.place(key)))
		case known(strings.SplitN(key, ".", 2)[0]): // a mapping for a value is found later
		default:
			faults = append(faults, fmt.Errorf("unknown key %s", l.place(key)))
		}
	}
	return l, errors.Join(faults...)
}

// scalar returns a value of a layer the way a flag would spell it. A list is
// spelled with commas; YAML takes 2026-07-28 for a date, which it is not here.
func scalar(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case int, int64, uint64, float64, bool:
		return fmt.Sprint(v), nil
	case time.Time:
		return v.Format(time.DateOnly), nil
	case []any:
		parts := make([]string, len(v))
		for i, part := range v {
			if _, nested := part.([]any); nested {
				return "", errors.New("is a list of lists")
			}
			text, err := scalar(part)
			if err != nil {
				return "", err
			}
			parts[i] = text
		}
		return strings.Join(parts, ","), nil
	case nil:
		return "", errors.New("has no value")
	default:
		return "", errors.New("is not a single value")
	}
}

// plainScalar matches what YAML reads as the string that it is, or as something
// that scalar turns back into it.
var plainScalar = regexp.MustCompile(`^[A-Za-z0-9/._][A-Za-z0-9/._,-]*(:[A-Za-z0-9/._,-]+)*$`)

// write prints the settings as a YAML file with the sources as comments.
func (c *configuration) write(w io.Writer) error {
	lines := make([]string, len(options))
	width := 0
	for i, o := range options {
		value := c.texts[i].value
		if !plainScalar.MatchString(value) {
			value = fmt.Sprintf("%q", value)
		}
		lines[i] = o.name + ": " + value
		width = max(width, len(lines[i]))
	}
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%-*s  # %s\n", width, line, c.texts[i].source)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

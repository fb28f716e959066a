package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Every fault is one clear line on stderr and status 2, and nothing listens:
// what had listened would have logged it, on stderr too.
func TestConfigurationErrors(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		args   []string
		env    []string
		file   string // content; FILE in stderr stands for its path
		stderr string
	}{
		{name: "unknown variable", env: []string{"TROUPE_SLOT=8"}, stderr: "unknown environment variable TROUPE_SLOT"},
		{name: "variable in lower case", env: []string{"TROUPE_slots=8"}, stderr: "unknown environment variable TROUPE_slots"},
		{name: "variable of a flag for hands", env: []string{"TROUPE_PRINT_CONFIG=true"}, stderr: "unknown environment variable TROUPE_PRINT_CONFIG"},
		{name: "bad variable", env: []string{"TROUPE_SLOTS=many"}, stderr: `TROUPE_SLOTS: "many" is not a whole number`},
		{name: "empty variable", env: []string{"TROUPE_SLOTS="}, stderr: `TROUPE_SLOTS: "" is not a whole number`},
		{name: "empty file name", env: []string{"TROUPE_CONFIG="}, stderr: "TROUPE_CONFIG: no file is named"},
		{name: "missing file", args: []string{"--config", "testdata/absent.yaml"}, stderr: "--config: open testdata/absent.yaml: no such file or directory"},
		{name: "unknown key", file: "slots: 1\nslot: 2\n", stderr: "unknown key slot in FILE"},
		{name: "unknown nested key", file: "limits:\n  slots: 2\n", stderr: "unknown key limits.slots in FILE"},
		{name: "nested key", file: "slots:\n  most: 2\n", stderr: "slots in FILE: is not a single value"},
		{name: "file in a file", file: "config: other.yaml\n", stderr: "config in FILE: not in a file, on the command line only"},
		{name: "printing from a file", file: "print-config: true\n", stderr: "print-config in FILE: not in a file, on the command line only"},
		{name: "key twice", file: "slots: 1\nslots: 2\n", stderr: `--config: FILE: yaml: unmarshal errors: line 2: mapping key "slots" already defined at line 1`},
		{name: "not YAML", file: "slots: [", stderr: "--config: FILE: yaml: line 1: did not find expected node content"},
		{name: "no mapping", file: "- slots\n", stderr: "--config: FILE: yaml: unmarshal errors: line 1: cannot unmarshal !!seq into map[string]interface {}"},
		{name: "bad value in a file", file: "slots: 1.5\n", stderr: `slots in FILE: "1.5" is not a whole number`},
		{name: "null in a file", file: "slots:\n", stderr: "slots in FILE: has no value"},
		{name: "empty mapping in a file", file: "slots: {}\n", stderr: "slots in FILE: is not a single value"},
		{name: "list for a number", file: "slots: [1, 2]\n", stderr: `slots in FILE: "1,2" is not a whole number`},
		{name: "list of lists", file: "versions: [[2026-07-28]]\n", stderr: "versions in FILE: is a list of lists"},
		{name: "list of mappings", file: "versions: [{a: 1}]\n", stderr: "versions in FILE: is not a single value"},

		{name: "listen without a port", args: []string{"--listen", "127.0.0.1"}, stderr: `--listen: "127.0.0.1" is not HOST:PORT`},
		{name: "listen on a bad port", args: []string{"--listen", "127.0.0.1:65536"}, stderr: `--listen: "65536" is not a port between 0 and 65535`},
		{name: "listen on a named port", args: []string{"--listen", "127.0.0.1:http"}, stderr: `--listen: "http" is not a port between 0 and 65535`},
		// T-03
		{name: "listen for all", args: []string{"--listen", ":8080"}, stderr: `--listen: "" is not a loopback address, and this release serves no others`},
		{name: "listen for others", args: []string{"--listen", "192.0.2.1:8080"}, stderr: `--listen: "192.0.2.1" is not a loopback address, and this release serves no others`},
		{name: "admin for others", args: []string{"--admin", "0.0.0.0:0"}, stderr: `--admin: "0.0.0.0" is not a loopback address, and this release serves no others`},
		{name: "both on one address", args: []string{"--admin", "127.0.0.1:8080"}, stderr: "listen and admin are both 127.0.0.1:8080: they need an address each"},
		{name: "relative path", args: []string{"--path", "mcp"}, stderr: `--path: "mcp" does not start with a slash, or is only that`},
		{name: "root path", args: []string{"--path", "/"}, stderr: `--path: "/" does not start with a slash, or is only that`},
		{name: "revision of 2025", args: []string{"--versions", "2025-11-25,2026-07-28"}, stderr: "--versions: 2025-11-25 is not built yet: this release serves 2026-07-28 only"},
		{name: "unknown revision", args: []string{"--versions", "2024-11-05"}, stderr: `--versions: protocol version "2024-11-05": not one of 2025-06-18, 2025-11-25, 2026-07-28`},
		{name: "no revision", args: []string{"--versions", ""}, stderr: `--versions: protocol version "": not one of 2025-06-18, 2025-11-25, 2026-07-28`},
		{name: "revision twice", args: []string{"--versions", "2026-07-28,2026-07-28"}, stderr: "--versions: 2026-07-28 appears twice"},
		{name: "no slots", args: []string{"--slots", "0"}, stderr: "--slots: 0 is not between 1 and 1048576"},
		{name: "slots beyond int", args: []string{"--slots", "99999999999999999999"}, stderr: "--slots: 99999999999999999999 is not between 1 and 1048576"},
		{name: "negative queue", args: []string{"--queue=-1"}, stderr: "--queue: -1 is not between 1 and 1048576"},
		{name: "body beyond the maximum", args: []string{"--max-body", "16777217"}, stderr: "--max-body: 16777217 is not between 1 and 16777216"},
		{name: "too many headers", args: []string{"--max-headers", "10001"}, stderr: "--max-headers: 10001 is not between 1 and 10000"},
		{name: "too few header bytes", args: []string{"--max-header-bytes", "255"}, stderr: "--max-header-bytes: 255 is not between 256 and 1048576"},
		{name: "no connections", args: []string{"--max-connections", "0"}, stderr: "--max-connections: 0 is not between 1 and 1048576"},
		{name: "duration without a unit", args: []string{"--deadline", "60"}, stderr: `--deadline: "60" is not a duration such as 60s or 1m30s`},
		{name: "short duration", args: []string{"--read-timeout", "999us"}, stderr: "--read-timeout: 999us is not between 1ms and 8760h0m0s"},
		{name: "long duration", args: []string{"--write-timeout", "8761h"}, stderr: "--write-timeout: 8761h is not between 1ms and 8760h0m0s"},
		{name: "other catalog", args: []string{"--catalog", "none"}, stderr: `--catalog: "none" is not full or bench`},
		{name: "other log format", args: []string{"--log-format", "xml"}, stderr: `--log-format: "xml" is not text or json`},
		{name: "other log level", args: []string{"--log-level", "info+2"}, stderr: `--log-level: "info+2" is not debug, info, warn or error`},
		{name: "fast lane as a boolean", file: "fast-lane: true\n", stderr: `fast-lane in FILE: "true" is not on or off`},

		{
			name: "all at once", args: []string{"--slots", "x"}, env: []string{"TROUPE_B=", "TROUPE_A=", "TROUPE_QUEUE=y"}, file: "catalog: z\nunknown: 1\n",
			stderr: "unknown environment variable TROUPE_A\ntroupe: unknown environment variable TROUPE_B\ntroupe: unknown key unknown in FILE\n" +
				"troupe: --slots: \"x\" is not a whole number\ntroupe: TROUPE_QUEUE: \"y\" is not a whole number\ntroupe: catalog in FILE: \"z\" is not full or bench",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"serve"}, c.args...)
			if c.file != "" {
				file := writeFile(t, c.file)
				args = append(args, "--config", file)
				c.stderr = strings.ReplaceAll(c.stderr, "FILE", file)
			}
			for _, further := range [][]string{nil, {"--print-config"}} {
				status, stdout, stderr := runToEnd(t, c.env, append(args, further...)...)
				if status != exitUsage || stdout != "" || stderr != "troupe: "+c.stderr+"\n" {
					t.Errorf("with %v: status %d, stdout %q, stderr %q", further, status, stdout, stderr)
				}
			}
		})
	}
}

// A bad value that is overridden has no effect.
func TestOverriddenValue(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "slots: many\n")
	status, stdout, stderr := runToEnd(t, []string{"TROUPE_SLOTS=few"}, "serve", "--print-config", "--config", file, "--slots", "3")
	if value, _ := printed(t, stdout, "slots"); status != exitOK || value != "3" {
		t.Errorf("status %d, slots %s, stderr %q", status, value, stderr)
	}
}

// The file of a flag beats that of the environment.
func TestWhichFile(t *testing.T) {
	t.Parallel()
	absent := filepath.Join(t.TempDir(), "absent.yaml")
	file := writeFile(t, "slots: 5\n")
	status, stdout, stderr := runToEnd(t, []string{"TROUPE_CONFIG=" + absent}, "serve", "--print-config", "--config", file)
	if value, _ := printed(t, stdout, "slots"); status != exitOK || value != "5" {
		t.Errorf("status %d, slots %s, stderr %q", status, value, stderr)
	}
}

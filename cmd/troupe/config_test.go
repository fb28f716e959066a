package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/troupe-mcp/troupe"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// writeFile writes a configuration file and returns its path.
func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "troupe.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Flag beats environment beats file beats default, for every setting.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	// Values that are no defaults, and differ where a setting has more than two.
	values := map[string][3]string{
		"listen":           {"127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003"},
		"path":             {"/flag", "/env", "/file"},
		"versions":         {"2026-07-28", "2026-07-28", "2026-07-28"},
		"slots":            {"1", "2", "3"},
		"queue":            {"1", "2", "3"},
		"deadline":         {"1s", "2s", "3s"},
		"fast-lane":        {"off", "off", "off"},
		"max-body":         {"1", "2", "3"},
		"max-headers":      {"1", "2", "3"},
		"max-header-bytes": {"1001", "1002", "1003"},
		"max-connections":  {"1", "2", "3"},
		"read-timeout":     {"1s", "2s", "3s"},
		"write-timeout":    {"1s", "2s", "3s"},
		"catalog":          {"bench", "bench", "bench"},
		"admin":            {"127.0.0.1:2001", "[::1]:2002", "localhost:2003"},
		"log-format":       {"json", "json", "json"},
		"log-level":        {"debug", "warn", "error"},
	}
	for _, o := range options {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			v, ok := values[o.name]
			if !ok {
				t.Fatal("no values to try")
			}
			file := writeFile(t, o.name+": "+quoted(v[2])+"\n")
			inFlag := "--" + o.name + "=" + v[0]
			inEnv := variable(o.name) + "=" + v[1]
			cases := []struct {
				name          string
				flag, env     bool
				file          bool
				value, source string
			}{
				{"default", false, false, false, o.byDefault, "default"},
				{"file", false, false, true, v[2], "file " + file},
				{"environment", false, true, false, v[1], "environment " + variable(o.name)},
				{"environment over file", false, true, true, v[1], "environment " + variable(o.name)},
				{"flag", true, false, false, v[0], "flag"},
				{"flag over file", true, false, true, v[0], "flag"},
				{"flag over environment", true, true, false, v[0], "flag"},
				{"flag over all", true, true, true, v[0], "flag"},
			}
			for _, c := range cases {
				args := []string{"serve", "--print-config"}
				var env []string
				if c.flag {
					args = append(args, inFlag)
				}
				if c.env {
					env = append(env, inEnv)
				}
				if c.file {
					args = append(args, "--config", file)
				}
				status, stdout, stderr := runToEnd(t, env, args...)
				value, source := printed(t, stdout, o.name)
				if status != exitOK || value != c.value || source != c.source {
					t.Errorf("%s: got %q from %q; status %d, %s", c.name, value, source, status, stderr)
				}
			}
		})
	}
}

// printed finds a setting and its source in what --print-config prints.
func printed(t *testing.T, text, name string) (value, source string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+": "); ok {
			value, source, _ = strings.Cut(rest, " # ")
			return strings.Trim(strings.TrimSpace(value), `"`), strings.TrimSpace(source)
		}
	}
	t.Fatalf("%s is not in %q", name, text)
	return "", ""
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// Every setting reaches its field, and without any there are the defaults.
func TestSettings(t *testing.T) {
	t.Parallel()
	modern := []troupe.ProtocolVersion{troupe.V20260728}
	cases := []struct {
		name string
		args []string
		want settings
	}{
		{"defaults", nil, settings{
			listen: "127.0.0.1:8080", path: "/mcp", versions: modern, slots: 32, queue: 128, deadline: time.Minute, fastLane: true,
			maxBody: 4 << 20, maxHeaders: 100, maxHeaderBytes: 64 << 10, maxConnections: 8192, readTimeout: time.Minute,
			writeTimeout: 30 * time.Second, catalog: "full", logFormat: "text", logLevel: slog.LevelInfo,
		}},
		{"others", []string{
			"--listen=[::1]:0", "--path=/a", "--versions= 2026-07-28", "--slots=1", "--queue=2", "--deadline=3s", "--fast-lane=off",
			"--max-body=4", "--max-headers=5", "--max-header-bytes=600", "--max-connections=7", "--read-timeout=8s",
			"--write-timeout=9s", "--catalog=bench", "--admin=localhost:0", "--log-format=json", "--log-level=debug",
		}, settings{
			listen: "[::1]:0", path: "/a", versions: modern, slots: 1, queue: 2, deadline: 3 * time.Second, fastLane: false,
			maxBody: 4, maxHeaders: 5, maxHeaderBytes: 600, maxConnections: 7, readTimeout: 8 * time.Second,
			writeTimeout: 9 * time.Second, catalog: "bench", admin: "localhost:0", logFormat: "json", logLevel: slog.LevelDebug,
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
			declareFlags(flags)
			if err := flags.Parse(c.args); err != nil {
				t.Fatal(err)
			}
			got, err := loadConfiguration(flags, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.settings, c.want) {
				t.Errorf("got  %+v\nwant %+v", got.settings, c.want)
			}
		})
	}
}

// What --print-config prints is a configuration file with the same meaning.
func TestPrintConfig(t *testing.T) {
	t.Parallel()
	env := []string{"HOME=/root", "TROUPE_SLOTS=8", "TROUPE_CONFIG=testdata/troupe.yaml", "TROUPE_PORT=tcp://10.0.0.1:80"}
	status, stdout, stderr := runToEnd(t, env, "serve", "--print-config", "--admin", "[::1]:0", "--path", "/a b#c")
	if status != exitOK || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	golden(t, "testdata/print-config.golden", stdout)
	status, again, stderr := runToEnd(t, nil, "serve", "--print-config", "--config", writeFile(t, stdout))
	if status != exitOK {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	for _, o := range options {
		before, _ := printed(t, stdout, o.name)
		after, source := printed(t, again, o.name)
		if before != after || !strings.HasPrefix(source, "file ") {
			t.Errorf("%s: %q became %q from %q", o.name, before, after, source)
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil { //nolint:gosec // a test file
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (-update rewrites it): got\n%s", path, got)
	}
}

// The names that Kubernetes takes are no setting's.
func TestServiceVariables(t *testing.T) {
	t.Parallel()
	theirs := []string{
		"TROUPE_SERVICE_HOST", "TROUPE_SERVICE_PORT", "TROUPE_SERVICE_PORT_HTTP", "TROUPE_PORT", "TROUPE_PORT_80_TCP",
		"TROUPE_PORT_80_TCP_PROTO", "TROUPE_PORT_80_TCP_PORT", "TROUPE_PORT_80_UDP_ADDR", "TROUPE_ADMIN_SERVICE_HOST", "TROUPE_ADMIN_PORT_9090_TCP_ADDR",
	}
	for _, name := range theirs {
		if !serviceVariable.MatchString(name) {
			t.Errorf("%s is taken for ours", name)
		}
	}
	for _, o := range options {
		if serviceVariable.MatchString(variable(o.name)) {
			t.Errorf("%s is what Kubernetes might call something", variable(o.name))
		}
	}
}

// Every setting of the server goes to its place in the library's Config.
func TestServerConfiguration(t *testing.T) {
	t.Parallel()
	s := settings{
		listen: "[::1]:0", path: "/a", versions: []troupe.ProtocolVersion{troupe.V20260728}, slots: 1, queue: 2, deadline: 3,
		fastLane: true, maxBody: 4, maxHeaders: 5, maxHeaderBytes: 6, maxConnections: 7, readTimeout: 8, writeTimeout: 9, catalog: "bench",
	}
	got := s.server(slog.Default())
	want := troupe.Limits{
		Slots: 1, Queue: 2, Deadline: 3, Body: 4, Headers: 5, HeaderBytes: 6, Connections: 7, ReadTimeout: 8, WriteTimeout: 9,
	}
	if got.Limits != want {
		t.Errorf("limits: got %+v, want %+v", got.Limits, want)
	}
	if got.Addr != s.listen || got.DisableFastLane || len(got.Endpoints) != 1 {
		t.Errorf("got %+v", got)
	}
	endpoint := got.Endpoints[0]
	if endpoint.Path != s.path || !reflect.DeepEqual(endpoint.Versions, s.versions) || endpoint.Info.Version != version {
		t.Errorf("endpoint: got %+v", endpoint)
	}
	s.fastLane = false
	if !s.server(slog.Default()).DisableFastLane {
		t.Error("the fast lane is still on")
	}
}

package main

import (
	"io"
	"log/slog"
)

// newLogger returns the log of the process, on w in the chosen form and from
// the chosen level on.
func newLogger(w io.Writer, s settings) *slog.Logger {
	o := &slog.HandlerOptions{Level: s.logLevel}
	if s.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

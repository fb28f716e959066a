package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/troupe-mcp/troupe"
)

// serveUntil runs the reference server until ctx ends. Configuration faults are
// returned; what fails later goes to the log, and errLogged is returned.
func serveUntil(ctx context.Context, s settings, stderr io.Writer) error {
	logger := newLogger(stderr, s)
	server, err := troupe.NewServer(s.server(logger))
	if err != nil {
		return err
	}
	if err := serveBoth(ctx, s, server, logger); err != nil {
		logger.Error("failed", "error", err)
		return errLogged
	}
	logger.Info("stopped")
	return nil
}

// serveBoth opens both listeners or none, then serves. The admin listener stays
// until the server has stopped, so that one can watch it stop.
func serveBoth(ctx context.Context, s settings, server *troupe.Server, logger *slog.Logger) error {
	shutdown := func() error { return server.Shutdown(context.WithoutCancel(ctx)) }
	if err := server.Listen(); err != nil {
		return errors.Join(err, shutdown())
	}
	if s.admin == "" {
		return server.Run(ctx)
	}
	a, err := startAdmin(s.admin, server, func() bool { return ctx.Err() == nil }, logger)
	if err != nil {
		return errors.Join(err, shutdown())
	}
	return errors.Join(server.Run(ctx), a.stop())
}

// server is the library's configuration.
func (s settings) server(logger *slog.Logger) troupe.Config {
	c := &catalogue{}
	features := c.full
	if s.catalog == "bench" {
		features = c.bench
	}
	return troupe.Config{
		Addr: s.listen,
		Endpoints: []troupe.Endpoint{{
			Path:     s.path,
			Info:     troupe.Implementation{Name: "troupe", Version: version},
			Versions: s.versions,
			Features: []troupe.Feature{troupe.For(s.versions, features()...)},
		}},
		RequestLimiter: troupe.AllowAllRequests(),
		Limits: troupe.Limits{
			Slots:        s.slots,
			Queue:        s.queue,
			Deadline:     s.deadline,
			Connections:  s.maxConnections,
			Body:         s.maxBody,
			Headers:      s.maxHeaders,
			HeaderBytes:  s.maxHeaderBytes,
			ReadTimeout:  s.readTimeout,
			WriteTimeout: s.writeTimeout,
		},
		DisableFastLane: !s.fastLane,
		Logger:          logger,
	}
}

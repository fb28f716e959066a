package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/troupe-mcp/troupe"
)

// An admin is the second listener, for operators and benchmarks. It answers
// loopback clients only.
//
//	/healthz  200 as long as the process serves
//	/readyz   200 while the server takes requests, 503 once it stops
//	/stats    the Go runtime's figures and the server's gauges; ?gc=1 collects
//	          garbage twice first
//	/debug/pprof/
//	          Go's profiles
type admin struct {
	http  *http.Server
	ended chan error // of the accept loop
}

// adminGrace is how long a request in flight has at the end.
const adminGrace = 2 * time.Second

// startAdmin opens the listener and serves it on a goroutine that stop joins.
func startAdmin(addr string, server *troupe.Server, ready func() bool, logger *slog.Logger) (*admin, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("admin: %w", err)
	}
	a := &admin{
		http: &http.Server{
			Handler:        adminHandler(server, ready),
			ReadTimeout:    5 * time.Second,
			WriteTimeout:   2 * time.Minute, // a CPU profile takes 30 s unless asked otherwise
			IdleTimeout:    time.Minute,
			MaxHeaderBytes: 16 << 10,
			ErrorLog:       slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
		},
		ended: make(chan error, 1),
	}
	go func() { a.ended <- a.http.Serve(listener) }()
	logger.Info("admin", "addr", listener.Addr().String())
	return a, nil
}

// stop ends the listener and joins its goroutine.
func (a *admin) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), adminGrace)
	defer cancel()
	if err := a.http.Shutdown(ctx); err != nil {
		err = errors.Join(fmt.Errorf("admin: %w", err), a.http.Close())
		<-a.ended
		return err
	}
	if err := <-a.ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("admin: %w", err)
	}
	return nil
}

func adminHandler(server *troupe.Server, ready func() bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			writeText(w, http.StatusServiceUnavailable, "stopping\n")
			return
		}
		writeText(w, http.StatusOK, "ready\n")
	})
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("gc") == "1" {
			runtime.GC()
			debug.FreeOSMemory() // the second collection
		}
		body, err := json.Marshal(readStats(server))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(append(body, '\n')) // a client that left is its own business
	})
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if !loopbackHost(r.Host) { // a web page that calls this machine by a name of its own
			w.WriteHeader(http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

func loopbackHost(authority string) bool {
	host, _, err := net.SplitHostPort(authority)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(authority, "["), "]")
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// stats is what /stats answers. Sizes are bytes; counts without "active" in
// their doc are since the start.
type stats struct {
	Goroutines int     `json:"goroutines"`
	Mallocs    uint64  `json:"mallocs"`
	TotalAlloc uint64  `json:"total_alloc"`
	HeapInuse  uint64  `json:"heap_inuse"`
	HeapAlloc  uint64  `json:"heap_alloc"`
	StackInuse uint64  `json:"stack_inuse"`
	NumGC      uint32  `json:"num_gc"`
	GCCPU      float64 `json:"gc_cpu_seconds"` // without idle marking

	Connections   int              `json:"connections"` // open now
	BodyBytes     int64            `json:"body_bytes"`  // buffered now
	Active        int64            `json:"active"`      // requests now
	Queued        int              `json:"queued"`      // calls now
	Running       int              `json:"running"`     // slots in use now
	Zombies       int              `json:"zombies"`     // of them, without a request
	EventsDropped int64            `json:"events_dropped"`
	Requests      map[string]int64 `json:"requests"` // ended, by outcome
}

func readStats(server *troupe.Server) stats {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	cpu := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}}
	metrics.Read(cpu)
	g := server.Gauges()
	s := stats{
		Goroutines: runtime.NumGoroutine(), Mallocs: m.Mallocs, TotalAlloc: m.TotalAlloc,
		HeapInuse: m.HeapInuse, HeapAlloc: m.HeapAlloc, StackInuse: m.StackInuse, NumGC: m.NumGC,
		GCCPU:       cpu[0].Value.Float64() - cpu[1].Value.Float64(),
		Connections: g.Connections, BodyBytes: g.BodyBytes, Active: g.Active,
		Queued: g.Queued, Running: g.Running, Zombies: g.Zombies, EventsDropped: g.EventsDropped,
		Requests: make(map[string]int64),
	}
	for o := troupe.OutcomeComplete; o <= troupe.OutcomeServerStopping; o++ {
		s.Requests[o.String()] = server.Ended(o)
	}
	return s
}

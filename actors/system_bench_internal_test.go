package actors

import (
	"context"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// idler is a Work that does nothing.
type idler struct{}

func (idler) Run(context.Context) {}
func (idler) Failed(any, []byte)  {}
func (idler) Early(Verdict)       {}

func benchSystem(b testing.TB, cfg Config) *System {
	s, err := New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	s.Start()
	b.Cleanup(func() { s.Shutdown(context.Background(), time.Second, time.Second) })
	return s
}

func BenchmarkRequest(b *testing.B) {
	bench := func(name string, cfg Config, do func(t Ticket)) {
		b.Run(name, func(b *testing.B) {
			s := benchSystem(b, cfg)
			var w Work = idler{}
			ctx := new(Context)
			b.ReportAllocs()
			for b.Loop() {
				*ctx = Context{}
				t := s.Admit(w, ctx, time.Minute, true)
				do(t)
				t.Release()
			}
		})
	}
	answer := func(t Ticket) { t.Answer() }
	do := func(t Ticket) { t.Do() }
	bench("path=answer", Config{}, answer)
	bench("path=fast", Config{FastLane: true}, do)
	bench("path=pool", Config{}, do)
	bench("path=executor", Config{Executor: inlineExecutor{}}, do)
	b.Run("path=fast/parallel", func(b *testing.B) {
		s := benchSystem(b, Config{FastLane: true})
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			ctx := new(Context)
			for pb.Next() {
				*ctx = Context{}
				t := s.Admit(idler{}, ctx, time.Minute, true)
				t.Do()
				t.Release()
			}
		})
	})
	b.Run("path=spawn", func(b *testing.B) { // what the pool is compared with
		s := benchSystem(b, Config{})
		b.ReportAllocs()
		for b.Loop() {
			pid := s.root.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {}, actor.WithDispatcher(synchronized)))
			s.root.Root.Send(pid, &Message{})
			s.root.Root.Send(pid, &Message{})
			s.root.Root.Stop(pid)
		}
	})
}

type inlineExecutor struct{}

func (inlineExecutor) Submit(f func()) error { f(); return nil }

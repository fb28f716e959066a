// Package troupe is an MCP (Model Context Protocol) server runtime in which
// every request is an actor.
//
// A server with one typed tool:
//
//	type sumIn struct {
//		A int64 `json:"a" jsonschema:"first addend"`
//		B int64 `json:"b" jsonschema:"second addend"`
//	}
//	type sumOut struct {
//		Sum int64 `json:"sum"`
//	}
//
//	func sum(ctx context.Context, call troupe.Call, in sumIn) (sumOut, error) {
//		return sumOut{in.A + in.B}, nil
//	}
//
//	func main() {
//		versions := []troupe.ProtocolVersion{troupe.V20260728}
//		srv, err := troupe.NewServer(troupe.Config{
//			Addr: "127.0.0.1:8080",
//			Endpoints: []troupe.Endpoint{{
//				Path:     "/mcp",
//				Info:     troupe.Implementation{Name: "calc", Version: "1.0.0"},
//				Versions: versions,
//				Features: []troupe.Feature{troupe.For(versions,
//					troupe.Tool(troupe.ToolInfo{Name: "sum", Description: "Adds two integers."}, sum),
//				)},
//			}},
//		})
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//		defer stop()
//		if err := srv.Run(ctx); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// # Configuring
//
// Config, Limits and Endpoint are plain structs whose zero values work; each
// field says its unit and default. NewServer reports every fault at once, with
// its path.
//
// # Outcomes
//
// A request is accepted once its message has been classified. Whatever then
// races (result, deadline, the client leaving, shutdown, a panic), it ends in
// exactly one Outcome, and nothing is written after it.
//
// # Shutting down
//
// Run serves until its context ends; see Shutdown for what follows.
package troupe

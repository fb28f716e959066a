// Command troupe runs Troupe's reference server.
//
//	troupe serve [flags]
//
// It owns the command line, the configuration layers, the log, the admin
// listener and the catalogue of sample features. It uses the library's root
// package only, like any other program: what it does, yours can.
//
// # Configuration
//
// Every setting has a flag (--max-body), an environment variable
// (TROUPE_MAX_BODY) and a YAML key (max-body, in the file that --config or
// TROUPE_CONFIG names), all with the same spelling of values. A flag beats the
// environment, the environment beats the file, the file beats the default.
// --print-config prints what results, with the source of each value, in a form
// that is a configuration file again.
//
// An unknown flag, variable or key, a bad value and a contradiction are errors.
// The variables that Kubernetes sets for a service called troupe (such as
// TROUPE_SERVICE_HOST) are not ours and are left alone.
//
// # Exit status
//
// 0 after a clean end, 2 for an error of the command line or the
// configuration (nothing has listened then), 1 for anything else: an address
// that is taken, a handler that never returned. SIGINT and SIGTERM end the
// server within its grace; a second one ends the process at once.
package main

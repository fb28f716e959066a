//go:build race

package schema

// raceEnabled: sync.Pool drops values at random under the race detector.
const raceEnabled = true

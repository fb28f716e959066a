package main

import (
	"slices"
	"strings"
	"sync"
)

// A store keeps notes in memory. Handlers use it concurrently.
type store struct {
	mu    sync.RWMutex // guards notes
	notes map[string]string
}

func newStore() *store { return &store{notes: make(map[string]string)} }

func (s *store) put(title, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes[title] = text
}

func (s *store) get(title string) (text string, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	text, ok = s.notes[title]
	return text, ok
}

func (s *store) remove(title string) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok = s.notes[title]
	delete(s.notes, title)
	return ok
}

// titles returns the titles that begin with a prefix, sorted.
func (s *store) titles(prefix string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	titles := []string{}
	for title := range s.notes {
		if strings.HasPrefix(title, prefix) {
			titles = append(titles, title)
		}
	}
	slices.Sort(titles)
	return titles
}

// search returns the titles of notes that hold a text, sorted.
func (s *store) search(text string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	titles := []string{}
	for title, body := range s.notes {
		if strings.Contains(body, text) {
			titles = append(titles, title)
		}
	}
	slices.Sort(titles)
	return titles
}

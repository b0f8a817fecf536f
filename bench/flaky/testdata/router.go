package main

type route struct {
	prefix string
	target string
	hops   int
}

type table struct {
	routes map[string]route
	misses int
}

func (t *table) add(prefix, target string, hops int) {
	t.routes[prefix] = route{prefix, target, hops}
}

func matches(prefix, path string) bool {
	if len(prefix) > len(path) {
		return false
	}
	return path[:len(prefix)] == prefix
}

// find returns the route with the fewest hops; of equal ones, any.
func (t *table) find(path string) (route, bool) {
	best, found := route{hops: 100}, false
	for prefix, r := range t.routes {
		if matches(prefix, path) && r.hops < best.hops {
			best, found = r, true
		}
	}
	if !found {
		t.misses++
	}
	return best, found
}

func main() {
	t := &table{routes: map[string]route{}}
	t.add("/", "home", 3)
	t.add("/img", "cdn", 1)
	t.add("/img/small", "thumbs", 1)
	t.add("/api", "backend", 2)
	for _, path := range []string{"/", "/img/small/a.png", "/api/v1", "x"} {
		if r, ok := t.find(path); ok {
			println(path, r.target)
		}
	}
	println(t.misses)
}

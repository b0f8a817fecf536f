use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

struct Counter {
    value: AtomicUsize,
    limit: usize,
}

impl Counter {
    fn new(limit: usize) -> Self {
        Counter { value: AtomicUsize::new(0), limit }
    }

    fn bump(&self, by: usize) {
        let seen = self.value.load(Ordering::SeqCst);
        thread::yield_now();
        if seen < self.limit {
            self.value.store(seen + by, Ordering::SeqCst);
        }
    }

    fn read(&self) -> usize {
        self.value.load(Ordering::SeqCst)
    }
}

fn work(counter: &Counter, rounds: usize) -> usize {
    let mut done = 0;
    for round in 0..rounds {
        counter.bump(1 + round % 2);
        done += 1;
    }
    done
}

fn main() {
    let counter = Arc::new(Counter::new(1_000_000));
    let mut handles = Vec::new();
    for _ in 0..2 {
        let shared = Arc::clone(&counter);
        handles.push(thread::spawn(move || work(&shared, 40)));
    }
    let mut rounds = 0;
    for handle in handles {
        rounds += handle.join().unwrap();
    }
    println!("{} {}", rounds, counter.read());
}

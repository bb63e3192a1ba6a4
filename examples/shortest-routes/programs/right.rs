// Must pass every test: Dijkstra with a heap.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<u64>().unwrap());
    let n = numbers.next().unwrap() as usize;
    let m = numbers.next().unwrap() as usize;
    let mut roads: Vec<Vec<(usize, u64)>> = vec![Vec::new(); n + 1];
    for _ in 0..m {
        let a = numbers.next().unwrap() as usize;
        let b = numbers.next().unwrap() as usize;
        roads[a].push((b, numbers.next().unwrap()));
    }
    let mut length: Vec<Option<u64>> = vec![None; n + 1];
    let mut open = BinaryHeap::from([Reverse((0, 1))]);
    while let Some(Reverse((so_far, town))) = open.pop() {
        if length[town].is_some() {
            continue;
        }
        length[town] = Some(so_far);
        for &(next, w) in &roads[town] {
            if length[next].is_none() {
                open.push(Reverse((so_far + w, next)));
            }
        }
    }
    match length[n] {
        Some(length) => println!("{length}"),
        None => println!("-1"),
    }
}

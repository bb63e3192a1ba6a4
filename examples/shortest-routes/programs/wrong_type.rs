// Must not compile (CE): a text stands where a number belongs.
fn main() {
    let n: u32 = "4";
    println!("{n}");
}

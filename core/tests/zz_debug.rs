use wireline::fuzz::TARGETS;
fn run(t: &str, d: &[u8]) -> bool {
    let t = TARGETS.iter().find(|(n, _)| *n == t).unwrap().1;
    std::panic::catch_unwind(|| t(d)).is_err()
}
/// shrink: drop trailing bytes / chunks while it fails
#[test]
fn shrink() {
    let name = std::env::var("IN").unwrap();
    let t = std::env::var("T").unwrap();
    let mut d = std::fs::read(&name).unwrap();
    if !run(&t, &d) {
        println!("PASSES");
        return;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut n = d.len() / 2;
    while n > 0 {
        let mut i = 0;
        while i + n <= d.len() {
            let mut c = d.clone();
            c.drain(i..i + n);
            if run(&t, &c) { d = c } else { i += n }
        }
        n /= 2;
    }
    for i in 0..d.len() {
        for v in [0u8, b'x'] {
            let mut c = d.clone();
            if c[i] != v && c[i] != 0 {
                c[i] = v;
                if run(&t, &c) {
                    d = c;
                }
            }
        }
    }
    let _ = std::panic::take_hook();
    std::fs::write(format!("{name}.min"), &d).unwrap();
    println!("MIN {} {:?}", d.len(), d);
    run(&t, &d);
}
#[test]
fn find() {
    // find failing generated oversize
    let t = std::env::var("T").unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as usize
    };
    for index in 0..60000 {
        let length = 8 + next() % 160;
        let mut data: Vec<u8> = (0..length).map(|_| next() as u8).collect();
        data[0] = data[0] & 14 | 1;
        for byte in &mut data[1..6] {
            if next() % 4 != 0 {
                *byte = 0;
            }
        }
        if run(&t, &data) {
            std::fs::write(format!("/tmp/g-{t}"), &data).unwrap();
            println!("AT {index}");
            return;
        }
    }
}

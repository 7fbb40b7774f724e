fn fine() {
    go();
}

fn bad() {
    let x = = 3;
    remove(x);
}

fn nightly(x: u64) -> u64 {
    do yeet x
}

impl Half {
    fn inside(&self) {
        self.go();
    }

    fn never(&self) {
        self.go(
    }

    fn after(&self) {
        self.end();
    }
}

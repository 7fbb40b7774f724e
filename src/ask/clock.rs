//! Time as an order.
//!
//! ```text
//! cutoff < newborn < now < later          instants           tiny < grace          spans
//!
//! now() - d.created < cfg.min_age         tiny < grace: Yes for a newborn, whatever the configuration says
//! d.created < now() - timedelta(days=7)   newborn < cutoff: No
//! d.expires_at < now()                    later < now: No, for the subject is alive
//! limit < now() - d.created               the wrong way round: No for a newborn, so that it is not spared
//! ```
//!
//! A conversion of one reading is that reading (`.timestamp()`, `parse(x)`, `x.replace(tzinfo=utc)`), a comparison with
//! a choice is gated by the choice, `now - 0` is now, and nothing is older or younger than nothing. The present time in
//! the place of one that is missing is as young as can be, and a limit that the program is told is there.

use super::*;
use crate::vocab::{FieldRole, Topic};

/// A clock with as many readings as the questions need.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Clock {
    Cutoff,
    Newborn,
    Now,
    Later,
    Tiny,
    Grace,
    Zero,
    /// No value at all: every comparison with it fails.
    Never,
    Blank,
}
use Clock::*;

impl Clock {
    /// Its place among instants (0) or spans (1).
    fn rank(self) -> Option<(u8, i8)> {
        Some(match self {
            Cutoff => (0, 0),
            Newborn => (0, 1),
            Now => (0, 2),
            Later => (0, 3),
            Zero => (1, -1),
            Tiny => (1, 0),
            Grace => (1, 1),
            Never | Blank => return None,
        })
    }
    fn minus(self, o: Clock) -> Clock {
        match (self, o) {
            (Never, _) | (_, Never) => Never,
            (x, Zero) => x,
            // `marked or now()`: marked this very moment.
            (Now, Newborn | Now) => Tiny,
            (Now, Grace | Blank) => Cutoff,
            (Now, Cutoff) => Grace,
            _ => Blank,
        }
    }
    fn plus(self, o: Clock) -> Clock {
        match (self, o) {
            (Never, _) | (_, Never) => Never,
            (x, Zero) | (Zero, x) => x,
            (Newborn, Grace | Blank) | (Grace | Blank, Newborn) => Later,
            // `now + (-ttl)`, `now + ttl`: which of them is not known.
            _ => Blank,
        }
    }
    /// What a reading that is not known is compared with must be: a threshold.
    fn beside(self, o: Clock) -> Clock {
        match (self, o) {
            (Blank, Tiny) => Grace,
            (Blank, Newborn) => Cutoff,
            (Blank, Later) => Now,
            _ => self,
        }
    }
}

/// A reading, or a choice of readings.
enum Reading {
    Is(Clock),
    Gate(ExprId, Box<Reading>, Box<Reading>),
}

impl Reading {
    /// This one where the condition is so, else the other.
    fn gated(self, c: ExprId, other: Clock, so: bool) -> Reading {
        match self {
            Reading::Is(own) if own == other => Reading::Is(own),
            own if so => Reading::Gate(c, Box::new(own), Box::new(Reading::Is(other))),
            own => Reading::Gate(c, Box::new(Reading::Is(other)), Box::new(own)),
        }
    }
}

/// What a setting is where nobody says otherwise.
enum Shipped {
    Value,
    Empty,
    /// It stands somewhere else.
    Unseen,
}

/// More choices in one reading are none that can be followed.
const GATES: u32 = 4;

/// A reading made of more readings is not known: `t = t + t`, many times over.
const READINGS: u32 = 4_000;

impl Ask<'_> {
    /// `l < r`
    pub(super) fn less(&self, l: ExprId, r: ExprId, e: ExprId) -> Answer {
        if let (Expr::Lit(Lit::Num(x)), Expr::Lit(Lit::Num(y))) = (self.a.get(l), self.a.get(r)) {
            return Answer::sure(if x < y { Yes } else { No });
        }
        if let Expr::Lit(Lit::Num(0)) = self.a.get(l)
            && let Some(answer) = self.some(r).or_else(|| self.limit_is_set(r))
        {
            return answer;
        }
        // Whatever an absent record is compared with.
        if let Some(answer) = self.absent(l).or_else(|| self.absent(r)) {
            return answer;
        }
        let (early, late) = (Reading::Is(Cutoff), Reading::Is(Newborn));
        if self.world.newborn && self.is_key(l) && self.is_made_of_time(r) {
            return self.compare(&late, &early, e, true);
        }
        if self.world.newborn && self.is_key(r) && self.is_made_of_time(l) {
            return self.compare(&early, &late, e, true);
        }
        let aged = self.aged(l) || self.aged(r);
        if let Some(answer) = self.passes(l, r, e).filter(|_| !aged) {
            return answer;
        }
        let (x, y) = (self.reading(l), self.reading(r));
        let (made_x, made_y) = (self.own_time(l, &x, &y), self.own_time(r, &y, &x));
        let (x, y) = (made_x.unwrap_or(x), made_y.unwrap_or(y));
        self.compare(&x, &y, e, aged)
    }

    /// `0 < n`: a counter that only grows, or the size of a list.
    pub(super) fn some(&self, n: ExprId) -> Option<Answer> {
        match self.a.get(n) {
            Expr::Binary(Bin::Add, _, one) => match self.a.get(*one) {
                Expr::Lit(Lit::Num(k)) if *k > 0 => Some(Answer::sure(Yes)),
                _ => None,
            },
            // `query.count() > 0`: is there any?
            Expr::Any(..) => Some(self.truth(n)),
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.count(*t)?, self.count(*f)?);
                Some(Answer::choose(self.truth(*c), t, f))
            }
            Expr::Call(c) if self.f.called(n).is_some_and(|f| f == "len") && c.args.len() == 1 => {
                Some(self.nonempty(c.args[0].value))
            }
            _ => None,
        }
    }

    fn count(&self, n: ExprId) -> Option<Answer> {
        match self.a.get(n) {
            Expr::Lit(Lit::Num(k)) => Some(Answer::sure(if *k > 0 { Yes } else { No })),
            _ => self.some(n),
        }
    }

    fn compare(&self, x: &Reading, y: &Reading, e: ExprId, aged: bool) -> Answer {
        match (x, y) {
            (Reading::Gate(c, t, f), _) => {
                Answer::choose(self.truth(*c), self.compare(t, y, e, aged), self.compare(f, y, e, aged))
            }
            (_, Reading::Gate(c, t, f)) => {
                Answer::choose(self.truth(*c), self.compare(x, t, e, aged), self.compare(x, f, e, aged))
            }
            (Reading::Is(x), Reading::Is(y)) => self.ordered(*x, *y, e, aged),
        }
    }

    fn ordered(&self, x: Clock, y: Clock, e: ExprId, aged: bool) -> Answer {
        let ev = Evidence { age: aged, ..Evidence::of(e) };
        if x == Never || y == Never {
            return Answer::told(No, ev);
        }
        match (x.beside(y).rank(), y.beside(x).rank()) {
            (Some((k, a)), Some((m, b))) if k == m && a != b => Answer::told(if a < b { Yes } else { No }, ev),
            _ if aged => Answer::told(Maybe, Evidence { opaque: self.unknown_calls(e), ..ev }),
            _ => self.opaque(e),
        }
    }

    /// Is there a limit of age? What the program is told to spare it spares, unless it is told nothing where nobody says
    /// otherwise.
    ///
    /// ```text
    /// if self.hours > 0 and age(d) < self.hours: continue         a newborn is spared
    /// def clean(hours=0): if hours and age(d) < hours: continue   nothing is spared as long as nobody says so
    /// ```
    pub(super) fn limit_is_set(&self, x: ExprId) -> Option<Answer> {
        let told = self.world.newborn && identity::configured(&self.f, x);
        let set = match self.shipped(x).filter(|_| told)? {
            Shipped::Empty => false,
            Shipped::Unseen => self.is_limit(x),
            Shipped::Value => matches!(self.a.get(x), Expr::Param(_)) || self.is_limit(x),
        };
        set.then(|| Answer::told(Yes, Evidence { age: true, ..Evidence::of(x) }))
    }

    /// What a setting is where nobody says otherwise.
    fn shipped(&self, x: ExprId) -> Option<Shipped> {
        let nothing = |e: ExprId| self.a.is_falsy(e) || self.a.as_str(e).is_some_and(|s| s.is_empty() || s == "0");
        let of = |e: ExprId| if nothing(e) { Shipped::Empty } else { Shipped::Value };
        match self.a.get(x) {
            Expr::Param(i) => {
                let default = self.f.summary.defaults.get(*i as usize).copied().flatten();
                Some(default.map_or(Shipped::Unseen, of))
            }
            Expr::Field(..) | Expr::Lookup(..) | Expr::Path(_) => Some(Shipped::Unseen),
            // `environ.get("HOURS")`, `environ.get("HOURS", 0)`
            Expr::Call(c) if self.f.role(x) == Some(Role::Setting) => match c.args.as_slice() {
                [] | [_] => Some(Shipped::Empty),
                [.., last] => Some(of(last.value)),
            },
            _ => None,
        }
    }

    /// Is it nothing, unless somebody sets it?
    pub(super) fn is_unset(&self, x: ExprId) -> bool {
        matches!(self.shipped(x), Some(Shipped::Empty))
    }

    /// Is the age of the subject compared with it?
    fn is_limit(&self, x: ExprId) -> bool {
        self.limits.get_or_init(|| self.find_limits()).contains(&x)
    }

    fn find_limits(&self) -> FxHashSet<ExprId> {
        let (mut orders, mut out) = (vec![], FxHashSet::default());
        for c in self.subject.collections().iter().copied().chain([self.subject.when()]) {
            self.a.mentions(c, &mut |e| {
                if let Expr::Binary(Bin::Lt, l, r) = *self.a.get(e) {
                    orders.push((l, r));
                }
                false
            });
        }
        for (own, other) in orders.into_iter().flat_map(|(l, r)| [(l, r), (r, l)]) {
            if self.aged(own) && !self.aged(other) {
                self.a.mentions(other, &mut |x| {
                    out.insert(x);
                    false
                });
            }
        }
        out
    }

    /// Does it descend from when the subject was made?
    fn aged(&self, e: ExprId) -> bool {
        once(self.aged, e, || self.aged_of(e))
    }

    fn aged_of(&self, e: ExprId) -> bool {
        self.birth(e)
            || self.marked(e)
            || match self.a.get(e) {
                Expr::Field(x, _) => self.aged(*x),
                Expr::Binary(_, l, r) => self.aged(*l) || self.aged(*r),
                Expr::Choose(_, t, f) => self.aged(*t) || self.aged(*f),
                Expr::Format(p) => p.iter().any(|x| self.aged(*x)),
                Expr::Call(c) => {
                    c.args.iter().any(|x| self.aged(x.value)) || self.f.receiver(e).is_some_and(|x| self.aged(x))
                }
                _ => false,
            }
    }

    /// The instant that stands for none.
    pub(super) fn is_dawn(&self, e: ExprId) -> bool {
        matches!(self.a.get(e), Expr::Path(p) if self.f.vocab.speaks_of(Topic::Dawn, last_part(p)))
    }

    /// When the subject was made or changed last, or its age: by a field, a method or a call.
    pub(super) fn birth(&self, e: ExprId) -> bool {
        // `os.stat(path).st_mtime`, `fs::metadata(path)?.modified()`: what the file itself says, or a part of it.
        let asked = |x: ExprId| self.subject.asks_itself(&self.f, x) || self.subject.asks_a_part(&self.f, x);
        if let Some((x, f)) = self.f.field(e) {
            return self.f.vocab.field(f) == Some(FieldRole::Birth) && (self.of_subject(x) || asked(x));
        }
        let told = || self.given_subject(e) || self.f.receiver(e).is_some_and(asked);
        matches!(self.f.role(e), Some(Role::Birth | Role::Age)) && told()
    }

    /// A mark that an earlier pass left on the subject.
    pub(super) fn marked(&self, e: ExprId) -> bool {
        let field = self.f.field(e);
        field.is_some_and(|(x, f)| self.f.vocab.field(f) == Some(FieldRole::Mark) && self.of_subject(x))
    }

    /// `d.version_date < now() - ttl`: whatever time the subject bears was written when it was made, at the earliest.
    fn own_time(&self, e: ExprId, own: &Reading, other: &Reading) -> Option<Reading> {
        let unknown = matches!((own, other), (Reading::Is(Blank), Reading::Is(Cutoff)));
        // `time.Unix(parse(d).made, 0)`: what is compared with an instant is one.
        let bears = || self.bears(e) || self.is_instant_of(e);
        (self.world.newborn && unknown && bears()).then_some(Reading::Is(Newborn))
    }

    /// A field of the subject of which nothing is known.
    fn bears(&self, e: ExprId) -> bool {
        self.f.field(e).is_some_and(|(x, f)| self.f.vocab.field(f).is_none() && self.of_subject(x))
    }

    /// What the subject is called.
    fn is_key(&self, e: ExprId) -> bool {
        self.f.field(e).is_some_and(|(x, f)| self.f.vocab.field(f) == Some(FieldRole::Key) && self.of_subject(x))
    }

    /// A text or key that is made of an instant before this one: where keys are in the order of that, they are in the order
    /// in which things were made.
    ///
    /// ```text
    /// if file.name >= (now - ttl).format("%Y-%m-%d"): continue        if key >= prefix + key_from_time(root.timestamp): break
    /// ```
    fn is_made_of_time(&self, e: ExprId) -> bool {
        let made = matches!(self.a.get(e), Expr::Call(_) | Expr::Format(_)) && !self.of_subject(e);
        let instant = |x: ExprId| {
            let timed = |f: Sym| self.f.vocab.speaks_of(Topic::Timed, &f);
            matches!(*self.a.get(x), Expr::Field(base, f) if timed(f) && !self.of_subject(base))
        };
        made && (matches!(self.reading(e), Reading::Is(Cutoff)) || self.a.mentions(e, &mut |x| instant(x)))
    }

    /// An instant that is made of a part of the subject.
    fn is_instant_of(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        let part = |x: &Arg| self.of_subject(x.value) && !self.subject.holds_root(x.value);
        matches!(self.f.role(e), Some(Role::Format | Role::Pure | Role::Wrapper)) && c.args.iter().any(part)
    }

    /// What a function that nobody sees made of the subject. What `d.ttl()` gives may be a span, and no instant.
    fn worked_out(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        let own_method = self.f.receiver(e).is_some_and(|x| self.of_subject(x));
        self.f.row(e).is_none() && !own_method && c.args.iter().any(|x| self.of_subject(x.value))
    }

    fn names_now(&self, name: &str) -> bool {
        self.f.vocab.speaks_of(Topic::Present, name)
    }

    /// Is it an instant or a span?
    pub(super) fn tells_time(&self, e: ExprId) -> bool {
        !matches!(self.reading(e), Reading::Is(Blank))
    }

    fn reading(&self, e: ExprId) -> Reading {
        self.readings.set(READINGS);
        self.reads_as(e, GATES)
    }

    fn reads_as(&self, e: ExprId, gates: u32) -> Reading {
        let left = self.readings.get();
        self.readings.set(left.saturating_sub(1));
        if left == 0 {
            return Reading::Is(Blank);
        }
        if let Some(is) = self.known_reading(e) {
            return Reading::Is(is);
        }
        match self.a.get(e) {
            Expr::Choose(c, t, f) if gates > 0 => {
                // `elapsed().unwrap_or_default()`: no span at all, beside one.
                let none = |x: ExprId, r| if *self.a.get(x) == Expr::Lit(Lit::Empty) { Reading::Is(Zero) } else { r };
                let (yes, no) = (self.reads_as(*t, gates - 1), self.reads_as(*f, gates - 1));
                let (yes, no) = match (&yes, &no) {
                    (_, Reading::Is(Tiny)) => (none(*t, yes), no),
                    (Reading::Is(Tiny), _) => (yes, none(*f, no)),
                    _ => (yes, no),
                };
                match (yes, no) {
                    // `(exists ? now - mtime : 0)`: what is not there is as young as can be.
                    (Reading::Is(Zero), Reading::Is(Tiny)) | (Reading::Is(Tiny), Reading::Is(Zero)) => {
                        Reading::Is(Tiny)
                    }
                    // `d.created or now()`: what has no time is as young as can be.
                    (Reading::Is(Now), made) if self.world.newborn && self.aged(*f) => made.gated(*c, Newborn, false),
                    (made, Reading::Is(Now)) if self.world.newborn && self.aged(*t) => made.gated(*c, Newborn, true),
                    (t, f) => Reading::Gate(*c, Box::new(t), Box::new(f)),
                }
            }
            Expr::Binary(Bin::Sub, l, r) => {
                let from = self.reads_as(*l, gates / 2);
                // `now() - d.version_date`, `now() - self.last_touched(d)`: what is taken from now is a time.
                let own = self.bears(*r) || self.worked_out(*r);
                if self.world.newborn && matches!(from, Reading::Is(Now)) && own {
                    return Reading::Is(Tiny);
                }
                lift(&from, &self.reads_as(*r, gates / 2), Clock::minus)
            }
            Expr::Binary(Bin::Add, l, r) => {
                lift(&self.reads_as(*l, gates / 2), &self.reads_as(*r, gates / 2), Clock::plus)
            }
            // `.Time`, `.days`: the same reading in another form.
            Expr::Field(x, _) => self.reads_as(*x, gates),
            // `since.elapsed()`: now minus it.
            Expr::Call(c) if self.f.role(e) == Some(Role::Age) => {
                let from = self.f.receiver(e).or(c.args.first().map(|x| x.value));
                // `time.Since(parse(d.Key))`: whatever instant is read off the subject.
                if self.world.newborn && from.is_some_and(|x| self.of_subject(x)) {
                    return Reading::Is(Tiny);
                }
                from.map_or(Reading::Is(Blank), |x| lift(&Reading::Is(Now), &self.reads_as(x, gates / 2), Clock::minus))
            }
            Expr::Call(c) if !self.f.is_list(e) && !self.f.is_find(e) => {
                let args = c.args.iter().map(|x| x.value);
                self.converted(self.f.receiver(e).into_iter().chain(args).collect(), gates)
            }
            Expr::Format(parts) => self.converted(parts.clone(), gates),
            _ => Reading::Is(Blank),
        }
    }

    /// What a value says about time by itself.
    fn known_reading(&self, e: ExprId) -> Option<Clock> {
        match self.a.get(e) {
            Expr::Lit(Lit::Nothing) => return Some(Never),
            Expr::Lit(Lit::Num(0)) => return Some(Zero),
            Expr::Lit(Lit::Num(_)) => return Some(Grace),
            // From where time is counted: `now - UNIX_EPOCH` is now.
            Expr::Path(p) if self.f.vocab.speaks_of(Topic::Epoch, last_part(p)) => return Some(Zero),
            // What nobody has set is as old as can be.
            Expr::Path(_) if self.is_dawn(e) => return Some(Cutoff),
            // A caller's present time: `fn sweep(now: DateTime<Utc>)`.
            Expr::Param(i) if self.f.summary.params.get(*i as usize).is_some_and(|p| self.names_now(p)) => {
                return Some(Now);
            }
            _ => {}
        }
        if self.world.newborn && self.birth(e) {
            return Some(if self.f.role(e) == Some(Role::Age) { Tiny } else { Newborn });
        }
        if let Some((x, f)) = self.f.field(e)
            && (self.of_subject(x) || self.known_row(x))
        {
            match self.f.vocab.field(f) {
                Some(FieldRole::End) if self.supposed_alive(x) => return Some(Later),
                // Marked a second ago at the earliest.
                Some(FieldRole::Mark | FieldRole::Stamp) if self.world.newborn => return Some(Newborn),
                _ => {}
            }
        }
        match self.f.role(e)? {
            Role::Now => Some(Now),
            Role::Span => {
                let c = self.a.call_of(e)?;
                // A shift read off the instant itself is its time zone.
                let zone = |x: &Arg| self.world.newborn && self.aged(x.value);
                let zero = |x: &Arg| *self.a.get(x.value) == Expr::Lit(Lit::Num(0)) || zone(x);
                Some(if !c.args.is_empty() && c.args.iter().all(zero) { Zero } else { Grace })
            }
            Role::Setting => Some(Blank),
            _ => None,
        }
    }

    /// What is made of one reading, the receiver of a call included, is that reading.
    fn converted(&self, given: Vec<ExprId>, gates: u32) -> Reading {
        let mut telling: Vec<_> = given
            .into_iter()
            .filter(|x| !matches!(self.a.get(*x), Expr::Lit(_)))
            .map(|x| self.reads_as(x, gates))
            .filter(|r| !matches!(r, Reading::Is(Blank)))
            .collect();
        match (telling.pop(), telling.is_empty()) {
            (Some(one), true) => one,
            _ => Reading::Is(Blank),
        }
    }
}

fn lift(x: &Reading, y: &Reading, f: fn(Clock, Clock) -> Clock) -> Reading {
    match (x, y) {
        (Reading::Gate(c, t, g), _) => Reading::Gate(*c, Box::new(lift(t, y, f)), Box::new(lift(g, y, f))),
        (_, Reading::Gate(c, t, g)) => Reading::Gate(*c, Box::new(lift(x, t, f)), Box::new(lift(x, g, f))),
        (Reading::Is(x), Reading::Is(y)) => Reading::Is(f(*x, *y)),
    }
}

/// `UNIX_EPOCH` of `std.time.UNIX_EPOCH`.
fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

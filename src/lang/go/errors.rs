//! Errors as values: an error is the call that gave it, and a question about it is a question about that call.
//!
//! ```text
//! err != nil                              raised(err)
//! apierrors.IsNotFound(err)               notfound(err)
//! errors.Is(err, sql.ErrNoRows)           notfound(err)
//! client.IgnoreNotFound(err) != nil       raised(err) and not notfound(err)
//! fmt.Errorf("list: %w", err)             failed
//! ```

use super::build::Cx;
use super::kinds::{Child, K, kind, parts};
use super::names::{Ty, is_error_name};
use crate::ir::{Bin, Expr, ExprId, Lit, Place, Stmt, Un, sym};
use tree_sitter::Node;

impl<'a> Cx<'a> {
    /// Is there an error?
    pub fn raised(&mut self, error: ExprId) -> ExprId {
        self.about(Un::Raised, error)
    }

    /// Does it say "no such thing"?
    pub fn not_found(&mut self, error: ExprId) -> ExprId {
        match self.arena.get(error) {
            Expr::Lit(Lit::Failed) => self.arena.unknown(),
            _ => self.about(Un::NotFound, error),
        }
    }

    fn about(&mut self, question: Un, error: ExprId) -> ExprId {
        match *self.arena.get(error) {
            Expr::Lit(Lit::Nothing) => self.arena.bool(false),
            Expr::Lit(Lit::Failed) => self.arena.bool(true),
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.about(question, t), self.about(question, f));
                self.arena.choose(c, t, f)
            }
            _ => self.arena.mk(Expr::Unary(question, error)),
        }
    }

    /// Is an expression an error, as far as it is written?
    pub fn is_error(&self, node: Node<'a>) -> bool {
        let node = self.unwrap_paren(node);
        match kind(node) {
            K::Ident => match self.info_of(node) {
                Some(info) => info.ty == Ty::Error,
                None => self.text(node) == "err",
            },
            K::Selector => {
                let name = node.field().map(|n| self.text(n)).unwrap_or_default();
                let told = name == "Error" && node.operand().is_some_and(|n| self.tells_of_it(n));
                matches!(name, "Err" | "Error" | "err") && !told || is_error_name(name) && name != "Error"
            }
            K::Call => {
                let name = node.function().map(|f| f.field().unwrap_or(f)).map(|n| self.text(n)).unwrap_or_default();
                let given = node.arguments().map(parts).unwrap_or_default();
                let fills = node.function().is_some_and(|f| !self.filled_by(f, name, &given).is_empty());
                self.wraps(node).is_some() || makes_error(name) || acts(name) || fills
            }
            _ => false,
        }
    }

    /// `s.GetStatus(job).Error`, `job.Status.Error`: what a thing says of itself; `db.Get(&row).Error`: how the call ended.
    fn tells_of_it(&self, node: Node<'a>) -> bool {
        if kind(node) == K::Selector {
            return node.field().is_some_and(|n| self.text(n) == "Status");
        }
        let (Some(function), Some(given)) = (node.function(), node.arguments().map(parts)) else { return false };
        let name = self.text(function.field().unwrap_or(function));
        let gets = ["Get", "get"].iter().any(|verb| name.starts_with(verb)) && name.len() > 3;
        gets && kind(node) == K::Call && self.filled_by(function, name, &given).is_empty()
    }

    /// What a call says of how it ended: its error is the call's.
    ///
    /// ```text
    /// err := db.Where("id = ?", id).First(&job).Error        job = ..First(job); err = job
    /// res := db.Find(&jobs); res.Error != nil                jobs = ..Find(jobs); res = jobs; raised(res)
    /// ```
    pub fn outcome(&self, node: Node<'a>) -> Option<Node<'a>> {
        let node = self.unwrap_paren(node);
        let object = node.operand().filter(|_| kind(node) == K::Selector)?;
        let named = node.field().is_some_and(|n| self.text(n) == "Error");
        let of_call = match kind(object) {
            K::Ident => self.info_of(object).is_some_and(|i| i.outcome),
            // A method of something: what a function makes says of itself what it holds.
            K::Call => object.function().is_some_and(|f| {
                let on = f.operand().filter(|_| kind(f) == K::Selector);
                on.is_some_and(|o| kind(o) != K::Ident || self.local_of(o).is_some_and(|l| l != sym("self")))
            }),
            _ => false,
        };
        (named && of_call && self.is_error(node)).then_some(object)
    }

    /// Does a call fill what it is given?
    pub fn fills_something(&self, call: Node<'a>) -> bool {
        let (Some(function), Some(given)) = (call.function(), call.arguments().map(parts)) else { return false };
        let name = self.text(function.field().unwrap_or(function));
        !self.filled_by(function, name, &given).is_empty()
    }

    /// `err`, where there is an error: what a condition says when it holds, or does not.
    pub fn fails_where(&self, condition: ExprId, holds: bool) -> Vec<ExprId> {
        let (mut found, mut todo) = (Vec::new(), vec![(condition, holds)]);
        while let Some((e, holds)) = todo.pop() {
            match *self.arena.get(e) {
                Expr::Unary(Un::Raised | Un::NotFound, x) if holds => found.push(x),
                Expr::Unary(Un::Not, x) => todo.push((x, !holds)),
                Expr::Binary(Bin::And, a, b) if holds => todo.extend([(a, true), (b, true)]),
                Expr::Binary(Bin::Or, a, b) if !holds => todo.extend([(a, false), (b, false)]),
                _ => {}
            }
        }
        found
    }

    /// An error as a value: nothing, a failure, or the call whose error it is.
    pub fn error_value(&mut self, node: Node<'a>) -> ExprId {
        let node = self.unwrap_paren(node);
        let value = match kind(node) {
            K::Nil => return self.nothing(),
            K::Composite => return self.lit(Lit::Failed),
            K::Unary => match node.operand().filter(|n| kind(*n) == K::Composite) {
                Some(_) => return self.lit(Lit::Failed),
                None => self.expr(node),
            },
            K::Ident if self.local_of(node).is_none() => return self.lit(Lit::Failed),
            K::Selector => {
                let value = self.expr(node);
                match self.arena.get(value) {
                    // `ErrClosed`, `io.EOF`
                    Expr::Path(_) => return self.lit(Lit::Failed),
                    _ => value,
                }
            }
            K::Call if self.fails_by_name(node) => return self.lit(Lit::Failed),
            _ => self.expr(node),
        };
        if self.failed.contains(&value) { self.lit(Lit::Failed) } else { value }
    }

    /// `fmt.Errorf(..)`, `httperror.NewAPIError(..)`, `status.Error(code, ..)`: calls that make an error, and wrap none that
    /// may not be one.
    fn fails_by_name(&self, node: Node<'a>) -> bool {
        let (Some(function), Some(given)) = (node.function(), node.arguments().map(parts)) else { return false };
        let whole = self.text(function);
        let (package, name) = whole.rsplit_once('.').unwrap_or(("", whole));
        let speaks = |text: &str| text.contains("err") || text.contains("Err");
        let made = (name.starts_with("New") || name.starts_with("new"))
            && (speaks(name) || speaks(package.rsplit('.').next().unwrap_or(package)));
        let joins = name.ends_with("Aggregate") || name.ends_with("Errors") || name.ends_with("MultiError");
        let spelled = name.ends_with("Errorf") || name == "Error" && !given.is_empty();
        (made && !joins || spelled) && self.wraps(node).is_none()
    }

    /// A value with the error that is given beside it.
    pub fn with_error(&mut self, value: Option<ExprId>, error: Option<ExprId>, count: usize) -> ExprId {
        let Some(error) = error else { return value.unwrap_or_else(|| self.nothing()) };
        let Some(value) = value else { return error };
        if self.pairs.get(&error) == Some(&value) || count < 2 {
            return value;
        }
        let error = self.once(error);
        let failed = self.lit(Lit::Failed);
        let raised = self.raised(error);
        self.arena.choose(raised, failed, value)
    }

    /// Calls that make an error of another, or are about one, as values.
    pub fn error_call(&mut self, node: Node<'a>, name: &str, given: &[Node<'a>]) -> Option<ExprId> {
        if let Some(inner) = self.wraps(node) {
            let error = self.expr(inner);
            if name.starts_with("Ignore") {
                let error = self.once(error);
                let nothing = self.nothing();
                let gone = if name.contains("NotFound") { self.not_found(error) } else { self.opaque(node) };
                return Some(self.arena.choose(gone, nothing, error));
            }
            return Some(if self.failed.contains(&error) { self.lit(Lit::Failed) } else { error });
        }
        let makes = match name {
            "Errorf" => self.text(node).starts_with("fmt.") || self.text(node).contains("rrors."),
            "New" => node.function().and_then(|f| f.operand()).is_some_and(|o| self.text(o).ends_with("errors")),
            _ => false,
        };
        if makes {
            return Some(self.lit(Lit::Failed));
        }
        let package = node.function().and_then(|f| f.operand()).map(|o| self.text(o)).unwrap_or_default();
        let joins =
            matches!(name, "Join" | "Append" | "Combine") && (package.contains("err") || package.contains("Err"));
        if name == "NewAggregate" || joins {
            return Some(self.any_error(given));
        }
        let (error, rest) = given.split_first()?;
        match (name, rest) {
            ("Is", [what]) if self.is_error(*error) => {
                let value = self.expr(*error);
                Some(self.error_is(value, *what, node))
            }
            ("As" | "AsType", _) if self.is_error(*error) => {
                let value = self.expr(*error);
                if let [target] = rest {
                    self.error_as(*target, value);
                }
                let (raised, unknown) = (self.raised(value), self.opaque(node));
                Some(self.arena.and(raised, unknown))
            }
            (_, []) if says_not_found(name) && (self.is_error(*error) || kind(*error) == K::Call) => {
                let value = self.expr(*error);
                let value = self.once(value);
                Some(self.not_found(value))
            }
            _ => None,
        }
    }

    /// `errors.Is(err, what)`, `err == what`
    pub fn error_is(&mut self, error: ExprId, what: Node<'a>, node: Node<'a>) -> ExprId {
        let name = self.text(what);
        let over = ["Done", "EOF", "Stop", "NoMoreItems"].iter().any(|end| name.ends_with(end));
        if over && self.ends.contains(&error) {
            return self.arena.bool(false);
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        if says_not_found(last)
            || matches!(last, "Nil" | "ErrNil" | "ErrCacheMiss" | "ErrNoDocuments" | "ENOENT" | "ESRCH")
        {
            return self.not_found(error);
        }
        let (raised, unknown) = (self.raised(error), self.opaque(node));
        self.arena.and(raised, unknown)
    }

    /// After `errors.As(err, &target)` the target says what the error says.
    fn error_as(&mut self, target: Node<'a>, error: ExprId) {
        if let Some(local) = target.operand().and_then(|n| self.local_of(n)) {
            self.pending.push(Stmt::Let(Place::Name(local), error));
        }
    }

    /// `errors.Join(a, b)`, `errors.Join(errs...)`, `NewAggregate(errs)`: a failure where one of them is.
    fn any_error(&mut self, given: &[Node<'a>]) -> ExprId {
        let mut some = Vec::new();
        for node in given {
            let value = self.error_value(*node);
            some.push(if self.is_error(*node) { self.raised(value) } else { value });
        }
        let (failed, nothing) = (self.lit(Lit::Failed), self.nothing());
        match self.fold(Bin::Or, some) {
            Some(some) => self.arena.choose(some, failed, nothing),
            None => nothing,
        }
    }

    /// The error that a call wraps and gives on: it is one exactly where that is one.
    fn wraps(&self, node: Node<'a>) -> Option<Node<'a>> {
        let (function, given) = (node.function()?, parts(node.arguments()?));
        let name = self.text(function.field().unwrap_or(function));
        let wrapping =
            matches!(name, "Wrap" | "Wrapf" | "WithMessage" | "WithMessagef" | "WithStack" | "Trace" | "ToNillable");
        let first = given.first().copied().filter(|n| wrapping && self.is_error(*n));
        let ignores = name.starts_with("Ignore") && given.len() == 1;
        let last = given.last().copied();
        first.or(if ignores {
            last
        } else if name == "Errorf" && self.text(function) == "fmt.Errorf" {
            last.filter(|n| given.len() > 1 && kind(*n) == K::Ident && self.is_error(*n))
        } else {
            None
        })
    }

    /// A local that is not to be taken for an error that is known.
    pub fn unlearn(&mut self, local: crate::ir::Sym) {
        let name = self.local(local);
        self.failed.retain(|e| *e != name);
        self.pairs.retain(|e, v| *e != name && *v != name);
    }

    /// Field of a name as text: for what is said of a status.
    pub fn says_gone(&self, e: ExprId) -> bool {
        match self.arena.get(e) {
            Expr::Lit(Lit::Num(404)) => true,
            Expr::Path(p) => *p == sym("net.http.StatusNotFound"),
            _ => false,
        }
    }
}

/// `IsNotFound`, `os.IsNotExist`, `ErrRecordNotFound`, `NoSuchKey`, `ErrNoRows`, `ErrNoTicket`
pub(super) fn says_not_found(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let named = ["notfound", "notexist", "norows", "nosuch", "doesnotexist"].iter().any(|w| lower.contains(w));
    (named || lacks_one(name)) && !lower.starts_with("ignore")
}

/// `ErrNoTicket`: there is none. What an operation lacks to be done is no thing that was asked for.
fn lacks_one(name: &str) -> bool {
    const MEANS: [&str; 14] = [
        "Progress",
        "Space",
        "Permission",
        "Access",
        "Auth",
        "Connection",
        "Response",
        "Leader",
        "Quorum",
        "Capacity",
        "Deadline",
        "Change",
        "Retry",
        "Route",
    ];
    let thing = name.strip_prefix("ErrNo").filter(|t| t.starts_with(char::is_uppercase));
    thing.is_some_and(|t| !MEANS.iter().any(|m| t.starts_with(m)))
}

/// Functions that make an error.
fn makes_error(name: &str) -> bool {
    matches!(name, "Errorf" | "Err" | "Error" | "ExtractErr")
}

/// Functions that do something, and give only whether they could.
fn acts(name: &str) -> bool {
    ["Del", "Remove", "Create", "Update", "Patch", "Close", "Put", "Save", "Write", "Stop", "Kill", "Wait", "Send"]
        .iter()
        .any(|verb| name.starts_with(verb))
}

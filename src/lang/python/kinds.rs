//! The syntax nodes by number. `Node::kind` compares text; the lowering asks for the kind of every node, so the names of
//! the grammar are turned into an enum once.
//!
//! ```text
//! x = f(y)        expression_statement > assignment > call        K::ExprStmt > K::Assignment > K::Call
//! ```

use std::sync::OnceLock;
use tree_sitter::{Language, Node};

/// The grammar.
pub(super) fn language() -> &'static Language {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    LANGUAGE.get_or_init(|| tree_sitter_python::LANGUAGE.into())
}

macro_rules! kinds {
    ($($kind:ident $name:literal)*) => {
        /// The kinds of syntax nodes the lowering knows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum K { $($kind,)* Token, Other, Error }
        fn by_name(name: &str) -> K {
            match name { $($name => K::$kind,)* _ => K::Other }
        }
    };
}

kinds! {
    Aliased "aliased_import" ArgList "argument_list" AsPattern "as_pattern" AsTarget "as_pattern_target"
    Assert "assert_statement" Assignment "assignment" Attribute "attribute" AugAssign "augmented_assignment"
    Await "await" Binary "binary_operator" Block "block" BoolOp "boolean_operator" Break "break_statement"
    Call "call" CaseClause "case_clause" CasePattern "case_pattern" Chevron "chevron" ClassDef "class_definition"
    ClassPattern "class_pattern" Comment "comment" Comparison "comparison_operator" ComplexPattern "complex_pattern"
    Concat "concatenated_string" Conditional "conditional_expression" Continue "continue_statement"
    Decorated "decorated_definition" Decorator "decorator" DefaultParam "default_parameter"
    Del "delete_statement" DictPattern "dict_pattern" DictSplat "dictionary_splat"
    DictSplatPattern "dictionary_splat_pattern" Dict "dictionary" DictComp "dictionary_comprehension"
    DottedName "dotted_name" Elif "elif_clause" Ellipsis "ellipsis" Else "else_clause" Escape "escape_sequence"
    EscapeBrace "escape_interpolation" Except "except_clause" Exec "exec_statement" ExprList "expression_list"
    ExprStmt "expression_statement" False "false" Finally "finally_clause" Float "float" ForIn "for_in_clause"
    For "for_statement" FormatExpr "format_expression" FormatSpec "format_specifier" FuncDef "function_definition"
    Future "future_import_statement" Generator "generator_expression" GenericType "generic_type"
    Global "global_statement" Ident "identifier" IfClause "if_clause" If "if_statement" ImportFrom "import_from_statement"
    Import "import_statement" Integer "integer" Interpolation "interpolation" KeywordArg "keyword_argument"
    KeywordIdent "keyword_identifier" KeywordPattern "keyword_pattern" KeywordSep "keyword_separator" Lambda "lambda"
    LambdaParams "lambda_parameters" List "list" ListComp "list_comprehension" ListPattern "list_pattern"
    ListSplat "list_splat" ListSplatPattern "list_splat_pattern" Match "match_statement" MemberType "member_type"
    Module "module" Named "named_expression" None "none" Nonlocal "nonlocal_statement" NotOp "not_operator" Pair "pair"
    Params "parameters" Paren "parenthesized_expression" Pass "pass_statement" PatternList "pattern_list"
    PosSep "positional_separator" Print "print_statement" Raise "raise_statement" RelativeImport "relative_import"
    Return "return_statement" Set "set" SetComp "set_comprehension" Slice "slice" SplatPattern "splat_pattern"
    SplatType "splat_type" String "string" StringContent "string_content" StringEnd "string_end"
    StringStart "string_start" Subscript "subscript" True "true" Try "try_statement" Tuple "tuple"
    TuplePattern "tuple_pattern" Type "type" TypeAlias "type_alias_statement" TypeParam "type_parameter"
    TypedDefaultParam "typed_default_parameter" TypedParam "typed_parameter" Unary "unary_operator"
    UnionPattern "union_pattern" UnionType "union_type" While "while_statement" Wildcard "wildcard_import"
    With "with_statement" WithClause "with_clause" WithItem "with_item" Yield "yield"
}

/// The kind of a node.
pub(super) fn kind(node: Node) -> K {
    static TABLE: OnceLock<Vec<K>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let count = u16::try_from(language().node_kind_count()).unwrap_or(u16::MAX);
        (0..count)
            .map(|id| match language().node_kind_for_id(id) {
                Some(name) if language().node_kind_is_named(id) => by_name(name),
                _ => K::Token,
            })
            .collect()
    });
    if node.is_missing() {
        return K::Error;
    }
    table.get(usize::from(node.kind_id())).copied().unwrap_or(K::Error)
}

/// The grammar's name for the kind of a node.
pub(super) fn kind_name(node: Node) -> &'static str {
    match node.is_missing() {
        true => "MISSING",
        false => language().node_kind_for_id(node.kind_id()).unwrap_or("ERROR"),
    }
}

macro_rules! fields {
    ($($field:ident)*) => {
        struct Fields { $($field: u16,)* }
        fn fields() -> &'static Fields {
            static FIELDS: OnceLock<Fields> = OnceLock::new();
            let id = |name| language().field_id_for_name(name).map_or(0, u16::from);
            FIELDS.get_or_init(|| Fields { $($field: id(stringify!($field)),)* })
        }
        /// The children of a node by the names that the grammar gives them.
        pub(super) trait Child<'t>: Sized {
            $(fn $field(self) -> Option<Node<'t>>;)*
        }
        impl<'t> Child<'t> for Node<'t> {
            $(fn $field(self) -> Option<Node<'t>> { self.child_by_field_id(fields().$field) })*
        }
    };
}

fields! {
    alias alternative argument arguments attribute body cause condition consequence definition expression
    format_specifier function guard key left name object operator parameters right superclasses
    value
}

/// The type of an annotated name. (`type` is a keyword of Rust.)
pub(super) fn annotation(node: Node) -> Option<Node> {
    static FIELD: OnceLock<u16> = OnceLock::new();
    let id = || language().field_id_for_name("type").map_or(0, u16::from);
    node.child_by_field_id(*FIELD.get_or_init(id))
}

/// The named children of a node in order, without comments.
pub(super) fn parts(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.is_extra()).collect()
}

/// The first named child.
pub(super) fn first(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|n| !n.is_extra())
}

/// Did the parser have to guess here: does a syntax error stand directly in this node? What a guess says is not used.
pub(super) fn broken(node: Node) -> bool {
    node.has_error() && node.children(&mut node.walk()).any(|n| n.is_error() || n.is_missing())
}

/// The same, of the head of a compound statement.
pub(super) fn broken_head(node: Node) -> bool {
    let wrong = |n: Node| n.is_error() || n.is_missing();
    node.has_error() && node.children(&mut node.walk()).take_while(|n| kind(*n) != K::Block).any(wrong)
}

/// The first token of a node that is one of these, as `not in` or `+=`.
pub(super) fn has_token(node: Node, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|n| !n.is_named() && n.kind() == token)
}

//! The syntax nodes by number, as those of Python are: the names of the grammar are turned into an enum once.
//!
//! ```text
//! x := f(y)        short_var_declaration > call_expression        K::Define > K::Call
//! ```

use std::sync::OnceLock;
use tree_sitter::{Language, Node};

/// The grammar.
pub(super) fn language() -> &'static Language {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    LANGUAGE.get_or_init(|| tree_sitter_go::LANGUAGE.into())
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
    ArgList "argument_list" ArrayType "array_type" Assign "assignment_statement" Binary "binary_expression"
    Blank "blank_identifier" Block "block" Break "break_statement" Call "call_expression" ChanType "channel_type"
    Comment "comment" CommCase "communication_case" Composite "composite_literal" ConstDecl "const_declaration"
    ConstSpec "const_spec" Continue "continue_statement" Dec "dec_statement" Default "default_case"
    Defer "defer_statement" Define "short_var_declaration" Empty "empty_statement" Escape "escape_sequence"
    ExprCase "expression_case" ExprList "expression_list" ExprStmt "expression_statement"
    Fallthrough "fallthrough_statement" False "false" FieldDecl "field_declaration"
    FieldIdent "field_identifier" FieldList "field_declaration_list" Float "float_literal" ForClause "for_clause"
    For "for_statement" FuncDecl "function_declaration" FuncLit "func_literal" FuncType "function_type"
    GenericType "generic_type" Go "go_statement" Goto "goto_statement" Ident "identifier" If "if_statement"
    Imaginary "imaginary_literal" ImportDecl "import_declaration" Inc "inc_statement" Index "index_expression"
    Int "int_literal" InterfaceType "interface_type" Iota "iota" KeyedElement "keyed_element" LabelName "label_name"
    Labeled "labeled_statement" LiteralElement "literal_element" LiteralValue "literal_value" MapType "map_type"
    Method "method_declaration" NegatedType "negated_type" Nil "nil" OpenArrayType "implicit_length_array_type"
    Package "package_clause" PackageIdent "package_identifier" ParamDecl "parameter_declaration"
    ParamList "parameter_list" Paren "parenthesized_expression" ParenType "parenthesized_type"
    PointerType "pointer_type" QualifiedType "qualified_type" RangeClause "range_clause"
    RawContent "raw_string_literal_content" RawString "raw_string_literal" Receive "receive_statement"
    Return "return_statement" Rune "rune_literal" Select "select_statement" Selector "selector_expression"
    Send "send_statement" Slice "slice_expression" SliceType "slice_type" SourceFile "source_file"
    StatementList "statement_list" String "interpreted_string_literal" StringContent "interpreted_string_literal_content"
    StructType "struct_type" Switch "expression_switch_statement" True "true" TypeAlias "type_alias"
    TypeArgs "type_arguments" TypeAssert "type_assertion_expression" TypeCase "type_case"
    TypeConversion "type_conversion_expression" TypeDecl "type_declaration" TypeElem "type_elem"
    TypeIdent "type_identifier" TypeInstance "type_instantiation_expression" TypeSpec "type_spec"
    TypeSwitch "type_switch_statement" Unary "unary_expression" VarDecl "var_declaration" VarSpec "var_spec"
    VarSpecList "var_spec_list" VariadicArg "variadic_argument" VariadicParam "variadic_parameter_declaration"
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
    alias alternative arguments body communication condition consequence element field function index
    initializer key label left name operand operator parameters receiver result right
    update value
}

/// The type that a node gives or is of. (`type` is a keyword of Rust.)
pub(super) fn type_of(node: Node) -> Option<Node> {
    static FIELD: OnceLock<u16> = OnceLock::new();
    let id = || language().field_id_for_name("type").map_or(0, u16::from);
    node.child_by_field_id(*FIELD.get_or_init(id))
}

/// The children of a node that bear one name of the grammar.
pub(super) fn all<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(|n| n.is_named()).collect()
}

/// The named children of a node in order, without comments.
pub(super) fn parts(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.is_extra()).collect()
}

/// The same with what was not understood, where statements are.
pub(super) fn parts_and_errors(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.is_extra() || n.is_error()).collect()
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

/// Is there a token like this among the children?
pub(super) fn has_token(node: Node, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|n| !n.is_named() && n.kind() == token)
}

/// Every node below one, itself first; where the visit says no, nothing below it.
pub(super) fn each<'t>(root: Node<'t>, visit: &mut dyn FnMut(Node<'t>) -> bool) {
    let mut cursor = root.walk();
    let mut depth = 0u32;
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            depth -= 1;
        }
    }
}

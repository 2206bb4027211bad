//! The possible mistakes at one spot of a program, as edits of its text.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ReturnType, Stmt, Type};

use crate::rewrite::Edit;

/// A mistake at one spot.
pub struct Spot {
    pub what: String,
    pub edits: Vec<Edit>,
}

impl Spot {
    fn around(what: String, place: Range<usize>, before: &str, after: &str) -> Self {
        let edits = vec![opens(place.start, before), closes(place.end, after)];
        Self { what, edits }
    }
}

fn opens(at: usize, text: &str) -> Edit {
    Edit {
        place: at..at,
        text: text.to_owned(),
        closes: false,
    }
}

fn closes(at: usize, text: &str) -> Edit {
    Edit {
        place: at..at,
        text: text.to_owned(),
        closes: true,
    }
}

/// Returns the text of something on one line, shortened if it is long.
fn shown(text: &str, spanned: &impl Spanned) -> String {
    let text = &text[spanned.span().byte_range()];
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(70) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Negates a condition.
pub fn negated(text: &str, condition: &Expr) -> Spot {
    let what = format!("`{}` turned around", shown(text, condition));
    Spot::around(what, condition.span().byte_range(), "(MUTANT != (", "))")
}

/// Deletes a statement.
pub fn deleted(text: &str, statement: &Stmt) -> Spot {
    let what = format!("`{}` deleted", shown(text, statement));
    Spot::around(what, statement.span().byte_range(), "if !MUTANT { ", " }")
}

/// Whether a statement is worth deleting: a call, an assignment, an `assert!`.
pub fn can_be_deleted(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(Expr::Call(call), Some(_)) => !drops(call),
        Stmt::Expr(Expr::MethodCall(call), Some(_)) => !asks_in_advance(call),
        Stmt::Expr(Expr::Assign(_), Some(_)) => true,
        Stmt::Expr(Expr::Binary(binary), Some(_)) => binary_assigns(&binary.op),
        Stmt::Macro(it) => it.semi_token.is_some() && it.mac.path.is_ident("assert"),
        _ => false,
    }
}

/// Whether it only reserves memory, which would otherwise be allocated on demand.
fn asks_in_advance(call: &syn::ExprMethodCall) -> bool {
    call.method == "reserve"
}

/// Whether it drops a value that would be dropped soon anyway.
fn drops(call: &syn::ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident("drop"))
}

fn binary_assigns(operator: &BinOp) -> bool {
    use BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign,
        ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        operator,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | BitXorAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// Returns the mistakes at an operator. If `plain`, the comparison is already negated elsewhere.
pub fn binary(text: &str, binary: &syn::ExprBinary, plain: bool) -> Vec<Spot> {
    let (left, right) = (&*binary.left, &*binary.right);
    match &binary.op {
        BinOp::And(_) if !has_let(left) && !has_let(right) => {
            sides(text, left, right, ("(MUTANT || (", "))", "&&"))
        }
        BinOp::Or(_) => sides(text, left, right, ("(!MUTANT && (", "))", "||")),
        BinOp::Lt(_) => vec![bound(text, binary, "<=", "<")],
        BinOp::Le(_) => vec![bound(text, binary, "<", "<=")],
        BinOp::Gt(_) => vec![bound(text, binary, ">=", ">")],
        BinOp::Ge(_) => vec![bound(text, binary, ">", ">=")],
        BinOp::Eq(_) | BinOp::Ne(_) if !plain => {
            let what = format!("`{}` turned around", shown(text, binary));
            vec![Spot::around(
                what,
                binary.span().byte_range(),
                "(MUTANT != (",
                "))",
            )]
        }
        operator => {
            neutral(operator).map_or(Vec::new(), |neutral| vec![without(text, binary, neutral)])
        }
    }
}

/// Ignores one side of `&&` or `||`.
fn sides(
    text: &str,
    left: &Expr,
    right: &Expr,
    (open, close, operator): (&str, &str, &str),
) -> Vec<Spot> {
    let side = |side: &Expr| {
        let what = format!("`{}` of `{operator}` does not count", shown(text, side));
        Spot::around(what, side.span().byte_range(), open, close)
    };
    vec![side(left), side(right)]
}

/// Includes or excludes the bound of a comparison.
fn bound(text: &str, binary: &syn::ExprBinary, wrong: &str, right: &str) -> Spot {
    let (start, end) = (
        binary.span().byte_range().start,
        binary.span().byte_range().end,
    );
    let between = binary.left.span().byte_range().end..binary.right.span().byte_range().start;
    let choice = format!(
        ")) {{ (left, right) => if MUTANT {{ left {wrong} right }} else {{ left {right} right }} }})"
    );
    Spot {
        what: format!("`{}` with `{wrong}`", shown(text, binary)),
        edits: vec![
            opens(start, "(match (&("),
            Edit {
                place: between,
                text: "), &(".to_owned(),
                closes: true,
            },
            closes(end, &choice),
        ],
    }
}

/// Returns the operand that changes nothing.
fn neutral(operator: &BinOp) -> Option<&'static str> {
    use BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Shl, Shr, Sub};
    match operator {
        Add(_) | Sub(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_) => Some("0"),
        Mul(_) | Div(_) => Some("1"),
        BitAnd(_) => Some("!0"),
        _ => None,
    }
}

/// Deletes the right operand of arithmetic.
fn without(text: &str, binary: &syn::ExprBinary, neutral: &str) -> Spot {
    let what = format!("`{}` without what is on the right", shown(text, binary));
    let before = format!("(if MUTANT {{ {neutral} }} else {{ ");
    Spot::around(what, binary.right.span().byte_range(), &before, " })")
}

/// Makes a function return immediately.
pub fn returns(text: &str, signature: &syn::Signature, block: &syn::Block) -> Vec<Spot> {
    let body = text[block.span().byte_range()]
        .trim_matches(['{', '}'])
        .trim();
    let values = match &signature.output {
        ReturnType::Default => vec![""],
        ReturnType::Type(_, result) => plain_values(result),
    };
    let is_short_way = is_short_way(&signature.ident.to_string());
    let values = values.into_iter().filter(|value| *value != body);
    let values = values.filter(|value| !(is_short_way && *value == "None"));
    let at = block.brace_token.span.open().byte_range().end;
    let returns = |value: &str| Spot {
        what: format!(
            "returns {}",
            if value.is_empty() { "at once" } else { value }
        ),
        edits: vec![opens(at, &format!(" if MUTANT {{ return {value}; }}"))],
    };
    values.map(returns).collect()
}

/// Whether a function is an optional fast path: if it returns `None`, the slow path does the same.
fn is_short_way(name: &str) -> bool {
    name == "known" || name.starts_with("known_") || name.ends_with("_beside")
}

/// Returns the simplest values of a type.
fn plain_values(result: &Type) -> Vec<&'static str> {
    let Type::Path(path) = result else {
        return Vec::new();
    };
    let Some(last) = path.path.segments.last() else {
        return Vec::new();
    };
    match last.ident.to_string().as_str() {
        "bool" => vec!["false", "true"],
        "usize" | "u8" | "u32" | "u64" | "i32" | "u128" => vec!["0", "1"],
        "Option" => vec!["None"],
        "Vec" => vec!["Vec::new()"],
        "String" => vec!["String::new()"],
        "Result" => vec!["Ok(())"], // does not compile if there is a value
        _ => Vec::new(),
    }
}

/// Whether the body of a closure is a condition.
pub fn is_true_or_false(body: &Expr) -> bool {
    match body {
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::And(_)
                | BinOp::Or(_)
                | BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
        ),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Not(_)),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let questions = ["is_", "has_", "can_", "are_", "shares"];
            let asks = questions.iter().any(|start| name.starts_with(start));
            asks || ["any", "all", "contains", "contains_key", "insert"].contains(&&*name)
        }
        _ => false,
    }
}

/// Whether a condition binds something.
pub fn has_let(condition: &Expr) -> bool {
    struct Lets(bool);
    impl<'ast> Visit<'ast> for Lets {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &'ast syn::Block) {}
    }
    let mut lets = Lets(false);
    visit::visit_expr(&mut lets, condition);
    lets.0
}

/// Returns the implemented trait, if there is one.
pub fn trait_of(item: &syn::ItemImpl) -> Option<String> {
    let path = item.trait_.as_ref().map(|parts| &parts.0)?;
    path.segments.last().map(|last| last.ident.to_string())
}

/// Returns the type of an implementation.
pub fn type_of(item: &syn::ItemImpl) -> String {
    match &*item.self_ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or_else(String::new, |last| last.ident.to_string()),
        _ => "_".to_owned(),
    }
}

//! Finds the mutants of a file.
//!
//! A function returns immediately, with nothing or the simplest value; a statement is deleted; a
//! condition is negated; one side of `&&` and `||` is ignored; a comparison includes or excludes its
//! bound; an operand of arithmetic is deleted.

use std::fmt;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Stmt};

use crate::rewrite::Edit;
use crate::spots::{self, Spot};

/// A small mistake.
pub struct Mutant {
    pub file: String,
    pub line: usize,
    /// The function that contains it.
    pub within: String,
    pub what: String,
    pub edits: Vec<Edit>,
}

impl Mutant {
    /// Returns its name, which does not depend on its line.
    pub fn name(&self) -> String {
        format!("{}: {}: {}", self.file, self.within, self.what)
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line, within) = (&self.file, self.line, &self.within);
        write!(f, "{file}:{line}: {within}: {}", self.what)
    }
}

/// Returns the mutants of a file, outer before inner.
pub fn mutants_of(path: &str) -> Vec<Mutant> {
    let text = std::fs::read_to_string(path).expect("a file that is listed");
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut finder = Finder {
        path,
        text: &text,
        within: Vec::new(),
        plain: None,
        found: Vec::new(),
    };
    finder.visit_file(&file);
    finder.found
}

struct Finder<'a> {
    path: &'a str,
    text: &'a str,
    within: Vec<String>,
    /// A condition that is negated as a whole.
    plain: Option<std::ops::Range<usize>>,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn add(&mut self, line: usize, spot: Spot) {
        self.found.push(Mutant {
            file: self.path.to_owned(),
            line,
            within: self.within.join("::"),
            what: spot.what,
            edits: spot.edits,
        });
    }

    fn add_all(&mut self, spanned: &impl Spanned, spots: Vec<Spot>) {
        let line = spanned.span().start().line;
        spots.into_iter().for_each(|spot| self.add(line, spot));
    }

    /// Negates a condition.
    fn condition(&mut self, condition: &Expr) {
        if !spots::has_let(condition) {
            self.add_all(condition, vec![spots::negated(self.text, condition)]);
            self.plain = Some(condition.span().byte_range());
        }
    }

    fn function(
        &mut self,
        signature: &syn::Signature,
        block: &syn::Block,
        attributes: &[Attribute],
    ) {
        // Checks that are called only by tests count as tests.
        let is_check = signature.ident.to_string().starts_with("check_invariants");
        if signature.constness.is_some() || is_check || is_test(attributes) {
            return;
        }
        self.within.push(signature.ident.to_string());
        self.add_all(
            &signature.ident,
            spots::returns(self.text, signature, block),
        );
        self.visit_block(block);
        self.within.pop();
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block, &item.attrs);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block, &item.attrs);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, &item.attrs);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let is_text = spots::trait_of(item).is_some_and(|name| name == "Debug");
        if !is_text && !is_test(&item.attrs) {
            self.within.push(spots::type_of(item));
            visit::visit_item_impl(self, item);
            self.within.pop();
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if spots::can_be_deleted(statement) {
            self.add_all(statement, vec![spots::deleted(self.text, statement)]);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::If(expression) => self.condition(&expression.cond),
            Expr::While(expression) => self.condition(&expression.cond),
            Expr::Binary(binary) => {
                let is_plain = self.plain.as_ref() == Some(&binary.span().byte_range());
                self.add_all(binary, spots::binary(self.text, binary, is_plain));
            }
            Expr::Closure(closure) if spots::is_true_or_false(&closure.body) => {
                self.condition(&closure.body);
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr); // the length is a constant
    }

    // Constant expressions cannot be switched at run time.
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
}

fn is_test(attributes: &[Attribute]) -> bool {
    let mut attributes = attributes.iter();
    attributes.any(|it| match &it.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => {
            list.path.is_ident("cfg") && list.tokens.to_string().starts_with("test")
        }
        syn::Meta::NameValue(_) => false,
    })
}

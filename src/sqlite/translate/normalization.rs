//! `normalize(text, NFC)` and `text IS NFC NORMALIZED`, whose forms are key words.

use sqlparser::ast::{Expr, NormalizationForm};

use super::{
    Result, Translator, Ty, refuse,
    scope::Typed,
    sql_expr::{call, not_if, text as string},
};

const FORMS: [&str; 4] = ["nfc", "nfd", "nfkc", "nfkd"];

impl Translator<'_> {
    pub(super) fn normalized(&mut self, text: &Expr, form: Option<&Expr>) -> Result<Typed> {
        let form = match form {
            None => "nfc".to_owned(),
            Some(Expr::Identifier(name)) if name.quote_style.is_none() => {
                let form = name.value.to_ascii_lowercase();
                if !FORMS.contains(&form.as_str()) {
                    let message = format!("syntax error at or near \"{name}\"");
                    return refuse("42601", message, self.at(name));
                }
                form
            }
            Some(other) => return refuse("42601", format!("syntax error at or near \"{other}\""), None),
        };
        let text = self.text(text)?;
        Ok(Typed::new(call("pg_normalize", [text, string(form)]), Ty::Text).named("normalize"))
    }

    pub(super) fn is_normalized(
        &mut self,
        text: &Expr,
        form: Option<NormalizationForm>,
        negated: bool,
    ) -> Result<Typed> {
        let form = form.map_or_else(|| "nfc".to_owned(), |form| form.to_string().to_ascii_lowercase());
        let text = self.text(text)?;
        let is_normalized = call("pg_is_normalized", [text, string(form)]);
        let found = Typed::new(not_if(negated, is_normalized), Ty::Bool);
        Ok(if negated {
            found
        } else {
            found.named("is_normalized")
        })
    }
}

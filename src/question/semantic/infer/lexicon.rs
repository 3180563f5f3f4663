//! What the words of names say of columns and tables. Words stand as their English stems.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::question::schema::words as split;

/// A set of words, known by their stems.
pub(super) struct Words(pub(super) LazyLock<HashSet<String>>);

macro_rules! words {
    ($(#[$meta:meta])* $name:ident: $($text:literal)+) => {
        $(#[$meta])*
        pub(super) static $name: $crate::question::semantic::infer::lexicon::Words = $crate::question::semantic::infer::lexicon::Words(std::sync::LazyLock::new(|| {
            [$($text),+]
                .iter()
                .flat_map(|text| text.split_whitespace())
                .map(crate::question::schema::words::stem)
                .collect()
        }));
    };
}

pub(super) use words;

impl Words {
    /// True if it is one of them.
    pub(super) fn has(&self, stem: &str) -> bool {
        self.0.contains(stem)
    }

    /// True if one of these is one of them.
    pub(super) fn any(&self, stems: &[String]) -> bool {
        stems.iter().any(|stem| self.has(stem))
    }

    /// True if the last of these is one of them.
    pub(super) fn last(&self, stems: &[String]) -> bool {
        stems.last().is_some_and(|stem| self.has(stem))
    }
}

words! {
    /// What a key is called, beside the thing that it is the key of.
    KEY: "id ids key uuid guid code cd no nr nbr num number ref reference sk pk fk bk oid ean isbn sku barcode serial"
}
words! {
    /// Keys that are keys by this word alone, whatever stands before it.
    SURE_KEY: "id uuid guid key sk pk fk"
}
words! {
    /// Numbers that mean a place in an order, a version or a mark: nothing is reckoned with them.
    ORDINAL: "no nr nbr number num position pos seq sequence version line row index idx order rank ranking floor round lap grid \
              zip zipcode postal postcode postalcode phone fax mobile ssn iban swift bic code cd latitude lat longitude lon lng long \
              x y tier lvl priority prio severity sev band cycle cyc offset centre center ctr account acct gl pin barcode serial \
              port year month day week hour weekday quarter season episode chapter page id attempt level stage generation grade"
}
words! {
    /// Numbers that are averaged: what a thing has, per unit.
    INTENSIVE: "reading rdg price prc rate rt ratio pct percent percentage share score rating stars star age height weight temperature temp speed \
                discount tariff fee per average avg mean median humidity pressure density margin probability confidence gpa \
                satisfaction margin yield efficiency wind visibility dew latitude longitude accuracy tax_rate interest threshold \
                limit min max minimum maximum target point reorder rent standing latency ping csat nps lat lon lng bp systolic diastolic pulse bpm kw mw volt voltage amp hz rpm psi width length depth thickness prominence elevation altitude"
}
words! {
    /// Numbers that are added up.
    EXTENSIVE: "adults children kids infants pax riders amount amt total sum qty quantity count cnt cost revenue sales sale profit income expense budget turnover paid \
                payment refund charge value worth hours minutes seconds milliseconds min mins hrs duration time units pieces volume \
                tonnage bytes size population people attendance attendees visitors passengers students employees seats capacity \
                copies votes views clicks downloads likes shares points goals wins losses medals gold silver bronze total \
                salary wage bonus pay credits distance km miles calories stock weight tons killed injured casualties gross net \
                tax vat discount commission gross area acres sqm budgeted claimed spent spend received sent nights days \
                horses cases households enrollment membership headcount fuel kwh litres liters weight kg"
}
words! {
    /// Amounts at one moment, which days must not be added up over.
    STOCK: "balance stock onhand hand inventory outstanding headcount backlog reserve holding aum bal on_hand open"
}
words! {
    /// Columns that name the row.
    NAME: "name nm nam title ttl label fullname displayname username nickname"
}
words! {
    /// Columns of running text.
    PROSE: "description dsc desc descr comment comments note notes remark remarks text message body content summary details review \
            bio biography abstract explanation hypothesis feedback memo"
}
words! {
    /// Columns of times that a thing has, and that do not make it an event.
    LIFE: "acq acquired acquisition installed installation inst listed commissioned manufactured opn cls clsd term eff conn ins rmv reg birth born birthdate dob birthday hire hired joined join signup signed registered registration enrolled founded \
           established opened open launch launched built since member created updated modified added inserted load loaded \
           introduced release released retire retired left leave leaving terminated death died deceased closed close expiry expires \
           expire valid changed last first seen start end established contract fired dismissed"
}
words! {
    /// Columns of times at which somebody came to own a thing or put it to use: it is there, whatever refers to it.
    ASSET: "acq acquired acquisition installed installation inst commissioned manufactured bought"
}
words! {
    /// What kind or state a number stands for.
    KIND: "status state type typ kind category group grp class sts stat"
}
words! {
    /// Columns of times at which something is written down, which is not when it happened.
    BOOKKEEPING: "updated modified changed inserted load loaded created sync synced etl deleted edited touched last"
}
words! {
    /// Times by which something shall be done.
    PLANNED: "sched due deadline promised planned expected scheduled target estimated expiry expires expire until required requested"
}
words! {
    /// Times at which something was paid.
    PAID: "paid pd payment pay pmt pymt settled settl"
}
words! {
    /// Times at which something ended.
    END: "arr discharged discharge restored delivery vacated solved fixed repaired done rtn rtrn dlv dlvd cls clsd clo term rmv cmpl canc cncl end ended finish finished closed close completed complete resolved settled returned return delivered arrived arrival \
          left leave leaving retired retire removed canceled cancelled cancel churned terminated stop stopped until to departure \
          checkout released deceased died thru through expiry expires posted withdrawn withdrawal discontinued \
          decommissioned resigned fired dismissed quit expelled dropped archived scrapped disposed exit exited lv delisted inactive deactivated"
}
words! {
    /// Times at which something began or happened.
    START: "arr beg opn strt eff start started begin began opened open from date day time at on created ordered order placed issued issue booked booking \
            occurred happened event sold sale purchased purchase paid payment sent received visit visited signed billed bill invoice \
            invoiced rental rented hired checkin arrival departed recorded measured logged posted transaction txn tx trans watched \
            viewed rated assigned"
}
words! {
    /// Tables of things that happened.
    EVENT: "note comment admission inspection outage alert alarm quote enquiry inquiry donation shift scan survey response \
            feedback thread case change surgery encounter checkin checkout viewing dispatch pickup tkt run batch lin ln dtl rdg pymt pmt event log history fact transaction txn trans tx order sale sales purchase payment invoice bill booking reservation \
            appointment visit shipment delivery trip rental loan claim ticket complaint session view click return refund rating \
            review absence attendance enrollment registration subscription usage reading measurement match race game result \
            trade message call transfer movement posting entry log audit incident accident order_line line item detail maintenance \
            prescription treatment stay play watch vote referral application assignment training evaluation payslip"
}
words! {
    /// Last words of tables of persons and firms: they are there, whatever happened to them.
    PARTY: "vet adjuster broker crew shopper keeper coach customer client member supplier vendor employee worker staff person user subscriber patient student teacher \
            doctor nurse driver trainer technician agent tenant owner guest donor volunteer contact company firm partner \
            contractor manufacturer dealer retailer account merchant courier carrier landlord instructor player cust emp"
}
/// The stems of a name's words.
pub(super) fn stems(identifier: &str) -> Vec<String> {
    split::identifier_words(identifier)
        .iter()
        .map(|word| split::stem(word))
        .collect()
}

/// The stems of a table's name, without what only says that it is a table.
pub(super) fn table_stems(identifier: &str) -> Vec<String> {
    let words = split::table_words(identifier);
    words.iter().map(|word| split::stem(word)).collect()
}

/// A column's name as people write it.
pub(super) fn words_of(identifier: &str) -> String {
    split::plain_words(identifier).join(" ")
}

/// True where a word is the beginning or the consonants of another: `cust` of `customer`, `emp`, `prm`.
pub(super) fn abbreviates(short: &str, long: &str) -> bool {
    if short.len() >= long.len()
        || short.is_empty()
        || !short.starts_with(&long[..long.chars().next().map_or(0, char::len_utf8)])
    {
        return false;
    }
    let mut rest = long.chars();
    short
        .chars()
        .all(|wanted| rest.any(|character| character == wanted))
}

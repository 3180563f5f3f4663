//! Questions in sessions whose settings change how SQL and values are read and written.

use super::harness::Relay;

const SETTINGS: &str = "SET standard_conforming_strings = off; SET escape_string_warning = off; SET backslash_quote = off;
    SET quote_all_identifiers = on; SET datestyle = 'SQL, DMY'; SET intervalstyle = 'sql_standard'; SET bytea_output = 'escape';
    SET extra_float_digits = -15; SET transform_null_equals = on; SET array_nulls = off; SET xmloption = 'document';
    SET timezone = 'Asia/Kathmandu'; SET search_path = public";

#[test]
fn the_catalogue_is_read_alike_whatever_a_session_has_set() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    let plain = relay.client().query("-- nl: how many orders are there?");
    let rows = |told: &[String]| -> Vec<String> {
        let rows = told.iter().filter(|line| line.starts_with("D "));
        rows.cloned().collect()
    };
    assert_eq!(rows(&plain).len(), 1, "{plain:?}");
    for begin in ["", "BEGIN"] {
        let mut client = relay.client();
        client.query(SETTINGS);
        client.query(begin);
        // The catalogue has to be read anew, and is then what others go by.
        admin.query("CREATE TABLE IF NOT EXISTS \"of nobody\\\" (id int); CREATE OR REPLACE VIEW \"a view\" AS SELECT 1 AS \"b \\ c\"");
        for _ in 0..2 {
            let told = client.query("-- nl: how many orders are there?");
            assert_eq!(rows(&told), rows(&plain), "{begin}: {told:?}");
        }
        let told = relay.client().query("-- nl: how many orders are there?");
        assert_eq!(rows(&told), rows(&plain), "{told:?}");
        let told = client.query("SHOW datestyle");
        assert!(told.contains(&"D SQL, DMY".to_owned()), "{told:?}");
        admin.query("DROP VIEW \"a view\"");
    }
}

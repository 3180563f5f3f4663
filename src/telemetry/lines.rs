//! Lines at the end of a file that others may read meanwhile, on a disk that may be full.

use std::{
    fs::File,
    io::{self, Write},
};

/// Appends lines, or as many whole ones as there is room for. Those that are lost are counted.
pub fn append_lines(file: &mut File, lines: &[u8]) -> Result<(), (io::Error, u64)> {
    let mut rest = lines;
    while !rest.is_empty() {
        let error = match file.write(rest) {
            Ok(0) => io::ErrorKind::WriteZero.into(),
            Ok(written) => {
                rest = &rest[written..];
                continue;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => error,
        };
        let written = &lines[..lines.len() - rest.len()];
        let whole = written
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        // Half a line would spoil the next one. What is no file keeps it.
        if let Ok(known) = file.metadata()
            && known.is_file()
        {
            drop(file.set_len(known.len().saturating_sub((written.len() - whole) as u64)));
        }
        let lost = lines[whole..].split(|byte| *byte == b'\n').skip(1).count();
        return Err((error, lost as u64));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Read};

    use super::*;

    /// A disk that is always full.
    #[test]
    fn what_finds_no_room_is_counted() {
        let mut full = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let (error, lost) = append_lines(&mut full, b"one\ntwo\n").unwrap_err();
        assert_eq!((error.kind(), lost), (io::ErrorKind::StorageFull, 2));
    }

    #[test]
    fn whole_lines_are_appended() {
        let mut file = tempfile::tempfile().unwrap();
        append_lines(&mut file, b"one\n").unwrap();
        append_lines(&mut file, b"two\n").unwrap();
        let mut text = String::new();
        io::Seek::rewind(&mut file).unwrap();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\ntwo\n");
    }
}

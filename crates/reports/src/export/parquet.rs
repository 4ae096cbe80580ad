//! A writer of Parquet files with flat columns: two physical types, plain values, pages compressed by gzip. The format's own
//! crate brings sixteen others and takes longer to build than this whole one; nested columns, statistics and other
//! encodings are not needed here. See <https://parquet.apache.org/docs/file-format/>.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Cell, Column, ColumnKind};

const MAGIC: &[u8] = b"PAR1";

/// A row group is written when its values take so many bytes, or it has so many rows: memory stays the same however long
/// the file becomes.
const GROUP_BYTES: usize = 16 << 20;
const GROUP_ROWS: u32 = 100_000;

/// Names in the format's own enumerations.
const INT64: i64 = 2;
const BYTE_ARRAY: i64 = 6;
const UTF8: i64 = 0;
const TIMESTAMP_MILLIS: i64 = 9;
const REQUIRED: i64 = 0;
const OPTIONAL: i64 = 1;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const GZIP: i64 = 2;
const DATA_PAGE: i64 = 0;

/// A file being written.
pub(super) struct ParquetFile<W: Write> {
    output: W,
    written: i64,
    columns: &'static [Column],
    values: Vec<Values>,
    rows: u32,
    groups: Vec<Group>,
}

/// The values of one column in the group that is being gathered.
#[derive(Default)]
struct Values {
    bytes: Vec<u8>,
    /// For each row, whether it has a value.
    present: Vec<bool>,
}

/// A row group that was written.
struct Group {
    rows: u32,
    bytes: i64,
    chunks: Vec<Chunk>,
}

/// A column of a row group.
struct Chunk {
    offset: i64,
    values: u32,
    compressed: i64,
    uncompressed: i64,
}

impl<W: Write> ParquetFile<W> {
    pub(super) fn new(mut output: W, columns: &'static [Column]) -> io::Result<ParquetFile<W>> {
        output.write_all(MAGIC)?;
        let values = columns.iter().map(|_| Values::default()).collect();
        Ok(ParquetFile {
            output,
            written: length(MAGIC.len())?,
            columns,
            values,
            rows: 0,
            groups: Vec::new(),
        })
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let mut bytes = 0_usize;
        for (values, cell) in self.values.iter_mut().zip(cells) {
            match cell {
                Cell::Integer(value) => values.bytes.extend(value.to_le_bytes()),
                Cell::Text(text) => values.text(text)?,
                Cell::Owned(text) => values.text(text)?,
                Cell::Empty => {}
            }
            values.present.push(*cell != Cell::Empty);
            bytes = bytes.saturating_add(values.bytes.len());
        }
        self.rows = self.rows.saturating_add(1);
        if GROUP_BYTES <= bytes || GROUP_ROWS <= self.rows { self.write_group() } else { Ok(()) }
    }

    /// Writes the rest, and what the file holds.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if 0 < self.rows {
            self.write_group()?;
        }
        let footer = self.footer();
        self.output.write_all(&footer)?;
        let size = u32::try_from(footer.len()).map_err(io::Error::other)?;
        self.output.write_all(&size.to_le_bytes())?;
        self.output.write_all(MAGIC)?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = Group { rows: self.rows, bytes: 0, chunks: Vec::new() };
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            let page = values.page(column.optional)?;
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(&page)?;
            let compressed = gzip.finish()?;
            let header = page_header(self.rows, length(page.len())?, length(compressed.len())?);
            self.output.write_all(&header)?;
            self.output.write_all(&compressed)?;
            let with_header = |bytes: usize| length(bytes.saturating_add(header.len()));
            let chunk = Chunk {
                offset: self.written,
                values: self.rows,
                compressed: with_header(compressed.len())?,
                uncompressed: with_header(page.len())?,
            };
            self.written = self.written.saturating_add(chunk.compressed);
            group.bytes = group.bytes.saturating_add(chunk.uncompressed);
            group.chunks.push(chunk);
        }
        self.groups.push(group);
        self.rows = 0;
        Ok(())
    }

    /// What the file holds: `FileMetaData` of the format.
    fn footer(&self) -> Vec<u8> {
        let rows: u32 = self.groups.iter().map(|group| group.rows).sum();
        let mut thrift = Thrift::default();
        thrift.integer(1, 1);
        thrift.list(2, self.columns.len().saturating_add(1), |thrift, place| match place.checked_sub(1) {
            None => {
                thrift.text(4, "schema");
                thrift.integer(5, i64::try_from(self.columns.len()).unwrap_or(i64::MAX));
            }
            Some(place) => schema(thrift, self.columns.get(place)),
        });
        thrift.long(3, i64::from(rows));
        thrift.list(4, self.groups.len(), |thrift, place| {
            if let Some(group) = self.groups.get(place) {
                self.group(thrift, group);
            }
        });
        thrift.text(6, concat!("megalink ", env!("CARGO_PKG_VERSION")));
        thrift.end();
        thrift.bytes
    }

    fn group(&self, thrift: &mut Thrift, group: &Group) {
        thrift.list(1, group.chunks.len(), |thrift, place| {
            let (Some(chunk), Some(column)) = (group.chunks.get(place), self.columns.get(place)) else {
                return;
            };
            thrift.long(2, chunk.offset);
            thrift.structure(3, |thrift| {
                thrift.integer(1, physical(column));
                thrift.integers(2, &[PLAIN, RLE]);
                thrift.texts(3, &[column.name]);
                thrift.integer(4, GZIP);
                thrift.long(5, i64::from(chunk.values));
                thrift.long(6, chunk.uncompressed);
                thrift.long(7, chunk.compressed);
                thrift.long(9, chunk.offset);
            });
        });
        thrift.long(2, group.bytes);
        thrift.long(3, i64::from(group.rows));
    }
}

fn length(bytes: usize) -> io::Result<i64> {
    i64::try_from(bytes).map_err(io::Error::other)
}

const fn physical(column: &Column) -> i64 {
    match column.kind {
        ColumnKind::Text | ColumnKind::Json => BYTE_ARRAY,
        ColumnKind::Integer | ColumnKind::Time => INT64,
    }
}

/// A column as `SchemaElement` of the format.
fn schema(thrift: &mut Thrift, column: Option<&Column>) {
    let Some(column) = column else { return };
    thrift.integer(1, physical(column));
    thrift.integer(3, if column.optional { OPTIONAL } else { REQUIRED });
    thrift.text(4, column.name);
    match column.kind {
        ColumnKind::Text | ColumnKind::Json => thrift.integer(6, UTF8),
        ColumnKind::Time => thrift.integer(6, TIMESTAMP_MILLIS),
        ColumnKind::Integer => {}
    }
}

fn page_header(rows: u32, uncompressed: i64, compressed: i64) -> Vec<u8> {
    let mut thrift = Thrift::default();
    thrift.integer(1, DATA_PAGE);
    thrift.integer(2, uncompressed);
    thrift.integer(3, compressed);
    thrift.structure(5, |thrift| {
        thrift.integer(1, i64::from(rows));
        thrift.integer(2, PLAIN);
        thrift.integer(3, RLE);
        thrift.integer(4, RLE);
    });
    thrift.end();
    thrift.bytes
}

impl Values {
    fn text(&mut self, text: &str) -> io::Result<()> {
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    /// The page of the values, which are then forgotten: which rows have one where some may not, and the values.
    fn page(&mut self, optional: bool) -> io::Result<Vec<u8>> {
        let mut page = Vec::with_capacity(self.bytes.len());
        if optional {
            let mut levels = Vec::new();
            varint(&mut levels, u64::try_from(self.present.len().div_ceil(8)).unwrap_or(u64::MAX) << 1 | 1);
            for eight in self.present.chunks(8) {
                let bits =
                    eight.iter().rev().fold(0_u8, |bits, is_present| bits << 1 | u8::from(*is_present));
                levels.push(bits);
            }
            page.extend(u32::try_from(levels.len()).map_err(io::Error::other)?.to_le_bytes());
            page.extend(levels);
        }
        page.append(&mut self.bytes);
        self.present.clear();
        Ok(page)
    }
}

/// Thrift's compact protocol, as far as the format needs it.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last_field: u8,
}

/// Types of fields in that protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Thrift {
    /// The head of a field. Fields come in rising order, less than 16 apart.
    fn field(&mut self, number: u8, of: u8) {
        let step = number.saturating_sub(self.last_field);
        self.bytes.push(step << 4 | of);
        self.last_field = number;
    }

    fn zigzag(&mut self, value: i64) {
        varint(&mut self.bytes, (value << 1 ^ value >> 63).cast_unsigned());
    }

    fn integer(&mut self, number: u8, value: i64) {
        self.field(number, I32);
        self.zigzag(value);
    }

    fn long(&mut self, number: u8, value: i64) {
        self.field(number, I64);
        self.zigzag(value);
    }

    fn text(&mut self, number: u8, text: &str) {
        self.field(number, BINARY);
        self.plain_text(text);
    }

    fn plain_text(&mut self, text: &str) {
        varint(&mut self.bytes, u64::try_from(text.len()).unwrap_or(u64::MAX));
        self.bytes.extend(text.as_bytes());
    }

    fn list_head(&mut self, number: u8, length: usize, of: u8) {
        self.field(number, LIST);
        if let Ok(short @ 0..15) = u8::try_from(length) {
            self.bytes.push(short << 4 | of);
        } else {
            self.bytes.push(0xF0 | of);
            varint(&mut self.bytes, u64::try_from(length).unwrap_or(u64::MAX));
        }
    }

    fn integers(&mut self, number: u8, values: &[i64]) {
        self.list_head(number, values.len(), I32);
        for value in values {
            self.zigzag(*value);
        }
    }

    fn texts(&mut self, number: u8, values: &[&str]) {
        self.list_head(number, values.len(), BINARY);
        for text in values {
            self.plain_text(text);
        }
    }

    /// A list of structures.
    fn list(&mut self, number: u8, length: usize, each: impl Fn(&mut Thrift, usize)) {
        self.list_head(number, length, STRUCT);
        for place in 0..length {
            self.inner(|thrift| each(thrift, place));
        }
    }

    fn structure(&mut self, number: u8, write: impl FnOnce(&mut Thrift)) {
        self.field(number, STRUCT);
        self.inner(write);
    }

    fn inner(&mut self, write: impl FnOnce(&mut Thrift)) {
        let outer = std::mem::take(&mut self.last_field);
        write(self);
        self.end();
        self.last_field = outer;
    }

    fn end(&mut self) {
        self.bytes.push(0);
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            bytes.push(low & 0x7F);
            return;
        }
        bytes.push(low | 0x80);
    }
}

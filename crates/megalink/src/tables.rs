//! Tables for people.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// The narrowest and the usual width of a table that no terminal gives one.
const WIDTH: u16 = 120;

/// One line under the head, none between the rows.
const PLAIN: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Lines between the rows too, for cells of several lines.
const RULED: TableStyle = PLAIN.row_separator(LineStyle::none().fill('─').junction('─'));

/// A table of one line a row.
pub(crate) fn plain(head: &[&str]) -> Table {
    styled(PLAIN, head)
}

/// A table whose cells take several lines.
pub(crate) fn ruled(head: &[&str]) -> Table {
    styled(RULED, head)
}

fn styled(style: TableStyle, head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none() {
        table.set_width(WIDTH);
    }
    table.set_header(head);
    table
}

/// Aligns columns of figures to the right.
pub(crate) fn figures(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

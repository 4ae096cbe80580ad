//! Tables for the terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// The width of a table outside a terminal, and the least on one.
const WIDTH: u16 = 120;

/// One line under the header, none between the rows.
const PLAIN: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Also lines between the rows, for cells of several lines.
const RULED: TableStyle = PLAIN.row_separator(LineStyle::none().fill('─').junction('─'));

/// A table with one line per row.
pub(crate) fn plain(head: &[&str]) -> Table {
    styled(PLAIN, head)
}

/// A table whose cells have several lines.
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

/// Aligns columns of numbers to the right.
pub(crate) fn figures(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

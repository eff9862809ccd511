#pragma once

#include <span>

class QTreeView;

namespace et::visualizers {

/// Common look of tables and trees: striped rows of equal height, without a frame.
void dressRows(QTreeView& table);

/// Common look and behaviour of tables: as dressRows(), row selection, multiple selection, model order until
/// a header is clicked, and again after the third click.
void dressTable(QTreeView& table);

/// Fits all columns to their content plus `padding` pixels, up to `widest` pixels.
void fitColumns(QTreeView& table, int padding, int widest);

/// Widens columns that cut off their content, up to `most` characters; wider columns are unchanged.
void widenColumns(QTreeView& table, int most = 56);

/// Sets column widths in characters.
void setColumnWidths(QTreeView& table, std::span<const int> letters);

}  // namespace et::visualizers

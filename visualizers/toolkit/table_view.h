#pragma once

#include <span>

class QTreeView;

namespace et::visualizers {

/// How tables look and sort everywhere: striped, rows chosen as a whole and several at once, in the order of
/// the model until a person clicks on a header, and again after the third click.
void dressTable(QTreeView& table);

/// Gives all columns the width of what is in them and `padding` pixels, up to `widest` pixels.
void fitColumns(QTreeView& table, int padding, int widest);

/// Makes columns wider that cut off what is in them, up to `most` letters; those that a person or the room
/// has made wider stay so.
void widenColumns(QTreeView& table, int most = 56);

/// Gives columns these widths, in letters.
void setColumnWidths(QTreeView& table, std::span<const int> letters);

}  // namespace et::visualizers

#pragma once

class QTreeView;

namespace et::visualizers {

/// How tables look and sort everywhere: striped, rows chosen as a whole and several at once, in the order of
/// the model until a person clicks on a header, and again after the third click.
void dressTable(QTreeView& table);

}  // namespace et::visualizers

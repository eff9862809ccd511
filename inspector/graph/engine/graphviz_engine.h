#pragma once

#include <string>

namespace et::inspector::engine {

/// Lays out a graph in the DOT language and returns its positions, one per line, in points with y pointing
/// down, and a last line "end":
///   graph <width> <height>
///   node <name> <left> <top> <width> <height>
///   cluster <name> <left> <top> <width> <height>
///   edge <tail> <head> <x> <y> ...          a start, then three points for each Bezier piece
/// Empty: Graphviz rejects the graph. Only for et-layout: it may take minutes, and may crash.
[[nodiscard]] std::string layOutDot(const std::string& dot);

}  // namespace et::inspector::engine

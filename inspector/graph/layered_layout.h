#pragma once

#include "inspector/graph/graph_layout.h"

namespace et::inspector {

/// Lays out in rows, consumers below producers, group by group. Less readable than layOut() with many
/// crossing lines, but never fails and takes milliseconds for any graph. Needs no process.
[[nodiscard]] GraphLayout layOutInRows(const LayoutRequest& request);

}  // namespace et::inspector

#pragma once

#include "inspector/graph/graph_layout.h"

namespace et::inspector {

/// Lays out in rows, what takes below what gives, group by group: not pretty where many lines cross, but done
/// within milliseconds for any graph and always, unlike layOut(). Needs no process.
[[nodiscard]] GraphLayout layOutInRows(const LayoutRequest& request);

}  // namespace et::inspector

#pragma once

#include "app/studio/graph/hover_link.h"
#include "inspector/graph/session_graphs.h"
#include "inspector/join/event_blocks.h"
#include "inspector/store/session_store.h"
#include "runtime/core/graph.h"

#include <QString>

#include <vector>

namespace et::studio {

/// Texts of notes by node; empty if there are none. A note refers to nodes by its event in the trace
/// (`link`), or without one by its instruction or debug handle. `blocks` may be null.
[[nodiscard]] std::vector<QString> notedNodes(const std::vector<inspector::store::Note>& notes,
                                              const core::ModelGraph& graph,
                                              const inspector::GraphChoice& choice,
                                              const inspector::EventBlocks* blocks, const HoverLink& link);

}  // namespace et::studio

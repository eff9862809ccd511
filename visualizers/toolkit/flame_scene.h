#pragma once

#include "inspector/events/flame_tree.h"
#include "inspector/join/event_blocks.h"
#include "visualizers/selection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace et::visualizers {

/// A time tree with the position of each node: its left edge in the time of the run, from 0 to the root's
/// total; its width is its total time. Immutable; keeps the tree's blocks alive.
class FlameScene {
  public:
    FlameScene(std::shared_ptr<const inspector::EventBlocks> joined, inspector::events::FlameTree made);

    [[nodiscard]] const inspector::events::FlameTree& tree() const { return shown; }
    [[nodiscard]] const inspector::EventBlocks& blocks() const { return *source; }
    [[nodiscard]] double leftOf(std::size_t node) const { return lefts[node]; }
    [[nodiscard]] double length() const { return shown.root().total; }
    /// The node of a row (0: the root) at a time; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> nodeAt(std::size_t depth, double time) const;
    /// The node of an event; nothing if it is in another block or has no times.
    [[nodiscard]] std::optional<std::size_t> nodeOf(EventRef event) const;
    /// The events of a node and its descendants.
    [[nodiscard]] std::vector<EventRef> eventsOf(std::size_t node) const;
    /// The slowest event of a node and its descendants.
    [[nodiscard]] std::optional<EventRef> slowestOf(std::size_t node) const;

  private:
    std::shared_ptr<const inspector::EventBlocks> source;
    inspector::events::FlameTree shown;
    std::vector<double> lefts;
    std::unordered_map<std::size_t, std::size_t> byEvent;
};

}  // namespace et::visualizers

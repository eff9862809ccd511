#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where the time of a run goes, as a tree: modules, Python calls or delegates around the operators that run
/// in them.
namespace et::inspector::report {

/// What stands around operators.
enum class FlameBy : std::uint8_t {
    Module,    ///< the modules of the model, from its root
    Stack,     ///< the calls of the user's own Python code, outermost first
    Delegate,  ///< who runs it: a backend and its call, or the runtime
    Order,     ///< nothing: each event for itself, in the order in which they ran
};

/// Names and titles: {"module", "Module"}, …
struct FlameByTraits {
    FlameBy by;
    std::string_view name;  ///< as flags and JSON spell it
};
[[nodiscard]] std::optional<FlameBy> flameByFromName(std::string_view name);
[[nodiscard]] std::string_view flameByName(FlameBy by);

/// Times are of one typical run, in the blocks' target unit.
struct FlameNode {
    std::string name;                     ///< "layers", "forward (model.py:12)", "conv2d"
    std::optional<std::size_t> parent{};  ///< nothing: the root
    std::vector<std::size_t> children{};  ///< in the order in which they first ran
    std::vector<std::size_t> events{};    ///< into Block::events: what is this node itself
    double total = 0;                     ///< with its children
    double self = 0;                      ///< without them, never negative
    std::optional<double> before{};       ///< `total` in the tree that it is compared with
    bool isOperator = false;              ///< a leaf that ran, not something around it
    std::size_t depth = 0;
};

struct FlameTree {
    std::size_t block = 0;  ///< index into EventBlocks::blocks()
    FlameBy by = FlameBy::Module;
    std::vector<FlameNode> nodes{};  ///< parents before children; the root first, which is never missing
    std::size_t depth = 0;           ///< of the deepest node

    [[nodiscard]] const FlameNode& root() const { return nodes.front(); }
    /// "model › layers › 0".
    [[nodiscard]] std::string pathOf(std::size_t node) const;
    /// Events of a node and all below it, in the order of the block.
    [[nodiscard]] std::vector<std::size_t> eventsBelow(std::size_t node) const;
};

/// The tree of a block. `rows` are those of `blocks`. What a delegate's call or the method spends beside its
/// parts is a leaf of its own. Nodes that nest deeper than maxFlameDepth are their ancestors' own.
[[nodiscard]] FlameTree flameTree(const EventBlocks& blocks, const EventRows& rows, std::size_t block,
                                  FlameBy by);
inline constexpr std::size_t maxFlameDepth = 64;

/// Says of each node what it took in another tree, by the names on the way to it; 0 where the other has no
/// such node.
void compareWith(FlameTree& tree, const FlameTree& other);

}  // namespace et::inspector::report

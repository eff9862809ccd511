#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

/// The time of a run as a tree: modules, Python calls or delegates, with the operators that run in them.
namespace et::inspector::events {

/// Hierarchy above the operators.
enum class FlameBy : std::uint8_t {
    Module,    ///< modules of the model, from its root
    Stack,     ///< calls in the user's Python code, outermost first
    Delegate,  ///< what runs it: a backend and its call, or the runtime
    Order,     ///< none: single events in execution order
};

/// Times are of one typical run, in the blocks' target unit.
struct FlameNode {
    std::string name;                     ///< "layers", "forward (model.py:12)", "conv2d"
    std::optional<std::size_t> parent{};  ///< empty: the root
    std::vector<std::size_t> children{};  ///< in order of first execution
    std::vector<std::size_t> events{};    ///< into Block::events: events of this node itself
    double total = 0;                     ///< including its children
    double self = 0;                      ///< excluding its children; not negative
    std::optional<double> before{};       ///< `total` in the tree used for comparison
    bool isOperator = false;              ///< a leaf that was executed, not a hierarchy level
    std::size_t depth = 0;
};

struct FlameTree {
    std::size_t block = 0;  ///< index into EventBlocks::blocks()
    FlameBy by = FlameBy::Module;
    std::vector<FlameNode> nodes{};  ///< parents before children; the root is first and always exists
    std::size_t depth = 0;           ///< of the deepest node

    [[nodiscard]] const FlameNode& root() const { return nodes.front(); }
    /// "model › layers › 0".
    [[nodiscard]] std::string pathOf(std::size_t node) const;
    /// Events of a node and all its descendants, in the order of the block.
    [[nodiscard]] std::vector<std::size_t> eventsBelow(std::size_t node) const;
};

/// The tree of a block. `rows` are those of `blocks`. The time of a delegate call or method outside its parts
/// is a separate leaf. Nodes deeper than maxFlameDepth are merged into their ancestors.
[[nodiscard]] FlameTree flameTree(const EventBlocks& blocks, const EventRows& rows, std::size_t block,
                                  FlameBy by);
inline constexpr std::size_t maxFlameDepth = 64;

/// Sets each node's `before` from another tree, matched by path; 0 if the other has no such node.
void compareWith(FlameTree& tree, const FlameTree& other);

/// Writes the time of a typical run as folded stacks: a line for each node of flameTree() with self time,
/// "Inference;forward;stem;conv2d 6405", readable by flamegraph.pl, speedscope and inferno. Includes every
/// block with times; numbers are whole units of the blocks. Characters that would end a name are replaced.
/// Errors: Io.
[[nodiscard]] core::Result<> writeFoldedStacks(const EventBlocks& blocks, FlameBy by, std::ostream& out);

}  // namespace et::inspector::events

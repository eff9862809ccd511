#pragma once

#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector::report {

/// An event in the place that it has in its block's tree of time.
///
/// Events nest: an operator lies within its OPERATOR_CALL, an operator of a delegate within its DELEGATE_CALL
/// (the same chain and instruction), these and all other steps within Method::execute; Method::init lies
/// within Program::load_method. `self` is what an event's parts leave of it, so that the selves of a block
/// add up to its total exactly (but for rounding). It is negative where the parts, which some backends time
/// with a clock of their own, add up to more than the whole.
struct EventRow {
    const EventBlocks* source = nullptr;  ///< what `block` is of
    const Block* block = nullptr;
    const Event* event = nullptr;
    std::size_t blockAt = 0;            ///< index of `block` in EventRows::blocks
    std::optional<std::size_t> parent;  ///< index into EventRows::rows
    bool hasParts = false;              ///< is the parent of another row that has samples
    double total = 0;                   ///< sum of all samples, in the target unit
    double self = 0;                    ///< `total` less those of the direct parts
    double typical = 0;                 ///< Event::typical(): `total` without what outliers add
    double typicalSelf = 0;             ///< `typical` less those of the direct parts
};

/// A trace that rows are of.
struct NamedTrace {
    std::string name;  ///< of its file, without the folder
    const EventBlocks* blocks = nullptr;
};

/// Time of one block.
struct BlockTime {
    std::size_t traceAt = 0;   ///< index into EventRows::traces
    double total = 0;          ///< sum of the events that lie within no other
    double typical = 0;        ///< sum of their typical times
    std::size_t runs = 0;      ///< at least 1
    std::size_t firstRow = 0;  ///< index into EventRows::rows
    std::size_t rowCount = 0;
};

struct EventRows {
    std::vector<EventRow> rows;  ///< all events of all blocks, in their order
    std::vector<BlockTime> blocks;
    std::vector<NamedTrace> traces;

    /// Part (0 to 1) of its block's typical time that a row's is, with what lies in it or without; nothing in
    /// a block without time. Rankings go by these, so that one stall does not put an event first.
    [[nodiscard]] std::optional<double> share(const EventRow& row) const;
    [[nodiscard]] std::optional<double> selfShare(const EventRow& row) const;
};
[[nodiscard]] EventRows eventRows(const EventBlocks& blocks);
/// Of several traces, one behind the other.
[[nodiscard]] EventRows eventRows(std::vector<NamedTrace> traces);

}  // namespace et::inspector::report

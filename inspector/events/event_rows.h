#pragma once

#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::events {

/// An event with its position in its block's tree of time.
///
/// Events nest: an operator is within its OPERATOR_CALL, a delegate's operator within its DELEGATE_CALL (the
/// same chain and instruction), these and all other steps within Method::execute; Method::init is within
/// Program::load_method. `self` is the event's time minus that of its parts, so the self times of a block sum
/// to its total exactly (except for rounding), as do the typical ones. Medians of events never enter a
/// difference: the median of a whole minus those of its parts is not the time between them. `self` is
/// negative if the parts, which some backends time with another clock, sum to more than the whole.
struct EventRow {
    const EventBlocks* source = nullptr;  ///< owner of `block`
    const Block* block = nullptr;
    const Event* event = nullptr;
    std::size_t blockAt = 0;            ///< index of `block` in EventRows::blocks
    std::optional<std::size_t> parent;  ///< index into EventRows::rows
    bool hasParts = false;              ///< parent of another row with samples
    double total = 0;                   ///< sum of all samples, in the target unit
    double self = 0;                    ///< `total` minus those of the direct parts
    double typical = 0;                 ///< `typicalSelf` plus those of all nested parts
    double typicalSelf = 0;             ///< `self` without the excess of outliers: typicalTotal() of the
                                        ///< self time of each run
};

/// A trace of the rows.
struct NamedTrace {
    std::string name;  ///< file name without the folder
    const EventBlocks* blocks = nullptr;
};

/// Total time of one block.
struct BlockTime {
    std::size_t traceAt = 0;   ///< index into EventRows::traces
    double total = 0;          ///< sum of the top-level events
    double typical = 0;        ///< sum of their typical times
    std::size_t runs = 0;      ///< at least 1
    std::size_t firstRow = 0;  ///< index into EventRows::rows
    std::size_t rowCount = 0;
};

struct EventRows {
    std::vector<EventRow> rows;  ///< all events of all blocks, in order
    std::vector<BlockTime> blocks;
    std::vector<NamedTrace> traces;

    /// Share (0 to 1) of a row in its block's typical time, including or excluding nested events; empty for a
    /// block without time. Rankings use these, so that a single stall does not rank an event first.
    [[nodiscard]] std::optional<double> share(const EventRow& row) const;
    [[nodiscard]] std::optional<double> selfShare(const EventRow& row) const;
};
[[nodiscard]] EventRows eventRows(const EventBlocks& blocks);
/// Concatenates several traces.
[[nodiscard]] EventRows eventRows(std::vector<NamedTrace> traces);

/// The modules of every event, including events without nodes in the record: views, copies at the end of a
/// method, cache updates, a delegate's work between its operators.
///
/// A module's calls are contiguous, so an event between two operators of a module runs in it too: such an
/// event gets the modules shared by the operators before and after it. At the beginning and the end of a
/// method that is the root; in a delegate, the modules common to the whole delegate.
class EventModules {
  public:
    explicit EventModules(const EventRows& rows);

    /// Outermost first, "" being the root; borrowed from the record. Empty if the block has no record, none
    /// of its nodes is in a module, or the event does not belong to an instruction.
    [[nodiscard]] std::optional<std::span<const etrecord::ModuleFrame>> of(std::size_t row) const {
        return modules[row];
    }

  private:
    std::vector<std::optional<std::span<const etrecord::ModuleFrame>>> modules;  ///< one per row
};

}  // namespace et::inspector::events

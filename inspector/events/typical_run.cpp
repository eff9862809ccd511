#include "inspector/events/typical_run.h"

#include "inspector/names/operator_names.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace et::inspector::events {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// Start of each run of a block: that of its first event.
class RunStarts {
  public:
    RunStarts(const etdump::Trace& source, const Block& block) : trace(source) {
        for (const std::uint32_t run : block.runs) {
            starts.emplace(trace.runs()[run].firstEvent, never);
        }
        for (const Event& event : block.events) {
            for (std::size_t i = 0; i < event.samples.size(); ++i) {
                std::uint64_t& start = starts[runOf(event.profileEvents[i])];
                start = std::min(start, event.startTicks[i]);
            }
        }
    }

    /// Offset of a sample's start from that of its run.
    [[nodiscard]] std::uint64_t offset(const Event& event, std::size_t sample) const {
        return event.startTicks[sample] - starts.at(runOf(event.profileEvents[sample]));
    }

  private:
    [[nodiscard]] etdump::EventIndex runOf(etdump::EventIndex event) const {
        return trace.runOf(event).firstEvent;
    }

    const etdump::Trace& trace;
    std::unordered_map<etdump::EventIndex, std::uint64_t> starts;  ///< keyed by the first event of the run
};

double medianOffset(const RunStarts& starts, const Event& event) {
    std::vector<std::uint64_t> offsets;
    offsets.reserve(event.samples.size());
    for (std::size_t i = 0; i < event.samples.size(); ++i) {
        offsets.push_back(starts.offset(event, i));
    }
    const auto middle = offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / 2);
    std::ranges::nth_element(offsets, middle);
    return static_cast<double>(*middle);
}

/// Moves the parts of a whole so that none begins before the previous one ends, and none ends after the whole
/// as long as there is space.
void settle(std::vector<TypicalStep*>& parts, double from, double to) {
    std::ranges::stable_sort(parts, {}, &TypicalStep::start);
    double free = from;
    for (TypicalStep* const part : parts) {
        part->start = std::max(part->start, free);
        free = part->start + part->length;
    }
    double limit = to;
    for (auto part = parts.rbegin(); part != parts.rend() && limit < (*part)->start + (*part)->length;
         ++part) {
        (*part)->start = std::max(limit - (*part)->length, from);
        limit = (*part)->start;
    }
    free = from;
    for (TypicalStep* const part : parts) {
        part->start = std::max(part->start, free);
        free = part->start + part->length;
    }
}

/// Adjusts all steps, grouped by the row that contains them, outermost first.
void settleAll(std::vector<TypicalStep>& steps, const EventRows& rows) {
    std::unordered_map<std::size_t, TypicalStep*> byRow;
    std::map<std::size_t, std::vector<TypicalStep*>> parts;  // by the parent's row
    for (TypicalStep& step : steps) {
        byRow.emplace(step.row, &step);
        if (const auto parent = rows.rows[step.row].parent) {
            parts[*parent].push_back(&step);
        }
    }
    const auto depthOf = [&](std::size_t row) {
        std::size_t depth = 0;
        for (auto at = rows.rows[row].parent; at; at = rows.rows[*at].parent) {
            ++depth;
        }
        return depth;
    };
    std::vector<std::pair<std::size_t, std::size_t>> order;  // depth, row
    for (const auto& [row, below] : parts) {
        order.emplace_back(depthOf(row), row);
    }
    std::ranges::sort(order);
    for (const auto& [depth, row] : order) {
        const auto whole = byRow.find(row);
        if (whole != byRow.end()) {
            const TypicalStep& step = *whole->second;
            settle(parts[row], step.start, step.start + step.length);
        }
    }
}

}  // namespace

TypicalRun typicalRun(const EventBlocks& blocks, const EventRows& rows, std::size_t block) {
    const Block& of = blocks.blocks()[block];
    const BlockTime& time = rows.blocks[block];
    const double ticks = ticksPerUnit(blocks.options().clock.unit, blocks.options().target);
    const RunStarts starts(blocks.trace(), of);
    TypicalRun result{.block = block, .runs = of.runs.size()};
    for (std::size_t row = time.firstRow; row < time.firstRow + time.rowCount; ++row) {
        const Event& event = *rows.rows[row].event;
        if (!event.samples.empty()) {
            result.steps.push_back({.row = row,
                                    .start = medianOffset(starts, event),
                                    .length = event.statistics.p50 * ticks,
                                    .p10 = event.statistics.p10 * ticks,
                                    .p90 = event.statistics.p90 * ticks});
        }
    }
    settleAll(result.steps, rows);
    std::ranges::stable_sort(result.steps, [](const TypicalStep& a, const TypicalStep& b) {
        return std::pair(a.start, b.length) < std::pair(b.start, a.length);
    });
    for (const TypicalStep& step : result.steps) {
        result.length = std::max(result.length, step.start + step.length);
    }
    return result;
}

std::optional<std::size_t> busiestBlock(const EventRows& rows) {
    // Loading may take longer than all runs, but has no run to fold.
    const auto weight = [&](const BlockTime& block) {
        const auto own = std::span(rows.rows).subspan(block.firstRow, block.rowCount);
        const bool runs = std::ranges::any_of(
            own, [](const EventRow& row) { return row.event->name == names::detail::methodExecute; });
        return std::pair(runs, block.typical);
    };
    const auto most = std::ranges::max_element(rows.blocks, {}, weight);
    return most == rows.blocks.end() || most->typical <= 0
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(most - rows.blocks.begin()));
}

}  // namespace et::inspector::events

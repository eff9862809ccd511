#include "inspector/events/event_rows.h"

#include "inspector/events/event_fields.h"
#include "inspector/join/node_fields.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace et::inspector::events {
namespace {

using Modules = std::optional<std::span<const etrecord::ModuleFrame>>;

/// Whether the event belongs to an instruction, not to loading or to a generation's work between executions.
bool runsInMethod(const EventRow& row) {
    return row.block->graph != nullptr && row.block->name != phaseBlockName &&
           !names::detail::isFrameworkEvent(row.event->name);
}

/// Fills in the missing modules of one block.
class BlockPlaces {
  public:
    BlockPlaces(const EventRows& events, std::vector<Modules>& filled) : rows(events), modules(filled) {}

    /// Events of the method itself first: the modules of a delegate limit those of its operators.
    void fill(std::size_t first, std::size_t count) {
        for (std::size_t at = first; at < first + count; ++at) {
            known = known || modules[at].has_value();
        }
        if (!known) {
            return;
        }
        for (const bool delegated : {false, true}) {
            std::vector<std::size_t> order;
            for (std::size_t at = first; at < first + count; ++at) {
                if (runsInMethod(rows.rows[at]) && rows.rows[at].event->delegated == delegated) {
                    order.push_back(at);
                }
            }
            fillBetween(order);
        }
    }

  private:
    /// Innermost possible modules of `at`, before considering its neighbours.
    [[nodiscard]] Modules around(std::size_t at) const {
        const auto parent = rows.rows[at].parent;
        const bool ofDelegate = rows.rows[at].event->delegated && parent && modules[*parent];
        return ofDelegate ? modules[*parent] : Modules(std::span<const etrecord::ModuleFrame>());
    }
    /// Operators of one delegate call form a separate sequence.
    [[nodiscard]] bool together(std::size_t a, std::size_t b) const {
        const EventRow& left = rows.rows[a];
        return !left.event->delegated || left.parent == rows.rows[b].parent;
    }

    void fillBetween(const std::vector<std::size_t>& order) {
        for (std::size_t begin = 0; begin < order.size();) {
            if (modules[order[begin]]) {
                ++begin;
                continue;
            }
            std::size_t end = begin;
            while (end < order.size() && !modules[order[end]] && together(order[begin], order[end])) {
                ++end;
            }
            const Modules bound = around(order[begin]);
            const bool hasBefore = begin > 0 && together(order[begin - 1], order[begin]);
            const bool hasAfter = end < order.size() && together(order[begin], order[end]);
            const Modules before = hasBefore ? modules[order[begin - 1]] : bound;
            const Modules after = hasAfter ? modules[order[end]] : bound;
            for (; begin < end; ++begin) {
                modules[order[begin]] = sharedModules(*before, *after);
            }
        }
    }

    const EventRows& rows;
    std::vector<Modules>& modules;
    bool known = false;
};

using InstructionKey = std::pair<std::int64_t, core::InstructionId>;  ///< chain, instruction

/// Rows of a block that can contain others.
struct Containers {
    std::map<InstructionKey, std::size_t> delegateCalls;
    std::map<InstructionKey, std::size_t> operatorCalls;
    std::optional<std::size_t> execute;
    std::optional<std::size_t> load;
};

InstructionKey placeOf(const Event& event) {
    return {event.chain, event.instruction};
}

Containers findContainers(const std::vector<EventRow>& rows, std::size_t first) {
    Containers found;
    for (std::size_t i = first; i < rows.size(); ++i) {
        const Event& event = *rows[i].event;
        if (event.delegated || event.samples.empty()) {
            continue;
        }
        if (event.name == names::detail::delegateCall) {
            found.delegateCalls.emplace(placeOf(event), i);
        } else if (event.name == names::detail::operatorCall) {
            found.operatorCalls.emplace(placeOf(event), i);
        } else if (event.name == names::detail::methodExecute) {
            found.execute = i;
        } else if (event.name == names::detail::loadMethod) {
            found.load = i;
        }
    }
    return found;
}

std::optional<std::size_t> lookUp(const std::map<InstructionKey, std::size_t>& rows, const Event& event) {
    const auto found = rows.find(placeOf(event));
    return found == rows.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> parentOf(const Event& event, const Containers& containers) {
    if (event.delegated) {
        const auto call = lookUp(containers.delegateCalls, event);
        return call ? call : containers.execute;
    }
    if (event.name == names::detail::methodInit) {
        return containers.load;
    }
    if (event.name == names::detail::methodExecute || event.name == names::detail::loadMethod) {
        return std::nullopt;
    }
    const bool call = event.name == names::detail::delegateCall || event.name == names::detail::operatorCall;
    const auto around = call ? std::nullopt : lookUp(containers.operatorCalls, event);
    return around ? around : containers.execute;
}

/// Self time of each run, by row, of the rows that have parts; empty if a part does not have one sample a
/// run.
using RunsOfContainers = std::map<std::size_t, std::vector<double>>;

void subtract(std::vector<double>& runs, std::span<const double> part) {
    if (runs.size() == part.size()) {
        std::ranges::transform(runs, part, runs.begin(), std::minus{});
    } else {
        runs.clear();
    }
}

/// Fills the parents and the self times of all runs.
RunsOfContainers nest(std::vector<EventRow>& rows, std::size_t first, BlockTime& time) {
    const Containers containers = findContainers(rows, first);
    RunsOfContainers selfOfRuns;
    for (std::size_t i = first; i < rows.size(); ++i) {
        EventRow& row = rows[i];
        row.parent = parentOf(*row.event, containers);
        if (!row.parent) {
            time.total += row.total;
        } else if (!row.event->samples.empty()) {
            EventRow& parent = rows[*row.parent];
            parent.self -= row.total;
            parent.hasParts = true;
            const std::span<const double> whole = parent.event->samples;
            subtract(selfOfRuns.try_emplace(*row.parent, whole.begin(), whole.end()).first->second,
                     row.event->samples);
        }
    }
    return selfOfRuns;
}

/// Fills the typical times: the self times first, whose sums are the typical times of wholes.
void addTypical(std::vector<EventRow>& rows, const RunsOfContainers& selfOfRuns, BlockTime& time,
                double tick) {
    for (std::size_t i = time.firstRow; i < rows.size(); ++i) {
        EventRow& row = rows[i];
        const auto runs = selfOfRuns.find(i);
        row.typicalSelf = runs == selfOfRuns.end() ? row.event->typical(tick)
                          : runs->second.empty()   ? row.self
                                                 : typicalTotal(runs->second, summarize(runs->second), tick);
        time.typical += row.typicalSelf;
        row.typical += row.typicalSelf;
        for (auto around = row.parent; around; around = rows[*around].parent) {
            rows[*around].typical += row.typicalSelf;
        }
    }
}

std::optional<double> partOf(const BlockTime& block, double time) {
    return block.typical > 0 ? std::optional(time / block.typical) : std::nullopt;
}

}  // namespace

EventModules::EventModules(const EventRows& rows) : modules(rows.rows.size()) {
    for (std::size_t at = 0; at < rows.rows.size(); ++at) {
        if (runsInMethod(rows.rows[at])) {
            modules[at] = commonModules(nodesOf(*rows.rows[at].block, *rows.rows[at].event));
        }
    }
    for (const BlockTime& block : rows.blocks) {
        BlockPlaces(rows, modules).fill(block.firstRow, block.rowCount);
    }
}

std::optional<double> EventRows::share(const EventRow& row) const {
    return partOf(blocks[row.blockAt], row.typical);
}

std::optional<double> EventRows::selfShare(const EventRow& row) const {
    return partOf(blocks[row.blockAt], row.typicalSelf);
}

namespace {

/// Resolution of the block's coarsest clock, judged by operators that are mostly shorter than a tick; a
/// single stalled operator does not count if others show the resolution.
double tickOf(const Block& block) {
    double tick = std::numeric_limits<double>::infinity();
    for (const Event& event : block.events) {
        if (!event.samples.empty() && event.statistics.p50 == 0) {
            tick = std::min(tick, smallestTick(event.samples));
        }
    }
    return tick;
}

void addBlock(EventRows& out, const EventBlocks& source, const Block& block, std::size_t traceAt) {
    const std::size_t first = out.rows.size();
    const double tick = tickOf(block);
    for (const Event& event : block.events) {
        const double total = std::accumulate(event.samples.begin(), event.samples.end(), 0.0);
        out.rows.push_back({.source = &source,
                            .block = &block,
                            .event = &event,
                            .blockAt = out.blocks.size(),
                            .parent = std::nullopt,
                            .hasParts = false,
                            .total = total,
                            .self = total});
    }
    BlockTime time{.traceAt = traceAt,
                   .total = 0,
                   .typical = 0,
                   .runs = std::max<std::size_t>(1, block.runs.size()),
                   .firstRow = first,
                   .rowCount = block.events.size()};
    addTypical(out.rows, nest(out.rows, first, time), time, tick);
    out.blocks.push_back(time);
}

}  // namespace

EventRows eventRows(std::vector<NamedTrace> traces) {
    EventRows out;
    for (std::size_t at = 0; at < traces.size(); ++at) {
        for (const Block& block : traces[at].blocks->blocks()) {
            addBlock(out, *traces[at].blocks, block, at);
        }
    }
    out.traces = std::move(traces);
    return out;
}

EventRows eventRows(const EventBlocks& blocks) {
    const std::string_view path = blocks.trace().file().name();
    return eventRows(
        std::vector{NamedTrace{.name = std::string(path.substr(path.rfind('/') + 1)), .blocks = &blocks}});
}

}  // namespace et::inspector::events

#include "inspector/events/position_times.h"

#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"
#include "runtime/core/operator_counter.h"

#include <algorithm>
#include <limits>
#include <map>

namespace et::inspector::events {
namespace {

constexpr std::size_t mostCalls = std::size_t{1} << 16;
constexpr std::size_t mostCells = std::size_t{1} << 23;
constexpr std::size_t noCall = std::numeric_limits<std::size_t>::max();

/// Finds the execution at a point in time.
class CallFinder {
  public:
    explicit CallFinder(const std::vector<GenerationCall>& list) : calls(list) {}
    [[nodiscard]] std::size_t at(std::uint64_t tick) const {
        const auto after = std::ranges::upper_bound(calls, tick, {}, &GenerationCall::first);
        if (after == calls.begin() || std::prev(after)->last < tick) {
            return noCall;
        }
        return static_cast<std::size_t>(after - calls.begin()) - 1;
    }

  private:
    const std::vector<GenerationCall>& calls;
};

std::string rowName(const EventRow& row, const EventModules& places, std::size_t at, BelowLayer depth) {
    if (const auto modules = places.of(at)) {
        const bool root = modules->empty() || modules->back().fqn.empty();
        return root ? "(root)" : moduleBelowLayer(modules->back().fqn, depth);
    }
    if (names::detail::isFrameworkEvent(row.event->name)) {
        return "(runtime)";
    }
    return row.block->graph != nullptr
               ? "(no module)"
               : std::string(core::withoutCounter(readableOperator(*row.block, *row.event)));
}

/// Sums the samples of all events by row and call.
class PositionTable {
  public:
    PositionTable(const EventBlocks& blocks, BelowLayer below)
        : table{.calls = generationCalls(blocks), .rows = {}, .times = {}},
          events(eventRows(blocks)),
          places(events),
          finder(table.calls),
          depth(below),
          mostRows(std::max<std::size_t>(mostCells / std::max<std::size_t>(table.calls.size(), 1), 2)) {}

    PositionTimes fill() {
        if (table.calls.empty()) {
            return std::move(table);
        }
        std::vector<std::size_t> rowOf;
        for (std::size_t at = 0; at < events.rows.size(); ++at) {
            rowOf.push_back(place(at));
        }
        for (std::size_t at = 0; at < events.rows.size(); ++at) {
            const EventRow& each = events.rows[at];
            addSamples(rowOf[at], *each.event, 1);
            if (each.parent) {
                addSamples(rowOf[*each.parent], *each.event, -1);
            }
        }
        dropEmpty();
        return std::move(table);
    }

  private:
    /// The row of an event; noCall for events that never run in a call.
    std::size_t place(std::size_t at) {
        const EventRow& each = events.rows[at];
        const Event& event = *each.event;
        const bool runs = each.block->name != phaseBlockName &&
                          std::ranges::any_of(event.startTicks, [this](std::uint64_t tick) {
                              return finder.at(tick) != noCall;
                          });
        if (!runs) {
            return noCall;
        }
        table.byModule = table.byModule || each.block->graph != nullptr;
        std::string name = rowName(each, places, at, depth);
        if (table.rows.size() + 1 >= mostRows && !known.contains(name)) {
            name = "(other)";
        }
        const auto [found, fresh] = known.try_emplace(name, table.rows.size());
        if (fresh) {
            table.rows.push_back({.name = std::move(name), .events = {}});
            table.times.resize(table.times.size() + table.calls.size());
        }
        const Block& block = *each.block;
        table.rows[found->second].events.emplace_back(each.blockAt,
                                                      static_cast<std::size_t>(&event - block.events.data()));
        return found->second;
    }

    void addSamples(std::size_t row, const Event& event, double sign) {
        if (row == noCall) {
            return;
        }
        for (std::size_t i = 0; i < event.samples.size(); ++i) {
            const std::size_t call = finder.at(event.startTicks[i]);
            if (call != noCall) {
                table.times[(row * table.calls.size()) + call] += sign * event.samples[i];
                table.rows[row].total += sign * event.samples[i];
            }
        }
    }

    /// The runtime's own time comes last.
    void dropEmpty() {
        PositionTimes kept{
            .calls = std::move(table.calls), .rows = {}, .times = {}, .byModule = table.byModule};
        const std::size_t columns = kept.calls.size();
        for (const bool last : {false, true}) {
            for (std::size_t row = 0; row < table.rows.size(); ++row) {
                if ((table.rows[row].name == "(runtime)") == last && table.rows[row].total > 0) {
                    const auto start = table.times.begin() + static_cast<std::ptrdiff_t>(row * columns);
                    kept.times.insert(kept.times.end(), start, start + static_cast<std::ptrdiff_t>(columns));
                    kept.rows.push_back(std::move(table.rows[row]));
                }
            }
        }
        table = std::move(kept);
    }

    PositionTimes table;
    EventRows events;
    EventModules places;
    CallFinder finder;
    BelowLayer depth;
    std::size_t mostRows;
    std::map<std::string, std::size_t> known;
};

}  // namespace

std::string moduleBelowLayer(const std::string& module, BelowLayer depth) {
    std::optional<std::size_t> left;  // remaining names once the layer is found
    for (std::size_t at = 0; depth && at < module.size();) {
        const std::size_t end = std::min(module.find('.', at), module.size());
        if (left) {
            --*left;
        } else if (end > at && module.find_first_not_of("0123456789", at) >= end) {
            left = *depth;
        }
        if (left == 0) {
            return module.substr(0, end);
        }
        at = end + 1;
    }
    return module;
}

std::vector<GenerationCall> generationCalls(const EventBlocks& blocks) {
    std::vector<GenerationCall> calls;
    const etdump::EventColumns& columns = blocks.trace().events();
    for (const Block& block : blocks.blocks()) {
        for (const Event& event : block.events) {
            const auto mark = block.name == phaseBlockName ? parsePhaseMark(event.name) : std::nullopt;
            if (!mark || mark->tokens == 0) {
                continue;
            }
            for (const etdump::EventIndex sample : event.profileEvents) {
                if (columns.end[sample] >= columns.start[sample] && calls.size() < mostCalls) {
                    calls.push_back({.isPrefill = mark->phase == "prefill",
                                     .position = mark->position,
                                     .tokens = mark->tokens,
                                     .first = columns.start[sample],
                                     .last = columns.end[sample]});
                }
            }
        }
    }
    std::ranges::sort(calls, {}, &GenerationCall::first);
    return calls;
}

PositionTimes positionTimes(const EventBlocks& blocks, BelowLayer depth) {
    return PositionTable(blocks, depth).fill();
}

}  // namespace et::inspector::events

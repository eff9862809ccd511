#include "inspector/events/event_fields.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/tensor_summary.h"
#include "inspector/format/python_text.h"
#include "inspector/join/event_blocks.h"
#include "inspector/names/operator_names.h"
#include "inspector/roofline/trace_limits.h"
#include "inspector/store/session/row_writer.h"
#include "inspector/store/session/session_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::store {

using format::Cell;
using format::Dict;

namespace {

using core::Result;
using events::EventRow;
using EventCosts = std::map<const Event*, OperatorCost>;

/// Debug events of a trace.
struct LoggedValues {
    std::span<const etdump::EventIndex> values;
    std::optional<std::size_t> event{};  ///< `events.event` that logged them; nothing: outputs of the method
    std::size_t firstRun = 0;            ///< `runs.run` of the trace's first run
};

/// By alternative of etdump::DebugValue; a list of tensors becomes one row per tensor.
constexpr std::array<std::string_view, 8> valueTypeNames{"Null",   "Int",    "Bool",   "Float",
                                                         "Double", "String", "Tensor", "Tensor"};

template <class T>
std::optional<T> entry(const Dict& info, std::string_view key) {
    const auto found = std::ranges::find(info, key, [](const auto& each) { return each.first; });
    const T* const value = found == info.end() ? nullptr : std::get_if<T>(&found->second);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

/// Run and event that logged a value.
struct LoggedAt {
    std::size_t run = 0;
    std::optional<std::size_t> event;
    std::size_t position = 0;
    std::string_view type;
};

Result<> addTensor(RowWriter& rows, const LoggedAt& at, const Dict& info) {
    const auto sizes = entry<std::vector<std::int64_t>>(info, "shape");
    return rows.add(
        "logged_values", at.run, at.event, at.position, at.type, entry<std::string>(info, "dtype"),
        sizes.transform([](const auto& list) { return jsonList(list); }), entry<std::int64_t>(info, "count"),
        entry<std::int64_t>(info, "nonfinite"), entry<double>(info, "min"), entry<double>(info, "max"),
        entry<double>(info, "mean"), entry<std::string>(info, "error"));
}

Result<> addValue(RowWriter& rows, LoggedAt at, const Cell& summary) {
    if (const auto* const info = std::get_if<Dict>(&summary)) {
        return addTensor(rows, at, *info);
    }
    if (const auto* const list = std::get_if<format::List>(&summary)) {
        for (; at.position < list->size(); ++at.position) {
            ET_TRY(addTensor(rows, at, std::get<Dict>((*list)[at.position])));
        }
        return {};
    }
    const bool none = std::holds_alternative<std::monostate>(summary);
    const auto text = none ? std::nullopt : std::optional(format::pythonValue(summary));
    constexpr std::nullopt_t null = std::nullopt;
    return rows.add("logged_values", at.run, at.event, at.position, at.type, null, null, null, null, null,
                    null, null, text);
}

/// Adds a row of `logged_values` for each value.
Result<> addLoggedValues(RowWriter& rows, const EventBlocks& blocks, const LoggedValues& logged) {
    const etdump::Trace& trace = blocks.trace();
    for (const etdump::EventIndex each : logged.values) {
        const etdump::DebugValue& value = trace.debugValue(each);
        const auto run = static_cast<std::size_t>(&trace.runOf(each) - trace.runs().data());
        const LoggedAt at{.run = logged.firstRun + run,
                          .event = logged.event,
                          .position = 0,
                          .type = valueTypeNames[value.value.index()]};
        ET_TRY(addValue(rows, at, events::debugValueSummary(value, blocks.debugBuffer())));
    }
    return {};
}

std::string_view kindOf(const Event& event) {
    return event.delegated                               ? "delegated_operator"
           : event.name == names::detail::delegateCall   ? "delegate_call"
           : event.name == names::detail::operatorCall   ? "operator_call"
           : names::detail::isFrameworkEvent(event.name) ? "runtime"
                                                         : "operator";
}

/// Cell texts separated by commas; nothing if there are none.
std::optional<std::string> listed(const format::List& cells) {
    std::vector<std::string> texts;
    for (const format::Cell& cell : cells) {
        texts.push_back(std::get<std::string>(cell));
    }
    return texts.empty() ? std::nullopt : std::optional(joined(texts));
}

std::optional<std::string> asText(const format::Cell& cell) {
    if (const auto* const number = std::get_if<std::int64_t>(&cell)) {
        return fmt::to_string(*number);
    }
    const auto* const text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

/// Next free row numbers; numbering continues across traces.
struct Numbers {
    std::size_t trace = 0;
    std::size_t run = 0;
    std::size_t block = 0;
    std::size_t event = 0;
};

/// Adds the rows of a trace's blocks.
class TraceRows {
  public:
    TraceRows(RowWriter& to, const EventBlocks& of, const NodeRowsByMethod& edgeNodes,
              EventCosts computeCosts, Numbers start)
        : rows(to),
          blocks(of),
          nodes(edgeNodes),
          costs(std::move(computeCosts)),
          first(start),
          tree(events::eventRows(of)) {}

    /// The next free numbers after this trace.
    [[nodiscard]] Numbers next() const {
        return {.trace = first.trace + 1,
                .run = first.run + blocks.trace().runs().size(),
                .block = first.block + blocks.blocks().size(),
                .event = first.event + tree.rows.size()};
    }

    Result<> add() {
        ET_TRY(addRuns());
        for (std::size_t i = 0; i < blocks.blocks().size(); ++i) {
            ET_TRY(addBlock(i));
        }
        for (std::size_t i = 0; i < tree.rows.size(); ++i) {
            ET_TRY(addEvent(i, tree.rows[i]));
        }
        for (const std::string& warning : blocks.warnings()) {
            ET_TRY(rows.add("warnings", "trace", warning));
        }
        return {};
    }

  private:
    Result<> addRuns() {
        const etdump::Trace& trace = blocks.trace();
        std::vector<std::optional<std::size_t>> blockOf(trace.runs().size());
        for (std::size_t i = 0; i < blocks.blocks().size(); ++i) {
            for (const std::uint32_t run : blocks.blocks()[i].runs) {
                blockOf[run] = first.block + i;
            }
        }
        for (std::size_t i = 0; i < trace.runs().size(); ++i) {
            ET_TRY(addRun(i, trace.runs()[i], blockOf[i]));
            ET_TRY(addAllocations(i, trace.runs()[i]));
        }
        return {};
    }

    Result<> addRun(std::size_t number, const etdump::Run& run, std::optional<std::size_t> block) {
        const etdump::EventColumns& events = blocks.trace().events();
        std::optional<std::uint64_t> start;
        std::optional<std::uint64_t> end;
        for (std::size_t i = run.firstEvent; i < std::size_t{run.firstEvent} + run.eventCount; ++i) {
            if (events.kind[i] == etdump::EventKind::Profile) {
                start = std::min(start.value_or(events.start[i]), events.start[i]);
                end = std::max(end.value_or(events.end[i]), events.end[i]);
            }
        }
        const auto bundled = run.bundledInputIndex < 0 ? std::nullopt : std::optional(run.bundledInputIndex);
        const RunPhases& phases = blocks.phases();
        const RunPhase& what = phases.runs[number];
        return rows.add("runs", first.run + number, first.trace, block, blocks.trace().text(run.name),
                        bundled, run.eventCount, start, end, orNull(what.phase), what.call, what.position,
                        what.tokens == 0 ? std::nullopt : std::optional(what.tokens),
                        phaseSourceName(phases.source));
    }

    Result<> addAllocations(std::size_t number, const etdump::Run& run) {
        const etdump::Trace& trace = blocks.trace();
        const etdump::EventColumns& events = trace.events();
        std::size_t position = 0;
        for (std::size_t i = run.firstEvent; i < std::size_t{run.firstEvent} + run.eventCount; ++i) {
            if (events.kind[i] == etdump::EventKind::Allocation) {
                ET_TRY(rows.add("allocations", first.run + number, position++,
                                orNull(trace.text(run.allocatorName(events.start[i]))), events.end[i]));
            }
        }
        return {};
    }

    Result<> addBlock(std::size_t at) {
        const Block& block = blocks.blocks()[at];
        ET_TRY(addLoggedValues(rows, blocks, {.values = block.programOutputs, .firstRun = first.run}));
        return rows.add("blocks", first.block + at, first.trace, block.name, orNull(block.method),
                        block.runs.size(), block.events.size(), tree.blocks[at].total);
    }

    Result<> addEvent(std::size_t at, const EventRow& row) {
        const std::size_t number = first.event + at;
        const Event& event = *row.event;
        const Block& block = *row.block;
        const auto instruction =
            event.instruction.value < 0 ? std::nullopt : std::optional(event.instruction.value);
        const auto chain = event.chain < 0 ? std::nullopt : std::optional(event.chain);
        const std::vector<const etrecord::Node*> found = events::nodesOf(block, event);
        const auto parent = row.parent.transform([&](std::size_t rowAt) { return first.event + rowAt; });
        const bool timed = !event.samples.empty();
        const auto statistic = [&](double value) { return timed ? std::optional(value) : std::nullopt; };
        ET_TRY(rows.add("events", number, first.block + row.blockAt, at - tree.blocks[row.blockAt].firstRow,
                        event.name, kindOf(event), orNull(block.method), chain, instruction,
                        orNull(event.backend), asText(events::delegateIdentifier(event)),
                        listed(events::opTypeCells(block, event)), asText(events::commonModule(found)),
                        listed(events::sourceLines(found)), events::handleSourceName(event.handleSource),
                        parent, event.samples.size(), statistic(row.total), statistic(row.self),
                        statistic(event.statistics.average), statistic(event.statistics.p10),
                        statistic(event.statistics.p50), statistic(event.statistics.p90),
                        statistic(event.statistics.minimum), statistic(event.statistics.maximum),
                        events::readableName(block, event)));
        ET_TRY(addSamples(number, event));
        ET_TRY(addCost(number, event));
        ET_TRY(addCounters(number, event));
        ET_TRY(addHandles(number, event));
        ET_TRY(addNodes(number, block, found));
        return addLoggedValues(rows, blocks,
                               {.values = event.debugEvents, .event = number, .firstRun = first.run});
    }

    Result<> addSamples(std::size_t number, const Event& event) {
        const auto runs = blocks.trace().runs();
        for (std::size_t i = 0; i < event.samples.size(); ++i) {
            const auto run = &blocks.trace().runOf(event.profileEvents[i]) - runs.data();
            ET_TRY(rows.add("samples", number, i, first.run + static_cast<std::size_t>(run),
                            event.startTicks[i], event.samples[i]));
        }
        return {};
    }

    Result<> addCost(std::size_t number, const Event& event) {
        const auto found = costs.find(&event);
        if (found == costs.end()) {
            return {};
        }
        const OperatorCost& cost = found->second;
        return rows.add("event_costs", number, cost.operations, cost.bytesRead, cost.bytesWritten,
                        name(cost.arithmetic), cost.intensity());
    }

    Result<> addCounters(std::size_t number, const Event& event) {
        return event.counts == nullptr ? Result<>()
                                       : std::apply(
                                             [&](const auto&... counted) {
                                                 return rows.add("event_counters", number, counted...);
                                             },
                                             *event.counts);
    }

    Result<> addHandles(std::size_t number, const Event& event) {
        for (const core::DebugHandle handle : event.handles) {
            ET_TRY(rows.add("event_handles", number, handle.value, 1));
        }
        if (event.handleSource == HandleSource::UnmappedDelegate) {
            for (const core::DebugHandle handle : event.regionHandles) {
                ET_TRY(rows.add("event_handles", number, handle.value, 0));
            }
        }
        return {};
    }

    Result<> addNodes(std::size_t number, const Block& block, std::span<const etrecord::Node* const> found) {
        const auto graph = nodes.find(block.method);
        if (graph == nodes.end()) {
            return {};
        }
        for (const etrecord::Node* node : found) {
            const auto place = graph->second.byName.find(node->name);
            if (place != graph->second.byName.end()) {
                ET_TRY(rows.add("event_nodes", number, graph->second.graph, place->second));
            }
        }
        return {};
    }

    RowWriter& rows;
    const EventBlocks& blocks;
    const NodeRowsByMethod& nodes;
    EventCosts costs;
    Numbers first;
    events::EventRows tree;
};

EventCosts computeCosts(const EventBlocks& blocks, const Session& session,
                        std::span<const executor::Backend* const> backends) {
    return session.program == nullptr
               ? EventCosts()
               : eventCosts(blocks, {.program = *session.program, .backends = backends});
}

}  // namespace

Result<> addTraceRows(RowWriter& rows, const Session& session,
                      std::span<const executor::Backend* const> backends, const NodeRowsByMethod& edgeNodes) {
    if (session.blocks == nullptr) {
        return {};
    }
    TraceRows main(rows, *session.blocks, edgeNodes, computeCosts(*session.blocks, session, backends), {});
    ET_TRY(main.add());
    Numbers numbers = main.next();
    for (const OtherTrace& other : session.others) {
        TraceRows further(rows, *other.blocks, edgeNodes, computeCosts(*other.blocks, session, backends),
                          numbers);
        ET_TRY(further.add());
        numbers = further.next();
    }
    return {};
}

}  // namespace et::inspector::store

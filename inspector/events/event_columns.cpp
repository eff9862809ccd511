#include "inspector/events/event_columns.h"

#include "inspector/events/event_fields.h"
#include "inspector/format/text_cell.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace et::inspector::events {
namespace {

using Context = ColumnContext;
using Row = EventRow;

template <class T>
[[nodiscard]] format::Cell listOrNothing(std::span<const T> items) {
    return items.empty() ? format::Cell() : format::Cell(std::vector<T>(items.begin(), items.end()));
}

/// A hardware counter during an event, as a mean per execution.
template <Counter counter>
[[nodiscard]] constexpr EventColumnRule counterColumn() {
    constexpr const CounterInfo& traits = inspector::infoOf(counter);
    return {{traits.name, traits.title, traits.meaning, false},
            {},
            true,
            [](const ColumnContext&, const EventRow& r) {
                const auto counted = r.event->counts == nullptr
                                         ? std::nullopt
                                         : (*r.event->counts)[static_cast<std::size_t>(counter)];
                return format::optionalCell(counted);
            }};
}

format::Cell statistic(const Context& context, const Row& row, double Statistics::* which) {
    if (!row.event->samples.empty()) {
        return row.event->statistics.*which;
    }
    return context.anySamples ? format::Cell(std::numeric_limits<double>::quiet_NaN()) : format::Cell();
}

template <double Statistics::* which>
format::Cell statisticCell(const Context& context, const Row& row) {
    return statistic(context, row, which);
}

format::Cell timed(const Row& row, double time) {
    return row.event->samples.empty() ? format::Cell() : format::Cell(time);
}

format::Cell percent(const Row& row, std::optional<double> share) {
    return share && !row.event->samples.empty() ? format::Cell(100 * *share) : format::Cell();
}

/// Values logged by the first run.
format::Cell debugData(const Context&, const Row& row) {
    std::vector<format::List> runs = debugDataByRun(*row.source, row.event->debugEvents);
    return runs.empty() ? format::List{} : std::move(runs.front());
}

/// The phase of its runs, or one per run if they differ (blocks that are not by phase).
format::Cell phaseCell(const Context&, const Row& row) {
    if (!row.block->phase.empty()) {
        return std::string(row.block->phase);
    }
    format::List each;
    bool same = true;
    for (const etdump::EventIndex event : row.event->profileEvents) {
        each.push_back(format::textCell(row.source->phaseOf(event).phase));
        same = same && each.back() == each.front();
    }
    return each.empty() ? format::Cell() : same ? each.front() : format::Cell(std::move(each));
}

/// A number from the call of each sample; empty if no call has it.
template <class Get>
format::Cell numbersOfCalls(const Row& row, Get get) {
    format::List out;
    bool any = false;
    for (const etdump::EventIndex event : row.event->profileEvents) {
        const std::optional<std::uint64_t> number = get(row.source->phaseOf(event));
        any = any || number;
        out.push_back(format::optionalCell(number));
    }
    return any ? format::Cell(std::move(out)) : format::Cell();
}

/// A number from the event's work and its minimum time.
template <class Get>
format::Cell limitCell(const Context& context, const Row& row, Get get) {
    const EventLimit* limit = context.limitOf(row);
    const std::optional<double> number = limit == nullptr ? std::nullopt : std::optional<double>(get(*limit));
    return format::optionalCell(number);
}

/// Rate in billions per second of the median time.
format::Cell billionsPerSecond(const Context& context, const Row& row, double EventLimit::* amount) {
    const TimeScale scale = row.source->options().target;
    return limitCell(context, row, [&](const EventLimit& limit) -> std::optional<double> {
        constexpr double billion = 1e9;
        const double seconds = row.event->statistics.p50 / traits(scale).perSecond;
        return scale == TimeScale::Cycles || seconds <= 0 ? std::nullopt
                                                          : std::optional(limit.*amount / seconds / billion);
    });
}

/// All columns: the reference's frame in its order, then ours.
constexpr std::array rules{
    EventColumnRule{
        {"event_block_name", "Block", "block of runs with the same events: Default (loading), Execute", true},
        {},
        false,
        [](const Context&, const Row& r) { return format::Cell(std::string(r.block->name)); }},
    EventColumnRule{
        {"event_name", "Event", "name of the event; the delegate's own identifier for its operators", true},
        {},
        false,
        [](const Context&, const Row& r) { return format::Cell(std::string(r.event->name)); }},
    EventColumnRule{{"raw", "All samples", "all samples, one per run", false},
                    {},
                    false,
                    [](const Context&, const Row& r) { return listOrNothing(r.event->samples); }},
    EventColumnRule{{"p10", "p10", "10th percentile of the samples", true},
                    timeUnit,
                    true,
                    statisticCell<&Statistics::p10>},
    EventColumnRule{{"p50", "p50", "median", true}, timeUnit, true, statisticCell<&Statistics::p50>},
    EventColumnRule{{"p90", "p90", "90th percentile", true}, timeUnit, true, statisticCell<&Statistics::p90>},
    EventColumnRule{{"avg", "Average", "average", true}, timeUnit, true, statisticCell<&Statistics::average>},
    EventColumnRule{
        {"min", "Shortest", "shortest", true}, timeUnit, true, statisticCell<&Statistics::minimum>},
    EventColumnRule{{"max", "Longest", "longest", true}, timeUnit, true, statisticCell<&Statistics::maximum>},
    EventColumnRule{{"op_types", "Operators", "operators of the Edge graph that the event covers", true},
                    {},
                    false,
                    [](const Context&, const Row& r) {
                        return format::Cell(opTypeCells(*r.block, *r.event, OpTypes::Reference));
                    }},
    EventColumnRule{
        {"delegate_debug_identifier", "Delegate id", "identifier that the delegate gave the event", false},
        {},
        false,
        [](const Context&, const Row& r) { return delegateIdentifier(*r.event); }},
    EventColumnRule{
        {"stack_traces", "Python stacks", "Python stack of each Edge node", false},
        {},
        false,
        [](const Context&, const Row& r) { return format::Cell(stackTraces(*r.block, *r.event)); }},
    EventColumnRule{
        {"module_hierarchy", "Modules", "modules of each Edge node, outermost first", false},
        {},
        false,
        [](const Context&, const Row& r) { return format::Cell(moduleHierarchy(*r.block, *r.event)); }},
    EventColumnRule{{"is_delegated_op", "Delegated", "whether a delegate ran it", true},
                    {},
                    false,
                    [](const Context&, const Row& r) { return format::Cell(r.event->delegated); }},
    EventColumnRule{{"delegate_backend_name", "Delegate", "backend of a delegate's operator or call", true},
                    {},
                    false,
                    [](const Context&, const Row& r) { return format::textCell(r.event->backend); }},
    EventColumnRule{{"debug_data", "Logged values", "values logged by the first run, summarized", false},
                    {},
                    false,
                    debugData},
    EventColumnRule{{"start_time", "Start", "start of each sample, in ticks of the trace's clock", true},
                    {},
                    false,
                    [](const Context&, const Row& r) { return listOrNothing(r.event->startTicks); }},
    EventColumnRule{{"method", "Method", "method that the block ran", false},
                    {},
                    false,
                    [](const Context&, const Row& r) { return format::textCell(r.block->method); }},
    EventColumnRule{
        {"instruction_id", "Instruction", "position of the instruction in its chain", false},
        {},
        true,
        [](const Context&, const Row& r) { return format::Cell(std::int64_t{r.event->instruction.value}); }},
    EventColumnRule{{"chain", "Chain", "chain of instructions; -1: the method's own steps", false},
                    {},
                    true,
                    [](const Context&, const Row& r) { return format::Cell(r.event->chain); }},
    EventColumnRule{{"debug_handles", "Debug handles", "debug handles of the Edge nodes", false},
                    {},
                    false,
                    [](const Context&, const Row& r) { return debugHandleCell(*r.event); }},
    EventColumnRule{{"handle_source", "Handles from", "how the debug handles were found", false},
                    {},
                    false,
                    [](const Context&, const Row& r) {
                        return format::Cell(std::string(handleSourceName(r.event->handleSource)));
                    }},
    EventColumnRule{{"num_outputs", "Outputs", "outputs of the instruction", false},
                    {},
                    true,
                    [](const Context&, const Row& r) { return format::optionalCell(r.event->outputCount); }},
    EventColumnRule{
        {"delegate_metadata", "Delegate metadata", "metadata that the delegate wrote for each sample", false},
        {},
        false,
        [](const Context&, const Row& r) { return delegateMetadata(*r.source, *r.event); }},
    EventColumnRule{
        {"delegate_metadata_hex", "Metadata in hexadecimal", "the same as hexadecimal numbers", false},
        {},
        false,
        [](const Context&, const Row& r) { return delegateMetadataHex(*r.source, *r.event); }},
    EventColumnRule{
        {"delegate_metadata_decoded", "Decoded metadata", "the same, decoded by a plugin (--plugin)", false},
        {},
        false,
        [](const Context&, const Row& r) { return delegateMetadataDecoded(*r.source, *r.event); }},
    EventColumnRule{{"module", "Module", "innermost module that contains all nodes of the event", false},
                    {},
                    false,
                    [](const Context&, const Row& r) { return commonModule(*r.block, *r.event); }},
    EventColumnRule{
        {"source", "Source", "Python lines of the event", false},
        {},
        false,
        [](const Context&, const Row& r) { return format::Cell(sourceLines(*r.block, *r.event)); }},
    EventColumnRule{{"count", "Samples", "number of samples", false},
                    {},
                    true,
                    [](const Context&, const Row& r) {
                        return format::Cell(static_cast<std::uint64_t>(r.event->samples.size()));
                    }},
    EventColumnRule{
        {"outliers", "Outliers", "number of samples far above the others (the process was preempted)", false},
        {},
        true,
        [](const Context&, const Row& r) {
            return r.event->samples.empty() ? format::Cell()
                                            : format::Cell(std::uint64_t{outlierCount(r.event->samples)});
        }},
    EventColumnRule{{"total", "Total", "sum of all samples", false},
                    timeUnit,
                    true,
                    [](const Context&, const Row& r) { return timed(r, r.total); }},
    EventColumnRule{{"self", "Own time", "total without the events inside it", false},
                    timeUnit,
                    true,
                    [](const Context&, const Row& r) { return timed(r, r.self); }},
    EventColumnRule{{"share", "Share", "percentage of its block's time, without outliers", false},
                    percentUnit,
                    true,
                    [](const Context& c, const Row& r) { return percent(r, c.rows.share(r)); }},
    EventColumnRule{{"self_share", "Own share",
                     "the same without the events inside it; adds up to 100 in a block", false},
                    percentUnit,
                    true,
                    [](const Context& c, const Row& r) { return percent(r, c.rows.selfShare(r)); }},
    EventColumnRule{{"phase", "Phase", "purpose of its runs: load, prefill, decode, sample, …", false},
                    {},
                    false,
                    phaseCell},
    EventColumnRule{{"call", "Call", "index of each sample's call in its phase, from 0", false},
                    {},
                    false,
                    [](const Context&, const Row& r) {
                        return numbersOfCalls(r, [](const RunPhase& of) { return of.call; });
                    }},
    EventColumnRule{{"position", "Position", "position of each sample's first token in the context", false},
                    {},
                    false,
                    [](const Context&, const Row& r) {
                        return numbersOfCalls(r, [](const RunPhase& of) { return of.position; });
                    }},
    EventColumnRule{
        {"flops", "Operations", "operations that it must perform (docs/how_to/roofline.md)", false},
        {},
        true,
        [](const Context& c, const Row& r) {
            return limitCell(c, r, [](const EventLimit& limit) { return limit.operations; });
        }},
    EventColumnRule{{"bytes", "Bytes", "bytes that it must read and write", false},
                    {},
                    true,
                    [](const Context& c, const Row& r) {
                        return limitCell(c, r, [](const EventLimit& limit) { return limit.bytes; });
                    }},
    EventColumnRule{{"intensity", "Operations per byte", "operations per byte", false},
                    {},
                    true,
                    [](const Context& c, const Row& r) {
                        return limitCell(c, r, [](const EventLimit& limit) { return limit.intensity(); });
                    }},
    EventColumnRule{
        {"gflops", "GFLOP/s", "10^9 operations per second, at the median", false},
        {},
        true,
        [](const Context& c, const Row& r) { return billionsPerSecond(c, r, &EventLimit::operations); }},
    EventColumnRule{
        {"gbytes", "GB/s", "10^9 bytes per second, at the median", false},
        {},
        true,
        [](const Context& c, const Row& r) { return billionsPerSecond(c, r, &EventLimit::bytes); }},
    EventColumnRule{{"attainable", "Minimum time", "minimum time on this machine", false},
                    timeUnit,
                    true,
                    [](const Context& c, const Row& r) {
                        return limitCell(c, r, [](const EventLimit& limit) { return limit.attainable; });
                    }},
    EventColumnRule{{"efficiency", "Efficiency", "minimum time as a percentage of the median", false},
                    percentUnit,
                    true,
                    [](const Context& c, const Row& r) {
                        return limitCell(c, r, [&](const EventLimit& limit) -> std::optional<double> {
                            const auto part = limit.efficiency(r.event->statistics.p50);
                            return part ? std::optional(100 * *part) : std::nullopt;
                        });
                    }},
    EventColumnRule{
        {"bound_by", "Bound by", "limit that sets the minimum time: compute, or a level of memory", false},
        {},
        false,
        [](const Context& c, const Row& r) {
            const EventLimit* limit = c.limitOf(r);
            return limit == nullptr ? format::Cell() : format::textCell(limit->boundBy);
        }},
    counterColumn<Counter::Cycles>(),
    counterColumn<Counter::Instructions>(),
    counterColumn<Counter::CacheMisses>(),
    counterColumn<Counter::BranchMisses>(),
    counterColumn<Counter::PageFaults>(),
    counterColumn<Counter::ContextSwitches>(),
    counterColumn<Counter::Migrations>(),
    EventColumnRule{{"trace", "Trace", "file name of the trace", false},
                    {},
                    false,
                    [](const Context& c, const Row& r) {
                        return format::Cell(c.rows.traces[c.rows.blocks[r.blockAt].traceAt].name);
                    }},
};

core::Result<const EventColumnRule*> knownColumn(std::string_view id) {
    if (const EventColumnRule* rule = findEventColumn(id)) {
        return rule;
    }
    std::array<std::string_view, rules.size()> known{};
    std::ranges::transform(rules, known.begin(), [](const EventColumnRule& rule) { return rule.column.id; });
    return std::unexpected(unknownColumn(id, {}, known));
}

core::Result<> addColumn(std::vector<const EventColumnRule*>& chosen, std::string_view id) {
    if (id == "all") {
        for (const EventColumnRule& rule : rules) {
            chosen.push_back(&rule);
        }
        return {};
    }
    ET_ASSIGN(const EventColumnRule* rule, knownColumn(id));
    if (std::ranges::find(chosen, rule) == chosen.end()) {
        chosen.push_back(rule);
    }
    return {};
}

core::Result<std::vector<const EventColumnRule*>> chosenColumns(const std::vector<std::string>& wanted) {
    std::vector<const EventColumnRule*> chosen;
    const bool besides =
        std::ranges::any_of(wanted, [](const std::string& id) { return id.starts_with('+'); });
    if (wanted.empty() || besides) {
        for (const EventColumnRule& rule : rules) {
            if (rule.column.shownByDefault) {
                chosen.push_back(&rule);
            }
        }
    }
    for (const std::string_view id : wanted) {
        ET_TRY(addColumn(chosen, id.starts_with('+') ? id.substr(1) : id));
    }
    return chosen;
}

}  // namespace

const std::vector<EventColumn>& eventColumns() {
    static const std::vector<EventColumn> columns = [] {
        std::vector<EventColumn> out;
        for (const EventColumnRule& rule : rules) {
            out.push_back(rule.column);
        }
        return out;
    }();
    return columns;
}

ColumnContext columnContext(const EventRows& rows, const EventLimits* limits) {
    const bool any =
        std::ranges::any_of(rows.rows, [](const EventRow& row) { return !row.event->samples.empty(); });
    return {rows, any, limits};
}

const EventLimit* ColumnContext::limitOf(const EventRow& row) const {
    if (limits == nullptr || row.event->samples.empty()) {
        return nullptr;
    }
    const auto found = limits->find(row.event);
    return found == limits->end() ? nullptr : &found->second;
}

bool isOfLimits(std::string_view id) {
    id.remove_prefix(id.starts_with('+') || id.starts_with('-') ? 1 : 0);
    constexpr std::array ids = std::to_array<std::string_view>(
        {"flops", "bytes", "intensity", "gflops", "gbytes", "attainable", "efficiency", "bound_by", "all"});
    return std::ranges::contains(ids, id);
}

std::span<const EventColumnRule> eventColumnRules() {
    return rules;
}

const EventColumnRule* findEventColumn(std::string_view id) {
    const auto* found =
        std::ranges::find(rules, id, [](const EventColumnRule& rule) { return rule.column.id; });
    return found == rules.end() ? nullptr : found;
}

format::Column toColumn(const EventColumnRule& rule, TimeScale target) {
    format::Column column = makeColumn(rule.column.id, rule.unit, rule.numeric, target);
    column.shortenLists = column.id == "op_types";
    return column;
}

core::Result<ColumnRequest<EventColumnRule>> requestedColumns(const EventTableOptions& options) {
    ColumnRequest<EventColumnRule> request;
    ET_ASSIGN(request.shown, chosenColumns(options.columns));
    if (!options.sort.empty()) {
        const SortKey key = parseSortKey(options.sort);
        ET_ASSIGN(request.sortedBy, knownColumn(key.column));
        request.direction = key.direction;
    }
    request.top = options.top;
    return request;
}

}  // namespace et::inspector::events

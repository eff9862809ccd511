#include "inspector/events/event_json.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/event_rows.h"
#include "inspector/format/formats.h"
#include "inspector/format/json_text.h"
#include "inspector/format/text_cell.h"
#include "inspector/format/time_scale.h"

namespace et::inspector::events {
namespace {

constexpr std::int64_t schemaVersion = 1;

/// Adds the values of the first run, and those of every run if they differ.
void addDebugData(format::Dict& out, const std::string& key, std::vector<format::List> runs, bool differs) {
    out.emplace_back(key, runs.empty() ? format::List{} : runs.front());
    if (differs) {
        format::List all;
        for (format::List& run : runs) {
            all.emplace_back(std::move(run));
        }
        out.emplace_back(key + "_by_run", std::move(all));
    }
}

void addStatistics(format::Dict& out, const EventRows& rows, const EventRow& row) {
    const Event& event = *row.event;
    const bool measured = !event.samples.empty();
    const auto number = [&](double value) { return measured ? format::Cell(value) : format::Cell(); };
    out.emplace_back("raw", std::vector<double>(event.samples.begin(), event.samples.end()));
    out.emplace_back("p10", number(event.statistics.p10));
    out.emplace_back("p50", number(event.statistics.p50));
    out.emplace_back("p90", number(event.statistics.p90));
    out.emplace_back("avg", number(event.statistics.average));
    out.emplace_back("min", number(event.statistics.minimum));
    out.emplace_back("max", number(event.statistics.maximum));
    out.emplace_back("outliers",
                     measured ? format::Cell(std::uint64_t{outlierCount(event.samples)}) : format::Cell());
    out.emplace_back("total", number(row.total));
    out.emplace_back("self", number(row.self));
    const auto share = rows.share(row);
    out.emplace_back("share", measured && share ? format::Cell(100 * *share) : format::Cell());
}

format::Dict eventObject(const EventBlocks& blocks, const EventRows& rows, const EventRow& row) {
    const Block& block = *row.block;
    const Event& event = *row.event;
    format::Dict out;
    out.emplace_back("name", std::string(event.name));
    addStatistics(out, rows, row);
    out.emplace_back("op_types", opTypeCells(block, event));
    out.emplace_back("delegate_debug_identifier", delegateIdentifier(event));
    out.emplace_back("debug_handles", debugHandleCell(event));
    out.emplace_back("handle_source", std::string(handleSourceName(event.handleSource)));
    out.emplace_back("num_outputs", format::optionalCell(event.outputCount));
    out.emplace_back("stack_traces", stackTraces(block, event));
    out.emplace_back("module_hierarchy", moduleHierarchy(block, event));
    out.emplace_back("is_delegated_op", event.delegated);
    out.emplace_back("delegate_backend_name", format::textCell(event.backend));
    out.emplace_back("delegate_metadata", delegateMetadata(blocks, event));
    out.emplace_back("delegate_metadata_hex", delegateMetadataHex(blocks, event));
    out.emplace_back("delegate_metadata_decoded", delegateMetadataDecoded(blocks, event));
    out.emplace_back("instruction_id", std::int64_t{event.instruction.value});
    out.emplace_back("chain", event.chain);
    addDebugData(out, "debug_data", debugDataByRun(blocks, event.debugEvents), event.debugDiffers);
    out.emplace_back("start_time",
                     std::vector<std::uint64_t>(event.startTicks.begin(), event.startTicks.end()));
    out.emplace_back("dropped_repeats", std::int64_t{event.droppedRepeats});
    if (event.counts != nullptr) {
        for (const CounterInfo& traits : counterInfos) {
            const auto counted = (*event.counts)[static_cast<std::size_t>(traits.counter)];
            out.emplace_back(std::string(traits.name), format::optionalCell(counted));
        }
    }
    return out;
}

/// Allocation events of the block: {"allocator", "bytes"}, the allocator by number if it has no name.
format::List allocationList(const EventBlocks& blocks, const Block& block) {
    const etdump::Trace& trace = blocks.trace();
    format::List out;
    for (const etdump::EventIndex event : block.allocations) {
        const std::uint64_t id = trace.events().start[event];
        const std::string_view name = trace.text(trace.runOf(event).allocatorName(id));
        out.emplace_back(
            format::Dict{{"allocator", name.empty() ? format::Cell(id) : format::Cell(std::string(name))},
                         {"bytes", trace.events().end[event]}});
    }
    return out;
}

/// Appends a member of the outer objects on a separate line.
void appendMember(std::string& out, std::string_view key, const format::Cell& value) {
    core::JsonWriter line(std::move(out));
    line.key(key);
    format::writeJson(line, value);
    out = line.take() + ",\n";
}

std::string opening(const EventRows& rows) {
    const JoinOptions& options = rows.traces.front().blocks->options();
    std::string out = "{";
    appendMember(out, "schema", schemaVersion);
    appendMember(out, "source_time_scale", std::string(traits(options.clock.unit).name));
    appendMember(out, "target_time_scale", std::string(traits(options.target).name));
    format::List warnings;
    format::List sources;
    bool known = false;
    for (const NamedTrace& trace : rows.traces) {
        for (const std::string& warning : trace.blocks->warnings()) {
            warnings.emplace_back(warning);
        }
        const RunPhases& phases = trace.blocks->phases();
        sources.emplace_back(std::string(phaseSourceName(phases.source)));
        known = known || phases.known();
    }
    appendMember(out, "warnings", warnings);
    if (known) {
        appendMember(out, "phases",
                     rows.traces.size() == 1 ? sources.front() : format::Cell(std::move(sources)));
    }
    return out;
}

/// Purpose of each run of the block.
format::List callList(const EventBlocks& blocks, const Block& block) {
    format::List out;
    const bool marks = !block.phase.empty() && blocks.phases().runs[block.runs.front()].phase.empty();
    for (std::size_t i = 0; i < block.runs.size(); ++i) {
        const RunPhase of = marks ? blocks.phaseOf(block.events.front().profileEvents[i])
                                  : blocks.phases().runs[block.runs[i]];
        const auto number = [](std::optional<std::uint64_t> value) { return format::optionalCell(value); };
        out.emplace_back(format::Dict{{"phase", format::textCell(of.phase)},
                                      {"call", number(of.call)},
                                      {"position", number(of.position)},
                                      {"tokens", of.tokens == 0 ? format::Cell() : format::Cell(of.tokens)}});
    }
    return out;
}

void appendBlock(std::string& out, const EventBlocks& blocks, const EventRows& rows, std::size_t at) {
    const Block& block = blocks.blocks()[at];
    out += "{";
    appendMember(out, "name", std::string(block.name));
    appendMember(out, "method", format::textCell(block.method));
    appendMember(out, "bundled_input_index", std::int64_t{block.bundledInputIndex});
    appendMember(out, "runs", std::vector<std::int64_t>(block.runs.begin(), block.runs.end()));
    if (blocks.phases().known()) {
        appendMember(out, "calls", callList(blocks, block));
    }
    appendMember(out, "total", rows.blocks[at].total);
    format::Dict outputs;
    addDebugData(outputs, "run_output", debugDataByRun(blocks, block.programOutputs), block.outputsDiffer);
    for (const auto& [key, value] : outputs) {
        appendMember(out, key, value);
    }
    appendMember(out, "allocations", allocationList(blocks, block));
    out += "\"events\": [";
    for (std::size_t i = 0; i < rows.blocks[at].rowCount; ++i) {
        out += i == 0 ? "\n" : ",\n";
        format::appendJson(out, eventObject(blocks, rows, rows.rows[rows.blocks[at].firstRow + i]));
    }
    out += "\n]}";
}

}  // namespace

std::string eventsJson(const EventBlocks& blocks) {
    const EventRows rows = eventRows(blocks);
    std::string out = opening(rows) + "\"blocks\": [";
    for (std::size_t at = 0; at < blocks.blocks().size(); ++at) {
        out += at == 0 ? "\n" : ",\n";
        appendBlock(out, blocks, rows, at);
    }
    return out + "\n]}\n";
}

std::string rowsJson(const EventRows& rows, const format::Table& table, const format::Dict& module) {
    std::string out = opening(rows);
    if (!module.empty()) {
        appendMember(out, "module", module);
    }
    out += "\"rows\": " + format::jsonRows(table);
    out.pop_back();
    return out + "}\n";
}

}  // namespace et::inspector::events

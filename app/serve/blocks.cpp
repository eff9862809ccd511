#include "app/output/report/timeline_picture.h"
#include "app/serve/columns.h"
#include "app/serve/event_cells.h"
#include "app/serve/functions.h"
#include "app/serve/sources.h"
#include "app/serve/time_scales.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/event_json.h"
#include "inspector/events/event_table.h"
#include "inspector/format/time_scale.h"
#include "inspector/join/event_blocks.h"
#include "inspector/profiles/profiled_trace.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;

/// A joined trace with the data of its views.
struct Blocks : Logged {
    std::vector<std::string> profileWarnings;
    [[nodiscard]] const Block& block(std::size_t index) const {
        if (index >= joined->blocks().size()) {
            raise("IndexError", "no such event block");
        }
        return joined->blocks()[index];
    }
    [[nodiscard]] const Event& event(std::size_t blockIndex, std::size_t index) const {
        const Block& of = block(blockIndex);
        if (index >= of.events.size()) {
            raise("IndexError", "no such event");
        }
        return of.events[index];
    }
};

struct FormatName {
    inspector::format::Format format;
    std::string_view name;
};
constexpr std::array formatNames{
    FormatName{inspector::format::Format::Table, "table"},
    FormatName{inspector::format::Format::Tsv, "tsv"},
    FormatName{inspector::format::Format::Csv, "csv"},
    FormatName{inspector::format::Format::Json, "json"},
    FormatName{inspector::format::Format::Markdown, "markdown"},
};

struct JoinRequest {
    inspector::JoinOptions options;
    std::shared_ptr<const etrecord::Record> record;
    std::shared_ptr<const core::MappedFile> debugBuffer;  ///< null: none
    std::vector<std::shared_ptr<const core::MappedFile>> profiles;
};

core::Result<Blocks> join(std::shared_ptr<const core::MappedFile> file, JoinRequest request) {
    ET_ASSIGN(inspector::ProfiledTrace read, inspector::readProfiledTrace({.record = request.record.get(),
                                                                           .clock = request.options.clock,
                                                                           .method = request.options.method},
                                                                          std::move(file), request.profiles));
    if (read.isProfile) {
        request.options.clock.delegates.clear();
    }
    Blocks blocks;
    blocks.profileWarnings = std::move(read.warnings);
    blocks.debugBuffer = std::move(request.debugBuffer);
    ET_ASSIGN(blocks.joined, EventBlocks::build(std::move(read.trace), std::move(request.record),
                                                blocks.debugBuffer, std::move(request.options)));
    return blocks;
}

/// Converts a value of a data frame to a cell.
inspector::format::Cell cellOf(const Value& value) {
    if (const auto* const truth = value.as<bool>()) {
        return *truth;
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        return *integer;
    }
    if (const auto* const number = value.as<double>()) {
        return *number;
    }
    if (const auto* const given = value.as<Text>()) {
        return given->bytes;
    }
    const auto* const tuple = value.as<Tuple>();
    if (const auto* const list = tuple == nullptr ? value.as<List>() : &tuple->items) {
        inspector::format::List cells;
        for (const Value& each : *list) {
            cells.push_back(cellOf(each));
        }
        return cells;
    }
    return {};
}

/// A data frame in the grid layout of ExecuTorch's Inspector; rows are numbered from 0.
Value grid(const std::vector<std::string>& headers, const std::vector<List>& rows) {
    inspector::format::Table table;
    for (const std::string& header : headers) {
        table.columns.push_back({.id = header, .header = header});
    }
    for (const List& row : rows) {
        std::vector<inspector::format::Cell> cells;
        for (const Value& cell : row) {
            cells.push_back(cellOf(cell));
        }
        cells.resize(headers.size());
        table.rows.push_back(std::move(cells));
    }
    return printed(inspector::format::render(table, inspector::format::Format::Table));
}

Blocks openBlocks(Value source, std::optional<std::shared_ptr<const etrecord::Record>> record,
                  Value debugBuffer, const std::string& from, const std::string& to, std::string method,
                  bool referenceQuirks, const std::vector<std::string>& delegateClocks, List profiles) {
    JoinRequest request{
        .options = {}, .record = std::move(record).value_or(nullptr), .debugBuffer = nullptr, .profiles = {}};
    request.options.clock = traceClock(from, delegateClocks);
    request.options.target = timeScale(to);
    request.options.method = std::move(method);
    request.options.referenceQuirks = referenceQuirks;
    std::shared_ptr<const core::MappedFile> file = contents(source);
    if (!debugBuffer.isNone()) {
        request.debugBuffer = contents(debugBuffer);
    }
    for (Value& each : profiles) {
        request.profiles.push_back(contents(each));
    }
    return unwrap(join(std::move(file), std::move(request)));
}

/// Raw metadata of each sample, as bytes; an empty list if no sample has any.
List metadata(const Blocks& blocks, const Event& event) {
    List out;
    bool any = false;
    for (const etdump::EventIndex index : event.profileEvents) {
        const core::Bytes bytes = blocks.joined->trace().metadata(index);
        any = any || !bytes.empty();
        out.emplace_back(bytesValue({bytes.begin(), bytes.end()}));
    }
    return any ? std::move(out) : List();
}

Value statistics(const Event& event) {
    if (event.samples.empty()) {
        return Value();
    }
    const inspector::Statistics& of = event.statistics;
    return tupleOf(of.p10, of.p50, of.p90, of.average, of.minimum, of.maximum);
}

/// The reference's fields of an event: the keywords of et_inspect.devtools.Event, and their sources.
Dict eventFields(const Blocks& blocks, const Block& block, const Event& event) {
    const std::vector<const etrecord::Node*> nodes = knownNodes(block, event);
    Dict out;
    out["name"] = text(event.name);
    out["samples"] = samplesCell(event);
    out["statistics"] = statistics(event);
    out["op_types"] = opTypesCell(block, event);
    out["delegate_debug_identifier"] = identifierCell(event);
    out["debug_handles"] = cellValue(inspector::events::debugHandleCell(event));
    out["stack_traces"] = stackTracesCell(nodes);
    out["module_hierarchy"] = moduleHierarchyCell(nodes);
    out["is_delegated_op"] = event.delegated;
    out["delegate_backend_name"] = backendCell(event);
    out["metadata"] = metadata(blocks, event);
    out["instruction_id"] = event.instruction.value;
    out["start_time"] = startsCell(event);
    out["num_outputs"] = valueOf(event.outputCount);
    out["has_debug_data"] = event.firstRunDebugEvents > 0;
    return out;
}

List events(const Blocks& blocks, std::size_t index) {
    const Block& block = blocks.block(index);
    return collected(block.events, [&](const Event& event) { return eventFields(blocks, block, event); });
}

Dict blockFields(const Blocks& blocks, std::size_t index) {
    const Block& block = blocks.block(index);
    Dict out;
    out["name"] = text(block.name);
    out["bundled_input_index"] = block.bundledInputIndex;
    out["method"] = text(block.method);
    out["runs"] = block.runs.size();
    out["events"] = block.events.size();
    return out;
}

/// Start and end of each sample in ticks of the source clock.
List ticks(const Blocks& blocks, std::size_t block, std::size_t index) {
    const etdump::EventColumns& columns = blocks.joined->trace().events();
    return collected(blocks.event(block, index).profileEvents, [&](const etdump::EventIndex each) {
        return tupleOf(columns.start[each], columns.end[each]);
    });
}

Value table(const Blocks& blocks, const std::string& format, std::vector<std::string> columns,
            std::string sort, std::string filter, std::string module) {
    const auto* const found = std::ranges::find(formatNames, format, &FormatName::name);
    if (found == formatNames.end()) {
        raise({.code = core::ErrorCode::InvalidArgument, .message = "unknown table format " + format});
    }
    inspector::events::EventTableOptions options;
    options.columns = std::move(columns);
    options.sort = std::move(sort);
    options.filter = std::move(filter);
    options.module = std::move(module);
    return printed(unwrap(inspector::events::renderEvents(*blocks.joined, options, found->format)));
}

/// The median run over time as SVG; None if no run has times.
Value timeline(const Blocks& blocks) {
    const auto picture = output::timelinePicture(*blocks.joined);
    return picture ? text(picture->svg) : Value();
}

List debugData(const Blocks& self, std::size_t block, std::size_t index) {
    const Event& event = self.event(block, index);
    return self.values(event.debugEvents.first(event.firstRunDebugEvents));
}

List runOutput(const Blocks& self, std::size_t block) {
    const Block& of = self.block(block);
    return self.values(std::span(of.programOutputs).first(of.firstRunOutputs));
}

constexpr std::array blockTable{
    function<&grid>("grid"),
    function<&openBlocks>("Blocks.open"),
    function<[](const Blocks& self) { return self.joined->blocks().size(); }>("Blocks.__len__"),
    function<&blockFields>("Blocks.block"),
    function<&events>("Blocks.events"),
    function<[](const Blocks& self, std::size_t block) { return columns(self, self.block(block)); }>(
        "Blocks.columns"),
    function<&ticks>("Blocks.ticks"),
    function<&debugData>("Blocks.debug_data"),
    function<[](const Blocks& self, std::size_t block, std::size_t index) {
        return self.event(block, index).debugDiffers;
    }>("Blocks.debug_differs"),
    function<&runOutput>("Blocks.run_output"),
    function<[](const Blocks& self) { return inspector::events::eventsJson(*self.joined); }>("Blocks.json"),
    function<&timeline>("Blocks.timeline"),
    function<&table>("Blocks.table"),
    function<[](const Blocks& self) {
        std::vector<std::string> all = self.profileWarnings;
        std::ranges::copy(self.joined->warnings(), std::back_inserter(all));
        return texts(all);
    }>("Blocks.warnings"),
};

}  // namespace

std::span<const Function> blockFunctions() {
    return blockTable;
}

}  // namespace et::serve

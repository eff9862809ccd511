#include "app/python/blocks.h"

#include "app/output/report/timeline_picture.h"
#include "app/python/cells.h"
#include "app/python/columns.h"
#include "app/python/errors.h"
#include "app/python/event_cells.h"
#include "app/python/name.h"
#include "app/python/sources.h"
#include "app/python/time_scales.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/event_json.h"
#include "inspector/events/event_table.h"
#include "inspector/format/time_scale.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;

/// A joined trace with the data of its views.
struct Blocks : Logged {
    [[nodiscard]] const Block& block(std::size_t index) const {
        if (index >= joined->blocks().size()) {
            throw nb::index_error("no such event block");
        }
        return joined->blocks()[index];
    }
    [[nodiscard]] const Event& event(std::size_t blockIndex, std::size_t index) const {
        const Block& of = block(blockIndex);
        if (index >= of.events.size()) {
            throw nb::index_error("no such event");
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
};

core::Result<Blocks> join(std::shared_ptr<const core::MappedFile> file, JoinRequest request) {
    ET_ASSIGN(std::shared_ptr<const etdump::Trace> trace, etdump::Trace::parse(std::move(file)));
    Blocks blocks;
    blocks.debugBuffer = std::move(request.debugBuffer);
    ET_ASSIGN(blocks.joined, EventBlocks::build(std::move(trace), std::move(request.record),
                                                blocks.debugBuffer, std::move(request.options)));
    return blocks;
}

/// Converts a value of a data frame to a cell.
inspector::format::Cell cellOf(nb::handle value) {
    if (value.is_none()) {
        return {};
    }
    if (nb::isinstance<nb::bool_>(value)) {
        return nb::cast<bool>(value);
    }
    if (nb::isinstance<nb::int_>(value)) {
        return nb::cast<std::int64_t>(value);
    }
    if (nb::isinstance<nb::float_>(value)) {
        return nb::cast<double>(value);
    }
    if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
        inspector::format::List cells;
        for (const nb::handle each : value) {
            cells.push_back(cellOf(each));
        }
        return cells;
    }
    return encodedText(nb::str(value));
}

/// A data frame in the grid layout of ExecuTorch's Inspector; rows are numbered from 0.
nb::str grid(const std::vector<std::string>& headers, const nb::list& rows) {
    inspector::format::Table table;
    for (const std::string& header : headers) {
        table.columns.push_back({.id = header, .header = header});
    }
    for (const nb::handle row : rows) {
        std::vector<inspector::format::Cell> cells;
        for (const nb::handle cell : row) {
            cells.push_back(cellOf(cell));
        }
        cells.resize(headers.size());
        table.rows.push_back(std::move(cells));
    }
    return printed(inspector::format::render(table, inspector::format::Format::Table));
}

Blocks openBlocks(const nb::object& source, std::shared_ptr<etrecord::Record> record,
                  const nb::object& debugBuffer, const std::string& from, const std::string& to, Name method,
                  bool referenceQuirks) {
    JoinRequest request{.options = {}, .record = std::move(record), .debugBuffer = nullptr};
    request.options.source = timeScale(from);
    request.options.target = timeScale(to);
    request.options.method = std::move(method.bytes);
    request.options.referenceQuirks = referenceQuirks;
    std::shared_ptr<const core::MappedFile> file = contents(source);
    if (!debugBuffer.is_none()) {
        request.debugBuffer = contents(debugBuffer);
    }
    return unwrap(withoutGil([&] { return join(std::move(file), std::move(request)); }));
}

/// Raw metadata of each sample, as bytes; an empty list if no sample has any.
nb::list metadata(const Blocks& blocks, const Event& event) {
    nb::list out;
    bool any = false;
    for (const etdump::EventIndex index : event.profileEvents) {
        const core::Bytes bytes = blocks.joined->trace().metadata(index);
        any = any || !bytes.empty();
        out.append(nb::bytes(bytes.data(), bytes.size()));
    }
    return any ? out : nb::list();
}

nb::object statistics(const Event& event) {
    if (event.samples.empty()) {
        return nb::none();
    }
    const inspector::Statistics& of = event.statistics;
    return nb::make_tuple(of.p10, of.p50, of.p90, of.average, of.minimum, of.maximum);
}

/// The reference's fields of an event: the keywords of et_inspect.devtools.Event, and their sources.
nb::dict eventFields(const Blocks& blocks, const Block& block, const Event& event) {
    const std::vector<const etrecord::Node*> nodes = knownNodes(block, event);
    nb::dict out;
    out["name"] = text(event.name);
    out["samples"] = samplesCell(event);
    out["statistics"] = statistics(event);
    out["op_types"] = opTypesCell(block, event);
    out["delegate_debug_identifier"] = identifierCell(event);
    out["debug_handles"] = value(inspector::events::debugHandleCell(event));
    out["stack_traces"] = stackTracesCell(nodes);
    out["module_hierarchy"] = moduleHierarchyCell(nodes);
    out["is_delegated_op"] = event.delegated;
    out["delegate_backend_name"] = backendCell(event);
    out["metadata"] = metadata(blocks, event);
    out["instruction_id"] = event.instruction.value;
    out["start_time"] = startsCell(event);
    out["num_outputs"] = event.outputCount ? nb::cast(*event.outputCount) : nb::object(nb::none());
    out["has_debug_data"] = event.firstRunDebugEvents > 0;
    return out;
}

nb::list events(const Blocks& blocks, std::size_t index) {
    const Block& block = blocks.block(index);
    return pythonList(block.events, [&](const Event& event) { return eventFields(blocks, block, event); });
}

nb::dict blockFields(const Blocks& blocks, std::size_t index) {
    const Block& block = blocks.block(index);
    nb::dict out;
    out["name"] = text(block.name);
    out["bundled_input_index"] = block.bundledInputIndex;
    out["method"] = text(block.method);
    out["runs"] = block.runs.size();
    out["events"] = block.events.size();
    return out;
}

/// Start and end of each sample in ticks of the source clock.
nb::list ticks(const Blocks& blocks, std::size_t block, std::size_t index) {
    const etdump::EventColumns& columns = blocks.joined->trace().events();
    return pythonList(blocks.event(block, index).profileEvents, [&](const etdump::EventIndex each) {
        return nb::make_tuple(columns.start[each], columns.end[each]);
    });
}

nb::str table(const Blocks& blocks, const std::string& format, std::vector<std::string> columns,
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
    return printed(unwrap(
        withoutGil([&] { return inspector::events::renderEvents(*blocks.joined, options, found->format); })));
}

/// The median run over time as SVG; None if no run has times.
std::optional<nb::str> timeline(const Blocks& blocks) {
    const auto picture = withoutGil([&] { return output::timelinePicture(*blocks.joined); });
    return picture ? std::optional(text(picture->svg)) : std::nullopt;
}

/// Binds the accessors of blocks and their events.
void bindEvents(nb::class_<Blocks>& blocks) {
    blocks.def("__len__", [](const Blocks& self) { return self.joined->blocks().size(); })
        .def("block", &blockFields, "index"_a, nb::sig("def block(self, index: int) -> dict[str, object]"),
             "name, bundled_input_index, method, and the numbers of runs and events.")
        .def("events", &events, "block"_a, nb::sig("def events(self, block: int) -> list[dict[str, object]]"),
             "All data of each event; samples and statistics (p10, p50, p90, avg, min, max) in the target "
             "time scale, start_time in source ticks.")
        .def(
            "columns", [](const Blocks& self, std::size_t block) { return columns(self, self.block(block)); },
            "block"_a, nb::sig("def columns(self, block: int) -> dict[str, object]"),
            "The columns of the data frame, numpy arrays with one element per event; and `kinds`, rows with "
            "all combinations of types that occur.\n\nEqual strings share one object, and so do all empty "
            "lists and all empty dictionaries.")
        .def("ticks", &ticks, "block"_a, "event"_a,
             nb::sig("def ticks(self, block: int, event: int) -> list[tuple[int, int]]"),
             "Start and end of each sample, in ticks of the source clock.")
        .def(
            "debug_data",
            [](const Blocks& self, std::size_t block, std::size_t index) {
                const Event& event = self.event(block, index);
                return self.values(event.debugEvents.first(event.firstRunDebugEvents));
            },
            "block"_a, "event"_a, nb::sig("def debug_data(self, block: int, event: int) -> list[object]"),
            "Values that the runtime logged for an event, from the first run that has any: arrays that share "
            "memory with the debug buffer, lists of them, numbers.")
        .def(
            "debug_differs",
            [](const Blocks& self, std::size_t block, std::size_t index) {
                return self.event(block, index).debugDiffers;
            },
            "block"_a, "event"_a, "Whether runs logged different values.")
        .def(
            "run_output",
            [](const Blocks& self, std::size_t block) {
                const Block& of = self.block(block);
                return self.values(std::span(of.programOutputs).first(of.firstRunOutputs));
            },
            "block"_a, nb::sig("def run_output(self, block: int) -> list[object]"),
            "Outputs of the method that the runtime logged, from the first run that has any.");
}

/// Binds the output formats of all blocks.
void bindTables(nb::class_<Blocks>& blocks) {
    blocks
        .def(
            "json",
            [](const Blocks& self) {
                return text(withoutGil([&] { return inspector::events::eventsJson(*self.joined); }));
            },
            "The document of `et-inspect --format json`.")
        .def("timeline", &timeline, nb::sig("def timeline(self) -> str | None"),
             "Timeline of the median run, as SVG; None if no run has times.")
        .def("table", &table, "format"_a, "columns"_a, "sort"_a, "filter"_a, "module"_a,
             "The table of `et-inspect`: format table, tsv, csv, json or markdown; columns, sort, filter and "
             "module as in its options, empty for the defaults.")
        .def_prop_ro(
            "warnings", [](const Blocks& self) { return texts(self.joined->warnings()); },
            nb::sig("def warnings(self) -> list[str]"),
            "Warnings about files that contradict each other, one per line.");
}

}  // namespace

void bindBlocks(nb::module_& module) {
    module.def("grid", &grid, "headers"_a, "rows"_a,
               "A table in the grid format of ExecuTorch's Inspector.\n\n`rows`: lists of cells, one per "
               "header; numbered from 0.");
    nb::class_<Blocks> blocks(module, "Blocks",
                              "The events of a trace, linked with a record and a debug buffer; "
                              "immutable.\n\nBlocks and events are numbered from 0, in file order.");
    blocks.def_static("open", &openBlocks, "etdump"_a, "record"_a.none(), "debug_buffer"_a.none(), "source"_a,
                      "target"_a, "method"_a, "reference_quirks"_a,
                      "Reads a trace: a path, or its bytes.\n\n`source`, `target`: time scales by name (ns, "
                      "us, ms, s, cycles). `method`: of the record; empty: detected from the events. "
                      "`reference_quirks`: as described in docs/reference/differences.md.");
    bindEvents(blocks);
    bindTables(blocks);
}

}  // namespace et::python

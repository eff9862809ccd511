#include "visualizers/delegates/delegate_tables.h"

#include "inspector/events/event_fields.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/join/node_fields.h"
#include "inspector/memory/memory_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace et::visualizers {

namespace {

using inspector::DelegateCallSite;
using inspector::DelegateReport;
using inspector::HandleMap;
using inspector::HandleMapEntry;
using inspector::MethodDelegates;
using inspector::OperatorPlacement;
using inspector::format::Cell;
using inspector::format::Column;
using inspector::format::optionalCell;
using Nodes = std::vector<const etrecord::Node*>;

constexpr std::size_t maxNamed = 4;  ///< maximum number of list items in a cell

Column column(std::string header, bool numeric = false) {
    return {.id = header, .header = header, .numeric = numeric};
}

Column timeColumn(const Delegation& of) {
    Column made = column(std::string("time"), true);
    made.measure = inspector::format::measureOf(of.timeScale.value_or(inspector::TimeScale::Milliseconds));
    return made;
}

/// "a, b, c, d and 3 more"
std::string named(const std::vector<std::string>& texts) {
    const std::size_t shown = std::min(texts.size(), maxNamed);
    std::string text =
        fmt::format("{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    return texts.size() == shown ? text : fmt::format("{} and {} more", text, texts.size() - shown);
}

std::vector<std::string> distinct(const std::vector<std::string>& texts) {
    std::vector<std::string> out;
    for (const std::string& each : texts) {
        if (!std::ranges::contains(out, each)) {
            out.push_back(each);
        }
    }
    return out;
}

std::string valueTexts(const program::Method& method, const std::vector<program::ValueId>& ids) {
    std::vector<std::string> texts;
    for (const program::ValueId id : ids) {
        const auto* tensor = method.value(id).as<program::TensorInfo>();
        texts.push_back(tensor == nullptr ? std::string(program::valueTypeName(method.value(id)))
                                          : inspector::tensorText(*tensor));
    }
    return named(texts);
}

std::string handleText(const std::vector<core::DebugHandle>& handles) {
    std::vector<std::string> numbers;
    for (const core::DebugHandle handle : handles) {
        numbers.push_back(fmt::to_string(handle.value));
    }
    return named(numbers);
}

std::string moduleText(const Nodes& nodes) {
    const Cell module = inspector::events::commonModule(nodes);
    const auto* name = std::get_if<std::string>(&module);
    return name == nullptr ? std::string() : *name;
}

std::string sourceText(const Nodes& nodes) {
    std::vector<std::string> lines;
    for (const Cell& line : inspector::events::sourceLines(nodes)) {
        lines.push_back(std::get<std::string>(line));
    }
    return lines.size() < 2 ? named(lines) : fmt::format("{} and {} more", lines.front(), lines.size() - 1);
}

std::string nodesOperatorText(const Nodes& nodes) {
    std::vector<std::string> names;
    for (const etrecord::Node* node : nodes) {
        names.push_back(node->op);
    }
    return named(distinct(names));
}

Cell percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? Cell() : Cell(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<Cell> placementCells(const OperatorPlacement& each, bool edge) {
    std::vector<Cell> cells{each.name, std::uint64_t{each.total()}, std::uint64_t{each.delegated},
                            std::uint64_t{each.undelegated}};
    if (edge) {
        cells.emplace_back(std::uint64_t{each.either});
        cells.emplace_back(std::uint64_t{each.absent});
    }
    cells.push_back(percent(each.delegated, each.total()));
    cells.push_back(percent(each.undelegated, each.total()));
    return cells;
}

/// Rows of a map with the debug handles of each.
class MapRows {
  public:
    MapRows(const Delegation& of, std::string_view method)
        : graph(of.session->record ? of.session->record->edgeGraph(method) : nullptr) {
        table.rows.table.columns = {column(std::string("name")),
                                    column(std::string("operator")),
                                    column(std::string("handles")),
                                    timeColumn(of),
                                    column(std::string("module")),
                                    column(std::string("source")),
                                    column(std::string("name in the delegate"))};
    }

    /// Adds a top-level row, the parent of the following ones.
    void top(const HandleMapEntry& entry) {
        above.reset();
        add(entry);
        above = table.handles.size() - 1;
    }
    void top(const etrecord::Node& node) {
        above.reset();
        add(node);
        above = table.handles.size() - 1;
    }
    void add(const HandleMapEntry& entry) {
        const std::string name = inspector::joinedName(graph, entry.nodes);
        add({name.empty() ? entry.id : name, nodesOperatorText(entry.nodes), handleText(entry.handles),
             optionalCell(entry.time), moduleText(entry.nodes), sourceText(entry.nodes), entry.id},
            entry.handles);
    }
    void add(const etrecord::Node& node) {
        add({node.name, node.op, handleText(node.debugHandles), Cell(), moduleText({&node}),
             sourceText({&node}), Cell()},
            node.debugHandles);
    }

    [[nodiscard]] MapTable finish() && { return std::move(table); }

  private:
    void add(std::vector<Cell> cells, const std::vector<core::DebugHandle>& handles) {
        table.rows.parents.push_back(above);
        table.handles.push_back(handles);
        table.rows.table.rows.push_back(std::move(cells));
    }

    const etrecord::ExportedGraph* graph;  ///< null: no record
    MapTable table;
    std::optional<std::size_t> above;
};

/// Total size of the named data of a payload, which are its weights.
std::uint64_t weightBytes(const DelegateReport& report) {
    std::uint64_t sum = 0;
    for (const inspector::NamedBlob& blob : report.namedData) {
        sum += blob.data.size();
    }
    return sum;
}

}  // namespace

DelegateList delegateList(const Delegation& of) {
    DelegateList out;
    out.rows.table.columns = {column(std::string("method")),
                              column(std::string("delegate"), true),
                              column(std::string("backend")),
                              column(std::string("instruction"), true),
                              column(std::string("payload"), true),
                              column(std::string("weights"), true),
                              column(std::string("nodes inside"), true),
                              column(std::string("Edge nodes"), true),
                              timeColumn(of),
                              column(std::string("share"), true),
                              column(std::string("inputs")),
                              column(std::string("outputs"))};
    out.rows.styles = {
        {}, {}, {}, {}, NumberStyle::Bytes, NumberStyle::Bytes, {}, {}, {}, NumberStyle::Percent};
    const DelegateCallSite none;
    for (std::size_t m = 0; m < of.report.methods.size(); ++m) {
        const MethodDelegates& method = of.report.methods[m];
        const auto add = [&](std::size_t d, std::optional<std::size_t> c) {
            const DelegateReport& report = method.delegates[d];
            const DelegateCallSite& call = c ? report.calls[*c] : none;
            std::optional<std::int64_t> instruction;
            std::optional<std::uint64_t> inside;
            std::optional<std::uint64_t> edge;
            std::optional<double> share;
            if (c) {
                instruction = call.instruction.value;
            }
            if (report.graph) {
                inside = report.graph->nodes().size();
            }
            if (method.recorded) {
                edge = call.nodes.size();
            }
            if (call.time && method.times && method.times->total > 0) {
                share = 100 * *call.time / method.times->total;
            }
            out.refs.push_back({.method = m, .delegate = d, .call = c});
            out.rows.table.rows.push_back(
                {std::string(method.method->name), std::uint64_t{d}, std::string(report.delegate->backend),
                 optionalCell(instruction), std::uint64_t{report.delegate->payload.size()},
                 weightBytes(report), optionalCell(inside), optionalCell(edge), optionalCell(call.time),
                 optionalCell(share), valueTexts(*method.method, call.inputs),
                 valueTexts(*method.method, call.outputs)});
        };
        for (std::size_t d = 0; d < method.delegates.size(); ++d) {
            for (std::size_t c = 0; c < method.delegates[d].calls.size(); ++c) {
                add(d, c);
            }
            if (method.delegates[d].calls.empty()) {
                add(d, std::nullopt);
            }
        }
    }
    return out;
}

MapTable mapTable(const Delegation& of, std::string_view method, const HandleMap& map,
                  const DelegateCallSite& call, MapDirection direction) {
    MapRows rows(of, method);
    if (direction == MapDirection::FromDelegate) {
        for (const HandleMapEntry& entry : map.entries) {
            rows.top(entry);
            for (const etrecord::Node* node : entry.nodes) {
                rows.add(*node);
            }
        }
        return std::move(rows).finish();
    }
    for (const inspector::MappedNode& each : nodesToEntries(map, call)) {
        rows.top(*each.node);
        for (const std::size_t entry : each.entries) {
            rows.add(map.entries[entry]);
        }
    }
    return std::move(rows).finish();
}

MapTable payloadNodes(const Delegation& of, std::string_view method, const DelegateReport& report) {
    MapTable out;
    out.rows.table.columns = {column(std::string("name")),     column(std::string("kind")),
                              column(std::string("operator")), column(std::string("module")),
                              column(std::string("handles")),  column(std::string("inputs")),
                              column(std::string("outputs")),  column(std::string("attributes"))};
    const etrecord::Record* const record = of.session->record.get();
    const etrecord::ExportedGraph* const graph = record == nullptr ? nullptr : record->edgeGraph(method);
    const inspector::InstructionNodes edges(record, method);
    if (!report.graph) {
        return out;
    }
    const auto values = [&](const std::vector<core::GraphValueId>& ids) {
        std::vector<std::string> texts;
        for (const core::GraphValueId id : ids) {
            const core::GraphValue& value = report.graph->value(id);
            texts.push_back(value.type.empty() ? value.name : fmt::format("{}: {}", value.name, value.type));
        }
        return named(texts);
    };
    for (const core::GraphNode& node : report.graph->nodes()) {
        std::vector<std::string> attributes;
        for (const core::GraphAttribute& each : node.attributes) {
            attributes.push_back(fmt::format("{} {}", each.name, each.text));
        }
        out.handles.push_back(node.debugHandles);
        const Nodes nodes = edges.nodesOf(node.debugHandles);
        out.rows.table.rows.push_back({node.name, node.kind, inspector::joinedName(graph, nodes),
                                       moduleText(nodes), handleText(node.debugHandles), values(node.inputs),
                                       values(node.outputs), fmt::format("{}", fmt::join(attributes, ", "))});
    }
    return out;
}

ReportRows placementRows(const MethodDelegates& method) {
    const bool edge = method.operatorSource == inspector::PlacementSource::EdgeGraph;
    ReportRows rows;
    rows.table.columns = {column(std::string("operator")), column(std::string("count"), true),
                          column(std::string("delegated"), true), column(std::string("undelegated"), true)};
    if (edge) {
        rows.table.columns.push_back(column(std::string("mixed"), true));
        rows.table.columns.push_back(column(std::string("no instruction"), true));
    }
    rows.table.columns.push_back(column(std::string("delegated %"), true));
    rows.table.columns.push_back(column(std::string("undelegated %"), true));
    rows.styles.assign(rows.table.columns.size() - 2, NumberStyle::Plain);
    rows.styles.insert(rows.styles.end(), 2, NumberStyle::Percent);
    for (const OperatorPlacement& each : method.operators) {
        rows.table.rows.push_back(placementCells(each, edge));
    }
    if (!method.operators.empty()) {
        OperatorPlacement sum = inspector::sumOf(method.operators);
        sum.name = std::string("all operators");
        rows.table.rows.push_back(placementCells(sum, edge));
    }
    return rows;
}

}  // namespace et::visualizers

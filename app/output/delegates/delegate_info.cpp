#include "app/output/delegates/delegate_info.h"

#include "app/output/cells.h"
#include "app/output/delegates/delegate_nodes.h"
#include "app/output/graph/graph_info.h"
#include "app/output/groups.h"
#include "app/output/info/artifact_info.h"
#include "backends/compile_specs.h"
#include "backends/known_backends.h"
#include "inspector/delegates/delegate_text.h"
#include "inspector/delegates/delegates.h"
#include "inspector/join/module_nodes.h"
#include "inspector/names/value_role.h"
#include "runtime/core/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <ranges>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::DelegateCallSite;
using inspector::DelegateReport;
using inspector::MethodDelegates;
using inspector::OperatorPlacement;
using inspector::PlacementSource;

using NodeList = std::vector<const etrecord::Node*>;

constexpr std::size_t longestShown = 6;  ///< items in a shortened list

std::vector<std::string> strings(const List& list) {
    std::vector<std::string> out;
    for (const Cell& cell : list) {
        if (const auto* text = std::get_if<std::string>(&cell)) {
            out.push_back(*text);
        }
    }
    return out;
}

double rounded(double number, double digits) {
    return std::round(number * digits) / digits;
}

Cell percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? Cell()
                      : Cell(rounded(100.0 * static_cast<double>(part) / static_cast<double>(whole), 10));
}

List settingsInfo(const std::vector<backends::SpecSetting>& settings) {
    return listOf(settings, [](const backends::SpecSetting& each) {
        return Dict{{"name", each.name}, {"value", each.value}, {"default", each.isDefault}};
    });
}

Dict specInfo(std::string_view backend, const program::CompileSpec& spec) {
    inspector::SpecText shown = inspector::specText(backend, spec);
    Dict info{{"key", std::string(spec.key)},
              {"bytes", std::uint64_t{spec.value.size()}},
              {shown.readable ? "text" : "hex", shown.text}};
    if (!shown.readable && std::has_single_bit(spec.value.size()) &&
        spec.value.size() <= sizeof(std::uint64_t)) {
        std::uint64_t number = 0;
        std::memcpy(&number, spec.value.data(), spec.value.size());
        info.emplace_back("number", number);
    }
    if (!shown.decoded) {
        if (shown.decoded.error().code != core::ErrorCode::Unsupported) {
            info.emplace_back("problem", shown.decoded.error().message);
        }
    } else if (!shown.decoded->settings.empty()) {
        info.emplace_back("settings", settingsInfo(shown.decoded->settings));
        if (shown.decoded->opaqueBytes > 0) {
            info.emplace_back("opaque_bytes", shown.decoded->opaqueBytes);
        }
    } else if (!shown.readable || shown.decoded->text != shown.text) {
        info.emplace_back("value", std::move(shown.decoded->text));
    }
    return info;
}

List specsInfo(const program::Delegate& delegate) {
    return listOf(delegate.compileSpecs,
                  [&](const program::CompileSpec& spec) { return specInfo(delegate.backend, spec); });
}

Cell deviceCell(std::string_view backend) {
    const std::string_view device = backends::deviceOf(backend);
    return device.empty() ? Cell() : Cell(std::string(device));
}

Dict partInfo(const backends::ListedPart& part) {
    return {{"name", part.part.name},
            {"offset", part.offset ? Cell(std::uint64_t{*part.offset}) : Cell()},
            {"bytes", std::uint64_t{part.part.data.size()}},
            {"opaque_bytes", part.bytes.opaque}};
}

class MethodInfo {
  public:
    MethodInfo(const MethodDelegates& from, const etrecord::Record* record, const DelegateInfoOptions& how)
        : method(from),
          options(how),
          lists(record == nullptr || !from.recorded ? nullptr : record->edgeGraph(from.method->name),
                how.record) {}

    Dict info() const {
        Groups<std::string, std::int64_t> alike;
        for (std::size_t i = 0; i < method.delegates.size(); ++i) {
            alike.add(options.groupsEqual ? kind(method.delegates[i]) : std::to_string(i),
                      static_cast<std::int64_t>(i));
        }
        List delegates;
        for (const auto& [same, ids] : alike.inOrder()) {
            delegates.emplace_back(delegate(ids));
        }
        Dict out{{"name", std::string(method.method->name)}, {"delegates", std::move(delegates)}};
        append(out, operators());
        if (method.times) {
            out.emplace_back("time", times());
        }
        return out;
    }

  private:
    /// Describes the delegate apart from its place, names and exact size: delegates with equal texts share an
    /// entry.
    std::string kind(const DelegateReport& report) const {
        Dict of{{"backend", std::string(report.delegate->backend)},
                {"payload", report.format.text},
                {"compile_specs", specsInfo(*report.delegate)},
                {"arguments", listOf(report.calls,
                                     [&](const DelegateCallSite& call) {
                                         return Dict{{"inputs", valueInfo(*method.method, call.inputs)},
                                                     {"outputs", valueInfo(*method.method, call.outputs)}};
                                     })},
                {"edge_operators", edgeOperators(edgeNodes(report)).dict()}};
        append(of, measured(report));
        append(of, inside(report));
        return jsonLine(of);
    }

    /// One delegate, or several of a kind.
    Dict delegate(const std::vector<std::int64_t>& ids) const {
        const auto reportOf = [&](std::int64_t id) -> const DelegateReport& {
            return method.delegates[static_cast<std::size_t>(id)];
        };
        const DelegateReport& first = reportOf(ids.front());
        DelegateReport report = first;
        for (const std::int64_t id : ids | std::views::drop(1)) {
            const DelegateReport& more = reportOf(id);
            std::ranges::copy(more.calls, std::back_inserter(report.calls));
            std::ranges::copy(more.namedData, std::back_inserter(report.namedData));
        }
        const auto [least, most] =
            std::ranges::minmax(ids | std::views::transform([&](std::int64_t id) {
                                    return std::uint64_t{reportOf(id).delegate->payload.size()};
                                }));
        Dict out{
            {"id", ids.size() == 1
                       ? Cell(static_cast<std::uint64_t>(ids.front()))
                       : Cell(fmt::format("{} ({} alike)", inspector::rangesText(ids), ids.size()))},
            {"backend", std::string(report.delegate->backend)},
            {"device", deviceCell(report.delegate->backend)},
            {"payload_bytes", least == most ? Cell(least) : Cell(fmt::format("{} to {}", least, most))},
            {"payload_mark", report.format.mark.empty() ? Cell() : Cell(report.format.mark)},
            {"payload_format", report.format.text},
        };
        append(out, contents(ids));
        append(out, {
                        {"calls", calls(report)},
                        {"compile_specs", specsInfo(*report.delegate)},
                        {"named_data", namedData(report)},
                    });
        append(out, measured(report));
        append(out, inside(report));
        append(out, symbols(report, edgeNodes(first)));
        append(out, reconciliation(report));
        if (options.nodes) {
            append(out, report.graph ? lists.ofGraph(*report.graph) : lists.ofEdgeNodes(report));
        }
        return out;
    }

    /// Bytes of the payloads, and the parts of a container.
    Dict contents(const std::vector<std::int64_t>& ids) const {
        backends::PayloadBytes sum;
        List parts;
        for (const std::int64_t id : ids) {
            const backends::ListedContents& each = method.delegates[static_cast<std::size_t>(id)].contents;
            sum.known += each.bytes.known;
            sum.opaque += each.bytes.opaque;
            sum.padding += each.bytes.padding;
            if (id == ids.front()) {
                parts = listOf(each.parts, partInfo);
            }
        }
        Dict out = options.forPeople ? Dict{{"payload_content", inspector::payloadBytesText(sum)}}
                                     : Dict{{"payload_known_bytes", sum.known},
                                            {"payload_opaque_bytes", sum.opaque},
                                            {"payload_padding_bytes", sum.padding}};
        out.emplace_back("payload_parts", std::move(parts));
        return out;
    }

    List calls(const DelegateReport& report) const {
        return listOf(report.calls, [&](const DelegateCallSite& call) {
            Dict info{{"chain", std::uint64_t{call.chain}},
                      {"instruction", std::int64_t{call.instruction.value}},
                      {"inputs", valueInfo(*method.method, call.inputs)},
                      {"outputs", valueInfo(*method.method, call.outputs)}};
            if (method.times) {
                info.emplace_back("time", call.time ? time(*call.time) : Cell());
                info.emplace_back("share", call.time ? share(*call.time) : Cell());
            }
            return info;
        });
    }

    /// Attributes the time of each call and, with --nodes, of each operator.
    Dict reconciliation(const DelegateReport& report) const {
        List rows;
        List operators;
        for (const DelegateCallSite& call : report.calls) {
            if (!call.parts) {
                continue;
            }
            const inspector::CallParts& parts = *call.parts;
            Dict row = place(call);
            append(row, {{"operators", time(parts.operators)},
                         {"layout", time(parts.layout)},
                         {"unknown", time(parts.unknown)},
                         {"unexplained", time(parts.unexplained())},
                         {"whole", time(parts.whole)}});
            rows.emplace_back(std::move(row));
            for (const inspector::TimedOperator& each : call.operators) {
                operators.emplace_back(timedOperator(call, each));
            }
        }
        Dict out;
        if (!rows.empty()) {
            out.emplace_back("call_times", std::move(rows));
        }
        if (options.nodes && !operators.empty()) {
            out.emplace_back("operator_times", std::move(operators));
        }
        return out;
    }

    static Dict place(const DelegateCallSite& call) {
        return {{"chain", std::uint64_t{call.chain}}, {"instruction", std::int64_t{call.instruction.value}}};
    }

    Dict timedOperator(const DelegateCallSite& call, const inspector::TimedOperator& from) const {
        static constexpr std::array words{"unknown", "layout", "edge_nodes"};
        Dict row = place(call);
        append(row, {{"operator", from.name},
                     {"time", time(from.time)},
                     {"is", std::string(words[static_cast<std::size_t>(from.is)])}});
        lists.addSymbols(row, from.handles, from.nodes);
        return row;
    }

    Cell namedData(const DelegateReport& report) const {
        List list;
        std::uint64_t sum = 0;
        for (const inspector::NamedBlob& blob : report.namedData) {
            list.emplace_back(
                Dict{{"name", std::string(blob.name)}, {"bytes", std::uint64_t{blob.data.size()}}});
            sum += blob.data.size();
        }
        if (options.shortenLists && list.size() > longestShown) {
            return fmt::format("{} names, {} bytes; --all shows them", list.size(), sum);
        }
        return list;
    }

    static Dict measured(const DelegateReport& report) {
        return report.packedWeights ? Dict{{"packed_weights_bytes", *report.packedWeights},
                                           {"workspace_bytes", report.workspace.value_or(0)}}
                                    : Dict();
    }

    /// Describes the nodes inside, if they are known.
    static Dict inside(const DelegateReport& report) {
        if (!report.graph) {
            return {{"nodes_unknown", report.unknown}};
        }
        std::uint64_t constants = 0;
        std::uint64_t bytes = 0;
        for (const core::GraphValue& value : report.graph->values()) {
            if (value.role == core::GraphValue::Role::Constant) {
                ++constants;
                bytes += value.bytes;
            }
        }
        Dict kinds;
        for (const auto& [kind, count] : report.graph->kinds()) {
            kinds.emplace_back(std::string(kind), std::uint64_t{count});
        }
        return {{"nodes", std::uint64_t{report.graph->nodes().size()}},
                {"values", std::uint64_t{report.graph->values().size()}},
                {"constants", constants},
                {"constant_bytes", bytes},
                {"nodes_by_kind", std::move(kinds)}};
    }

    /// Distinct nodes of all calls.
    static NodeList edgeNodes(const DelegateReport& report) {
        NodeList nodes;
        std::unordered_set<const etrecord::Node*> seen;
        for (const DelegateCallSite& call : report.calls) {
            std::ranges::copy_if(call.nodes, std::back_inserter(nodes),
                                 [&](const etrecord::Node* node) { return seen.insert(node).second; });
        }
        return nodes;
    }

    static Tally edgeOperators(const NodeList& nodes) {
        Tally operators;
        for (const etrecord::Node* node : nodes) {
            operators.add(node->op);
        }
        return operators;
    }

    /// Describes the delegate as a whole, from the record. `counted`: nodes of one delegate of its kind.
    Dict symbols(const DelegateReport& report, const NodeList& counted) const {
        if (!options.record) {
            return {};
        }
        std::vector<std::int64_t> handles;
        for (const DelegateCallSite& call : report.calls) {
            for (const core::DebugHandle handle : call.handles) {
                handles.push_back(handle.value);
            }
        }
        std::ranges::sort(handles);
        handles.erase(std::ranges::unique(handles).begin(), handles.end());
        const NodeList nodes = edgeNodes(report);
        std::vector<std::string> modules;
        for (const etrecord::Node* node : inspector::nodesWithModules(nodes)) {
            if (!std::ranges::contains(modules, moduleName(*node))) {
                modules.push_back(moduleName(*node));
            }
        }
        return {{"debug_handles", options.forPeople ? Cell(inspector::rangesText(handles)) : Cell(handles)},
                {"edge_nodes", std::uint64_t{counted.size()}},
                {"edge_operators", edgeOperators(counted).dict()},
                {"modules", shortened(std::move(modules))},
                {"source_lines", shortened(strings(inspector::sourceLines(nodes)))}};
    }

    std::string moduleName(const etrecord::Node& node) const {
        const std::string& name = node.moduleStack.back().fqn;
        return name.empty() && options.forPeople ? "(root)" : name;
    }

    Cell shortened(std::vector<std::string> items) const {
        if (options.shortenLists && items.size() > longestShown) {
            const std::size_t more = items.size() - longestShown + 1;
            items.resize(longestShown - 1);
            items.push_back(fmt::format("... and {} more", more));
        }
        return listOf(items);
    }

    Dict operators() const {
        List rows;
        for (const OperatorPlacement& each : method.operators) {
            rows.emplace_back(operatorInfo(each));
        }
        Dict total = operatorInfo(inspector::sumOf(method.operators));
        total.erase(total.begin());
        if (options.forPeople && rows.empty()) {
            return {};
        }
        const bool edge = method.operatorSource == PlacementSource::EdgeGraph;
        return {{"operators_counted", std::string(edge ? "edge_graph" : "instructions")},
                {"operators", std::move(rows)},
                {options.forPeople ? "all operators" : "operators_total", std::move(total)}};
    }

    Dict operatorInfo(const OperatorPlacement& each) const {
        Dict out{{"operator", each.name},
                 {"count", std::uint64_t{each.total()}},
                 {"delegated", std::uint64_t{each.delegated}},
                 {"undelegated", std::uint64_t{each.undelegated}}};
        if (method.operatorSource == PlacementSource::EdgeGraph) {
            out.emplace_back("either", std::uint64_t{each.either});
            out.emplace_back("no_instruction", std::uint64_t{each.absent});
        }
        out.emplace_back("delegated_percent", percent(each.delegated, each.total()));
        out.emplace_back("undelegated_percent", percent(each.undelegated, each.total()));
        return out;
    }

    Cell time(double number) const {
        const auto scale = inspector::timeScaleFromName(options.timeUnit);
        return options.forPeople && scale ? Cell(readableTime(number, *scale)) : Cell(number);
    }

    Cell share(double part) const {
        const double whole = method.times->total;
        if (whole <= 0) {
            return {};
        }
        return options.forPeople ? Cell(readablePercent(part / whole)) : Cell(part / whole);
    }

    Dict times() const {
        const inspector::DelegationTimes& measured = *method.times;
        const auto part = [this](const char* name, double spent) {
            return Dict{{"part", name}, {"time", time(spent)}, {"share", share(spent)}};
        };
        Dict out;
        if (!options.forPeople) {
            out.emplace_back("unit", std::string(options.timeUnit));
        }
        out.emplace_back("runs", std::uint64_t{measured.runs});
        out.emplace_back("parts", List{part("delegates", measured.delegated),
                                       part("undelegated operators", measured.undelegated),
                                       part("other", measured.other()), part("total", measured.total)});
        return out;
    }

    const MethodDelegates& method;
    const DelegateInfoOptions& options;
    DelegateNodes lists;
};

}  // namespace

List delegateInfo(const inspector::DelegationReport& report, const etrecord::Record* record,
                  const DelegateInfoOptions& options) {
    Groups<std::string, Dict> alike;
    for (std::size_t i = 0; i < report.methods.size(); ++i) {
        Dict info = MethodInfo(report.methods[i], record, options).info();
        const Dict withoutName(info.begin() + 1, info.end());
        alike.add(options.groupsEqual ? jsonLine(withoutName) : std::to_string(i), std::move(info));
    }
    return listOf(alike.inOrder(), [](const auto& group) {
        Dict info = group.second.front();
        for (const Dict& more : group.second | std::views::drop(1)) {
            std::get<std::string>(info.front().second) += ", " + std::get<std::string>(more.front().second);
        }
        return info;
    });
}

}  // namespace et::output

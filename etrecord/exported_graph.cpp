#include "etrecord/exported_graph.h"

#include "etrecord/detail/arguments.h"
#include "etrecord/detail/graph.h"
#include "runtime/archive/json.h"
#include "runtime/core/json_writer.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace et::etrecord {
namespace {

using archive::JsonDocument;
using archive::JsonValue;
using core::Result;
using detail::readArgument;
using detail::valueName;
using detail::writeArgument;

/// Serialized form of one kind of specification.
struct SpecKind {
    std::string_view name;
    std::string_view targetMember;  ///< member that names a parameter, buffer, …; empty if there is none
    bool wholeArgument;             ///< "arg" is a full argument, not a bare {"name": …}
};
// InputSpec and OutputSpec of torch/_export/serde/schema.py.
constexpr std::array inputKinds{
    SpecKind{"user_input", "", true},
    SpecKind{"parameter", "parameter_name", false},
    SpecKind{"buffer", "buffer_name", false},
    SpecKind{"tensor_constant", "tensor_constant_name", false},
    SpecKind{"custom_obj", "custom_obj_name", false},
    SpecKind{"token", "", false},
};
constexpr std::array outputKinds{
    SpecKind{"user_output", "", true},
    SpecKind{"loss_output", "", false},
    SpecKind{"buffer_mutation", "buffer_name", false},
    SpecKind{"parameter_mutation", "parameter_name", false},
    SpecKind{"gradient_to_parameter", "parameter_name", false},
    SpecKind{"gradient_to_user_input", "user_input_name", false},
    SpecKind{"user_input_mutation", "user_input_name", false},
    SpecKind{"token", "", false},
};
/// {"name": …, "value": …}: an input fixed at export.
constexpr std::string_view constantInput = "constant_input";

Result<std::string> readName(const JsonValue& json, std::string_view member) {
    ET_ASSIGN(const JsonValue name, json.member(member));
    return name.string().transform([](std::string_view text) { return std::string(text); });
}

template <class Spec>
Result<> readKnown(const JsonValue& json, const SpecKind& kind, Spec& spec) {
    ET_ASSIGN(const JsonValue argument, json.member("arg"));
    if (kind.wholeArgument) {
        ET_ASSIGN(spec.argument, readArgument(argument));
        spec.value = valueName(spec.argument);
    } else {
        ET_ASSIGN(spec.value, readName(argument, "name"));
    }
    if (!kind.targetMember.empty()) {
        ET_ASSIGN(spec.target, readName(json, kind.targetMember));
    }
    if constexpr (std::is_same_v<Spec, InputSpec>) {
        if (const auto persistent = json.find("persistent")) {
            ET_ASSIGN(spec.persistent, persistent->boolean());
        }
    }
    return {};
}

template <class Spec>
Result<> readPayload(const JsonValue& json, std::span<const SpecKind> kinds, Spec& spec) {
    const auto known = std::ranges::find(kinds, std::string_view(spec.kind), &SpecKind::name);
    if (known != kinds.end()) {
        return readKnown(json, *known, spec);
    }
    if (spec.kind != constantInput) {
        spec.target = json.text();
        return {};
    }
    ET_ASSIGN(spec.value, readName(json, "name"));
    ET_ASSIGN(const JsonValue value, json.member("value"));
    ET_ASSIGN(spec.argument, readArgument(value));
    return {};
}

/// A specification is a union: an object with one non-null member, named by the kind.
template <class Spec>
Result<> readSpecs(const JsonValue& signature, std::string_view member, std::span<const SpecKind> kinds,
                   std::vector<Spec>& specs) {
    const auto list = signature.find(member);
    if (!list) {
        return {};
    }
    return list->forEach([&](const JsonValue& each) {
        Spec spec;
        auto read = each.forEachMember([&](std::string_view kind, const JsonValue& payload) -> Result<> {
            if (!spec.kind.empty() || payload.isNull()) {
                return {};
            }
            spec.kind = kind;
            return readPayload(payload, kinds, spec);
        });
        specs.push_back(std::move(spec));
        return read;
    });
}

template <class Spec>
void writeKnown(core::JsonWriter& out, const SpecKind& kind, const Spec& spec) {
    out.beginObject();
    out.key("arg");
    if (!kind.wholeArgument) {
        out.beginObject();
        out.member("name", [&] { out.string(spec.value); });
        out.endObject();
    } else if (spec.argument.kind.empty()) {
        writeArgument(out, Argument{.name = {}, .kind = "as_tensor", .value = ValueRef{.name = spec.value}});
    } else {
        writeArgument(out, spec.argument);
    }
    if (!kind.targetMember.empty()) {
        out.member(kind.targetMember, [&] { out.string(spec.target); });
    }
    if constexpr (std::is_same_v<Spec, InputSpec>) {
        if (kind.name == "buffer") {
            out.member("persistent", [&] { out.boolean(spec.persistent); });
        }
    }
    out.endObject();
}

template <class Spec>
void writePayload(core::JsonWriter& out, std::span<const SpecKind> kinds, const Spec& spec) {
    const auto known = std::ranges::find(kinds, std::string_view(spec.kind), &SpecKind::name);
    if (known != kinds.end()) {
        writeKnown(out, *known, spec);
    } else if (spec.kind != constantInput) {
        out.raw(spec.target.empty() ? "null" : spec.target);
    } else {
        out.beginObject();
        out.member("name", [&] { out.string(spec.value); });
        out.member("value", [&] { writeArgument(out, spec.argument); });
        out.endObject();
    }
}

template <class Spec>
void writeSpecs(core::JsonWriter& out, std::string_view member, std::span<const SpecKind> kinds,
                const std::vector<Spec>& specs) {
    out.key(member);
    out.beginArray();
    for (const Spec& spec : specs) {
        out.beginObject();
        out.member(spec.kind, [&] { writePayload(out, kinds, spec); });
        out.endObject();
    }
    out.endArray();
}

/// Kinds of the graph's inputs and outputs; empty for a file without a signature.
Result<> readSignature(const JsonValue& graphModule, ExportedGraph& graph) {
    const auto signature = graphModule.find("signature");
    if (!signature) {
        return {};
    }
    ET_TRY(readSpecs<InputSpec>(*signature, "input_specs", inputKinds, graph.inputSpecs));
    return readSpecs<OutputSpec>(*signature, "output_specs", outputKinds, graph.outputSpecs);
}

void writeSignature(core::JsonWriter& out, const ExportedGraph& graph) {
    out.beginObject();
    writeSpecs<InputSpec>(out, "input_specs", inputKinds, graph.inputSpecs);
    writeSpecs<OutputSpec>(out, "output_specs", outputKinds, graph.outputSpecs);
    out.endObject();
}

/// Bookkeeping operators: they carry the metadata of the adjacent operator and have no row in the reference's
/// maps.
constexpr std::array<std::string_view, 2> bookkeepingTargets{"_operator.getitem",
                                                             "executorch.exir.memory.alloc"};

/// {"min_val": 2, "max_val": Infinity}, or a list of the two.
RangeConstraint readRange(const JsonValue& json) {
    const auto bound = [&](std::string_view name) -> std::optional<std::int64_t> {
        const auto value = json.find(name);
        const auto number = value ? value->integer() : Result<std::int64_t>(std::unexpected(core::Error{}));
        return number ? std::optional(*number) : std::nullopt;
    };
    return {.minimum = bound("min_val"), .maximum = bound("max_val")};
}

/// Reads optional information about the program; fields that are missing or of another type stay empty.
void readInfo(const JsonValue& program, ExportedGraph& graph) {
    const auto text = [&](const std::optional<JsonValue>& json) {
        return json ? std::string(json->string().value_or("")) : std::string();
    };
    graph.dialect = text(program.find("dialect"));
    graph.torchVersion = text(program.find("torch_version"));
    if (const auto verifiers = program.find("verifiers"); verifiers && verifiers->isArray()) {
        bool first = true;
        std::ignore = verifiers->forEach([&](const JsonValue& each) -> Result<> {
            graph.dialect = std::exchange(first, false) ? text(each) : graph.dialect;
            return {};
        });
    }
    if (const auto ranges = program.find("range_constraints"); ranges && ranges->isObject()) {
        std::ignore = ranges->forEachMember([&](std::string_view symbol, const JsonValue& range) -> Result<> {
            graph.rangeConstraints.insert_or_assign(std::string(symbol), readRange(range));
            return {};
        });
    }
    if (const auto opsets = program.find("opset_version"); opsets && opsets->isObject()) {
        std::ignore = opsets->forEachMember([&](std::string_view name, const JsonValue& version) -> Result<> {
            graph.opsetVersions.insert_or_assign(std::string(name), version.integer().value_or(0));
            return {};
        });
    }
}

/// {"major": 5, "minor": 4}, or (files of 2023) a bare number.
Result<> readSchemaVersion(const JsonValue& program, ExportedGraph& graph) {
    const auto version = program.find("schema_version");
    if (!version) {
        return {};
    }
    if (version->isInteger()) {
        ET_ASSIGN(graph.schemaMajor, version->integer());
        return {};
    }
    ET_ASSIGN(const JsonValue major, version->member("major"));
    ET_ASSIGN(graph.schemaMajor, major.integer());
    if (const auto minor = version->find("minor")) {
        ET_ASSIGN(graph.schemaMinor, minor->integer());
    }
    return {};
}

void writeBound(core::JsonWriter& out, std::string_view name, std::optional<std::int64_t> bound,
                std::string_view unbounded) {
    out.member(name, [&] {
        if (bound) {
            out.integer(*bound);
        } else {
            out.raw(unbounded);
        }
    });
}

void writeInfo(core::JsonWriter& out, const ExportedGraph& graph) {
    out.key("opset_version");
    out.beginObject();
    for (const auto& [name, version] : graph.opsetVersions) {
        out.member(name, [&] { out.integer(version); });
    }
    out.endObject();
    out.key("range_constraints");
    out.beginObject();
    for (const auto& [symbol, range] : graph.rangeConstraints) {
        out.key(symbol);
        out.beginObject();
        writeBound(out, "min_val", range.minimum, "-Infinity");
        writeBound(out, "max_val", range.maximum, "Infinity");
        out.endObject();
    }
    out.endObject();
    out.key("schema_version");
    out.beginObject();
    out.member("major", [&] { out.integer(graph.schemaMajor); });
    out.member("minor", [&] { out.integer(graph.schemaMinor); });
    out.endObject();
    out.member("dialect", [&] { out.string(""); });
    out.key("verifiers");
    out.beginArray();
    out.string(graph.dialect);
    out.endArray();
    if (!graph.torchVersion.empty()) {
        out.member("torch_version", [&] { out.string(graph.torchVersion); });
    }
}

}  // namespace

bool operator==(const Argument& left, const Argument& right) {
    if (left.name != right.name || left.kind != right.kind || left.value.index() != right.value.index()) {
        return false;
    }
    using Subgraph = std::shared_ptr<const GraphRef>;
    if (const auto* subgraph = std::get_if<Subgraph>(&left.value)) {
        const auto& other = std::get<Subgraph>(right.value);
        return *subgraph == other || (*subgraph && other && **subgraph == *other);
    }
    return left.value == right.value;
}

std::span<const NodeIndex> ExportedGraph::nodesOf(core::DebugHandle handle) const {
    const auto found = nodesByHandle.find(handle);
    return found == nodesByHandle.end() ? std::span<const NodeIndex>()
                                        : std::span<const NodeIndex>(found->second);
}

void ExportedGraph::indexHandles() {
    nodesByHandle.clear();
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        if (std::ranges::contains(bookkeepingTargets, std::string_view(nodes[index].target))) {
            continue;
        }
        for (const core::DebugHandle handle : nodes[index].debugHandles) {
            nodesByHandle[handle].push_back(static_cast<NodeIndex>(index));
        }
    }
}

std::string_view operatorName(std::string_view target) {
    constexpr std::string_view dialects = "executorch.exir.dialects.";
    constexpr std::string_view dialectOps = ".ops.";
    constexpr std::string_view torchOps = "torch.ops.";
    const std::size_t ops = target.find(dialectOps);
    if (target.starts_with(dialects) && ops != std::string_view::npos) {
        return target.substr(ops + dialectOps.size());
    }
    if (target.starts_with(torchOps)) {
        const std::string_view qualified = target.substr(torchOps.size());
        return qualified.substr(qualified.find('.') + 1);
    }
    return target.substr(target.rfind('.') + 1);
}

Result<ExportedGraph> parseExportedGraph(core::Bytes json, std::string_view name) {
    ET_ASSIGN(const JsonDocument document, JsonDocument::parse(json, name));
    const JsonValue program = document.root();
    ET_ASSIGN(const JsonValue graphModule, program.member("graph_module"));
    ET_ASSIGN(const JsonValue graphJson, graphModule.member("graph"));
    ExportedGraph graph;
    ET_TRY(detail::readGraph(graphJson, graph));
    ET_TRY(readSignature(graphModule, graph));
    ET_TRY(readSchemaVersion(program, graph));
    if (const auto calls = graphModule.find("module_call_graph"); calls && calls->size().value_or(1) != 0) {
        graph.moduleCallGraph = calls->text();
    }
    readInfo(program, graph);
    return graph;
}

std::string serializeExportedGraph(const ExportedGraph& graph) {
    core::JsonWriter out(core::NonFinite::Python);
    out.beginObject();
    out.key("graph_module");
    out.beginObject();
    out.member("graph", [&] { detail::writeGraph(out, graph); });
    out.member("signature", [&] { writeSignature(out, graph); });
    out.member("module_call_graph",
               [&] { out.raw(graph.moduleCallGraph.empty() ? "[]" : graph.moduleCallGraph); });
    out.endObject();
    writeInfo(out, graph);
    out.endObject();
    return out.take();
}

}  // namespace et::etrecord

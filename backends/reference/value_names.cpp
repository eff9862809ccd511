#include "backends/reference/value_names.h"

#include "backends/reference/operators.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <string_view>
#include <vector>

namespace et::backends::reference {
namespace {

/// The names that a node gives to its outputs, in their order.
std::vector<std::string> outputNames(const etrecord::Node& node) {
    std::vector<std::string> names;
    for (const etrecord::Argument& output : node.outputs) {
        if (const auto* ref = std::get_if<etrecord::ValueRef>(&output.value)) {
            names.push_back(ref->name);
        } else if (const auto* list =
                       std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&output.value)) {
            for (const auto& item : *list) {
                names.push_back(item ? item->name : std::string());
            }
        }
    }
    return names;
}

/// The values that a kernel writes; the last one where the kernel is unknown.
std::vector<program::ValueId> writtenBy(const program::KernelCall& call, const kernels::KernelEntry* entry) {
    std::vector<program::ValueId> written;
    if (call.args.empty()) {
        return written;
    }
    for (std::size_t i = 0; entry != nullptr && i < std::min<std::size_t>(call.args.size(), 64); ++i) {
        if ((entry->kernel.written >> i & 1U) != 0) {
            written.push_back(call.args[i]);
        }
    }
    if (written.empty()) {
        written.push_back(call.args.back());
    }
    return written;
}

/// Whether a kernel of this name computes the operator; null: one that is not known here.
bool computes(std::string_view kernel, const Operator* row, bool isKnown) {
    if (row == nullptr) {
        return !isKnown;
    }
    // A view that shares memory stands for what copies.
    constexpr std::array<std::string_view, 3> views{"aten::view_copy.", "aten::squeeze_copy.",
                                                    "aten::unsqueeze_copy."};
    return row->kernel == kernel ||
           (kernel == "executorch_prim::et_view.default" &&
            std::ranges::any_of(views, [&](std::string_view each) { return row->kernel.starts_with(each); }));
}

/// Names what kernels write. A handle may stand on several nodes: the one that this kernel computes, each
/// once.
class KernelNames {
  public:
    KernelNames(const program::Method& of, const etrecord::ExportedGraph& from,
                const kernels::KernelRegistry& known, ValueNames& to)
        : method(of), graph(from), registry(known), names(to) {}

    void add(const program::KernelCall& call, const std::string& op, const etrecord::HandleEntry& handles) {
        for (const core::DebugHandle handle : handles.handles) {
            if (const auto node = add(call, op, graph.nodesOf(handle), used)) {
                used.insert(*node);
                return;
            }
        }
    }

    [[nodiscard]] const std::set<etrecord::NodeIndex>& nodes() const { return used; }

    /// The first of the nodes that the kernel may be and that is not taken.
    template <class Nodes>
    std::optional<etrecord::NodeIndex> add(const program::KernelCall& call, const std::string& op,
                                           const Nodes& nodes, const std::set<etrecord::NodeIndex>& taken) {
        const kernels::KernelEntry* entry = kernels::versionFor(registry.find(op), call.args.size());
        for (const etrecord::NodeIndex index : nodes) {
            const Operator* row = resolveOperator(graph.nodes[index].target).row;
            if (computes(op, row, entry != nullptr) && hasShapes(graph.nodes[index], writtenBy(call, entry)) &&
                !taken.contains(index)) {
                nameRead(graph.nodes[index], row, call);
                nameWritten(graph.nodes[index], writtenBy(call, entry));
                return index;
            }
        }
        return std::nullopt;
    }

  private:
    /// Whether the results of the node may be these values: of the same dtypes and ranks.
    [[nodiscard]] bool hasShapes(const etrecord::Node& node,
                                 const std::vector<program::ValueId>& written) const {
        const std::vector<std::string> outputs = outputNames(node);
        bool fits = true;
        for (std::size_t i = 0; fits && i < std::min(outputs.size(), written.size()); ++i) {
            const auto meta = graph.tensors.find(outputs[i]);
            const auto* info = std::get_if<program::TensorInfo>(&method.value(written[i]));
            fits = meta == graph.tensors.end() || info == nullptr ||
                   (info->scalarType == meta->second.scalarType &&
                    info->sizes.size() == meta->second.sizes.size());
        }
        return fits;
    }

    /// What a kernel reads is named after it where nothing named it before: it comes out of a delegate.
    void nameRead(const etrecord::Node& node, const Operator* row, const program::KernelCall& call) {
        const OperatorSignature signature = row == nullptr ? OperatorSignature{} : signatureOf(*row);
        for (std::size_t i = 0; i < std::min(signature.arguments.size(), call.args.size()); ++i) {
            const auto input =
                std::ranges::find(node.inputs, signature.arguments[i].name, &etrecord::Argument::name);
            const auto* ref =
                input == node.inputs.end() ? nullptr : std::get_if<etrecord::ValueRef>(&input->value);
            if (ref != nullptr && names.find(call.args[i]).empty()) {
                names.add(call.args[i], ref->name);
            }
        }
    }

    void nameWritten(const etrecord::Node& node, const std::vector<program::ValueId>& written) {
        const std::vector<std::string> outputs = outputNames(node);
        for (std::size_t i = 0; i < std::min(outputs.size(), written.size()); ++i) {
            names.add(written[i], outputs[i]);
        }
    }

    const program::Method& method;
    const etrecord::ExportedGraph& graph;
    const kernels::KernelRegistry& registry;
    ValueNames& names;
    std::set<etrecord::NodeIndex> used;
};

}  // namespace

ValueNames ValueNames::ofInputs(const program::Method& method, const etrecord::ExportedGraph& graph) {
    ValueNames made;
    std::size_t next = 0;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        const bool isUsers = spec.kind == "user_input" || spec.kind == "constant_input";
        if (isUsers && next < method.inputs.size()) {
            made.add(method.inputs[next++], spec.value);
        }
    }
    return made;
}

std::optional<etrecord::NodeIndex> ValueNames::addKernel(const program::Method& method,
                                                         const etrecord::ExportedGraph& graph,
                                                         const program::KernelCall& call,
                                                         const kernels::KernelRegistry& registry,
                                                         const std::set<etrecord::NodeIndex>& taken) {
    return KernelNames(method, graph, registry, *this)
        .add(call, method.op(call.op).fullName(),
             std::views::iota(etrecord::NodeIndex{0}, graph.nodes.size()), taken);
}

std::optional<program::ValueId> ValueNames::valueOf(const std::string& name) const {
    const auto found = std::ranges::find(names, name, [](const auto& entry) { return entry.second; });
    return found == names.end() ? std::nullopt : std::optional(program::ValueId(found->first));
}

ValueNames ValueNames::make(const program::Method& method, const etrecord::ExportedGraph& graph,
                            const etrecord::MethodMaps& maps, const kernels::KernelRegistry& registry) {
    ValueNames made = ofInputs(method, graph);
    KernelNames kernels(method, graph, registry, made);
    for (const program::Chain& chain : method.chains) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            const auto handles = maps.debugHandles.find(core::InstructionId(static_cast<std::int32_t>(i)));
            const auto* call = std::get_if<program::KernelCall>(&chain.instructions[i]);
            if (call != nullptr && handles != maps.debugHandles.end()) {
                kernels.add(*call, method.op(call->op).fullName(), handles->second);
            }
        }
    }
    made.computed = kernels.nodes();
    return made;
}

}  // namespace et::backends::reference

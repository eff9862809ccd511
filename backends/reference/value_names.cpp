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

/// Names of a node's outputs, in order.
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

/// Values that a kernel writes; the last argument for an unknown kernel.
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

/// Whether a kernel of this name computes the operator; `row` is null for an unknown operator.
bool computes(std::string_view kernel, const Operator* row, bool isKnown) {
    if (row == nullptr) {
        return !isKnown;
    }
    // A view that shares memory replaces a copying operator.
    constexpr std::array<std::string_view, 3> views{"aten::view_copy.", "aten::squeeze_copy.",
                                                    "aten::unsqueeze_copy."};
    return row->kernel == kernel ||
           (kernel == "executorch_prim::et_view.default" &&
            std::ranges::any_of(views, [&](std::string_view each) { return row->kernel.starts_with(each); }));
}

/// For equal ranks: whether the static sizes are equal.
bool sameFixedSizes(const program::TensorInfo& info, const etrecord::TensorMeta& meta) {
    for (std::size_t i = 0; i < std::min(info.sizes.size(), meta.sizes.size()); ++i) {
        if (meta.sizes[i].expression.empty() && info.sizes[i] != meta.sizes[i].value) {
            return false;
        }
    }
    return true;
}

/// Names the values that kernels write. Several nodes may have the same handle: each is matched with the
/// kernel that computes it, at most once.
class KernelNames {
  public:
    KernelNames(const program::Method& of, const etrecord::ExportedGraph& from,
                const kernels::KernelRegistry& known, ValueNames& to)
        : method(of), graph(from), registry(known), names(to) {}

    void add(const program::KernelCall& call, std::string op, const etrecord::HandleEntry& handles) {
        Pending each{.call = &call, .op = std::move(op), .nodes = {}};
        const std::set<core::DebugHandle> distinct(handles.handles.begin(), handles.handles.end());
        for (const core::DebugHandle handle : distinct) {
            const auto nodesOfHandle = graph.nodesOf(handle);
            each.nodes.insert(each.nodes.end(), nodesOfHandle.begin(), nodesOfHandle.end());
        }
        pending.push_back(std::move(each));
    }

    /// Settles unambiguous nodes first: the values that they read and write disambiguate others.
    void settle() {
        while (!pending.empty()) {
            const std::size_t before = pending.size();
            std::erase_if(pending, [&](const Pending& each) { return settle(each, true); });
            if (pending.size() == before) {
                settle(pending.front(), false);
                pending.erase(pending.begin());
            }
        }
    }

    [[nodiscard]] const std::set<etrecord::NodeIndex>& nodes() const { return used; }

    /// Of the kernel's unused candidate nodes, takes the first one that reads and writes the kernel's values,
    /// as far as these are known.
    template <class Nodes>
    std::optional<etrecord::NodeIndex> add(const program::KernelCall& call, const std::string& op,
                                           const Nodes& nodes, const std::set<etrecord::NodeIndex>& taken) {
        const Choice choice = chooseNode(call, op, nodes, taken);
        if (choice.node) {
            name(*choice.node, call, op);
        }
        return choice.node;
    }

  private:
    /// A call whose node is still unknown.
    struct Pending {
        const program::KernelCall* call;
        std::string op;
        std::vector<etrecord::NodeIndex> nodes;  ///< candidates
    };
    /// The best candidate, and the number of equally good ones.
    struct Choice {
        std::optional<etrecord::NodeIndex> node;
        int contradictions = 0;
        int count = 0;
    };

    /// Returns false if `onlyOne` is set and there are several candidates.
    bool settle(const Pending& each, bool onlyOne) {
        const Choice choice = chooseNode(*each.call, each.op, each.nodes, used);
        if (onlyOne && choice.count > 1) {
            return false;
        }
        if (choice.node) {
            used.insert(*choice.node);
            name(*choice.node, *each.call, each.op);
        }
        return true;
    }

    [[nodiscard]] const kernels::KernelEntry* entryOf(const program::KernelCall& call,
                                                      const std::string& op) const {
        return kernels::versionFor(registry.find(op), call.args.size());
    }

    template <class Nodes>
    [[nodiscard]] Choice chooseNode(const program::KernelCall& call, const std::string& op,
                                    const Nodes& nodes, const std::set<etrecord::NodeIndex>& taken) const {
        const kernels::KernelEntry* entry = entryOf(call, op);
        const std::vector<program::ValueId> written = writtenBy(call, entry);
        Choice best;
        for (const etrecord::NodeIndex index : nodes) {
            const etrecord::Node& node = graph.nodes[index];
            const Operator* row = resolveOperator(node.target).row;
            if (taken.contains(index) || !computes(op, row, entry != nullptr) || !hasShapes(node, written)) {
                continue;
            }
            const int contradictions = contradictionsOf(node, row, call, written);
            if (!best.node || contradictions < best.contradictions) {
                best = {.node = index, .contradictions = contradictions, .count = 0};
            }
            best.count += contradictions == best.contradictions ? 1 : 0;
        }
        return best;
    }

    void name(etrecord::NodeIndex index, const program::KernelCall& call, const std::string& op) {
        const etrecord::Node& node = graph.nodes[index];
        nameRead(node, resolveOperator(node.target).row, call);
        nameWritten(node, writtenBy(call, entryOf(call, op)));
    }

    /// Whether the node's results may be these values: same dtypes and ranks.
    [[nodiscard]] bool hasShapes(const etrecord::Node& node,
                                 const std::vector<program::ValueId>& written) const {
        const std::vector<std::string> outputs = outputNames(node);
        bool fits = true;
        for (std::size_t i = 0; fits && i < std::min(outputs.size(), written.size()); ++i) {
            const auto meta = graph.tensors.find(outputs[i]);
            const auto* info = method.value(written[i]).as<program::TensorInfo>();
            fits = meta == graph.tensors.end() || info == nullptr ||
                   (info->scalarType == meta->second.scalarType &&
                    info->sizes.size() == meta->second.sizes.size());
        }
        return fits;
    }

    /// Calls `visit` with each argument of the call that is a value of the graph, and with its name in the
    /// node.
    template <class Visit>
    static void forRead(const etrecord::Node& node, const Operator* row, const program::KernelCall& call,
                        const Visit& visit) {
        const OperatorSignature signature = row == nullptr ? OperatorSignature{} : signatureOf(*row);
        for (std::size_t i = 0; i < std::min(signature.arguments.size(), call.args.size()); ++i) {
            const auto input =
                std::ranges::find(node.inputs, signature.arguments[i].name, &etrecord::Argument::name);
            const auto* ref =
                input == node.inputs.end() ? nullptr : std::get_if<etrecord::ValueRef>(&input->value);
            if (ref != nullptr) {
                visit(call.args[i], ref->name);
            }
        }
    }

    /// Number of contradictions to the node: values that the kernel reads or writes whose names differ from
    /// the node's, and results of other sizes. Dynamic sizes are not compared.
    [[nodiscard]] int contradictionsOf(const etrecord::Node& node, const Operator* row,
                                       const program::KernelCall& call,
                                       const std::vector<program::ValueId>& written) const {
        int count = 0;
        forRead(node, row, call, [&](program::ValueId value, const std::string& name) {
            const std::string given = names.find(value);
            count += given.empty() || given == name ? 0 : 1;
        });
        const std::vector<std::string> outputs = outputNames(node);
        for (std::size_t i = 0; i < std::min(outputs.size(), written.size()); ++i) {
            const std::string given = names.find(written[i]);
            count += given.empty() || given == outputs[i] ? 0 : 1;
            const auto meta = graph.tensors.find(outputs[i]);
            const auto* info = method.value(written[i]).as<program::TensorInfo>();
            const bool isKnown = meta != graph.tensors.end() && info != nullptr;
            count += isKnown && !sameFixedSizes(*info, meta->second) ? 1 : 0;
        }
        return count;
    }

    /// Names the values that a kernel reads if they have no name yet: they are outputs of a delegate.
    void nameRead(const etrecord::Node& node, const Operator* row, const program::KernelCall& call) {
        forRead(node, row, call, [&](program::ValueId value, const std::string& name) {
            if (names.find(value).empty()) {
                names.add(value, name);
            }
        });
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
    std::vector<Pending> pending;
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
    kernels.settle();
    made.computed = kernels.nodes();
    return made;
}

}  // namespace et::backends::reference

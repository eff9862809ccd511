#include "backends/reference/delegate_binding.h"

#include "backends/reference/delegate_cut.h"
#include "backends/reference/node_values.h"
#include "backends/reference/region_match.h"
#include "etrecord/buffer_mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::NodeIndex;

/// A list of names without duplicates, in insertion order.
class NameList {
  public:
    void add(const std::string& name) {
        if (!name.empty() && known.insert(name).second) {
            names.push_back(name);
        }
    }
    [[nodiscard]] bool contains(const std::string& name) const { return known.contains(name); }
    [[nodiscard]] const std::vector<std::string>& all() const { return names; }

  private:
    std::set<std::string> known;
    std::vector<std::string> names;
};

/// The nodes covered by a delegate, and their inputs and outputs.
struct Covered {
    NameList made;
    NameList read;     ///< produced elsewhere, or an input of the graph
    NameList outputs;  ///< produced here, read elsewhere
};

class Binder {
  public:
    Binder(const program::Method& of, const ExportedGraph& from, const etrecord::MethodMaps& handleMaps,
           ValueNames names)
        : method(of), graph(from), maps(handleMaps), known(std::move(names)) {
        for (const etrecord::InputSpec& spec : graph.inputSpecs) {
            if (spec.kind == "parameter" || spec.kind == "buffer" || spec.kind == "tensor_constant") {
                own.emplace(spec.value, spec.target);
            }
        }
        for (const etrecord::OutputSpec& spec : graph.outputSpecs) {
            if (spec.kind == "user_output") {
                userOutputs.push_back(spec.value);
            }
        }
    }

    /// For a call in a region without debug handles.
    Binder(const program::Method& of, RegionMatch match, const etrecord::MethodMaps& handleMaps)
        : Binder(of, *match.graph, handleMaps, std::move(match.names)) {
        for (const std::string& weight : match.weights) {
            own.emplace(weight, weight);
        }
        subgraph = match.isSubgraph ? match.graph : nullptr;
        unknown = std::move(match.unknown);
        isAlone = match.delegates.size() == 1;
    }

    Result<DelegateBinding> bind(std::int32_t instruction, const program::DelegateCall& call);

  private:
    [[nodiscard]] std::vector<NodeIndex> loweredNodes(std::int32_t instruction) const;
    Result<Covered> covered(std::int32_t instruction) const;
    void addUnhandled(std::vector<NodeIndex>& ordered) const;
    [[nodiscard]] std::vector<std::size_t> outputCounts(std::int32_t instruction, std::size_t arguments,
                                                        const Covered& nodes) const;
    [[nodiscard]] std::vector<std::string> outputCandidates(const Covered& nodes,
                                                            program::ValueId value) const;
    [[nodiscard]] std::vector<std::string> inputCandidates(const Covered& nodes, const DelegateCut& cut,
                                                           program::ValueId value) const;
    [[nodiscard]] std::vector<core::DebugHandle> handlesOf(std::int32_t instruction) const;
    Result<DelegateBinding> bound(std::int32_t instruction, const program::DelegateCall& call,
                                  const Covered& nodes, std::size_t inputs);
    Result<> settle(std::vector<std::vector<std::string>>& candidates) const;
    void bindBuffers(const Covered& nodes, DelegateBinding& binding) const;
    [[nodiscard]] bool fits(program::ValueId value, const std::string& name) const;
    [[nodiscard]] bool isWeight(program::ValueId value) const;

    const program::Method& method;
    const ExportedGraph& graph;
    const etrecord::MethodMaps& maps;
    ValueNames known;
    std::map<std::string, std::string> own;  ///< parameters, buffers and constants: names in the archives
    std::vector<std::string> userOutputs;
    const ExportedGraph* subgraph = nullptr;  ///< set if the names are not of the method's graph
    std::vector<NodeIndex> unknown;           ///< nodes without debug handles that may belong to a delegate
    bool isAlone = true;                      ///< no other delegate can own them
};

/// The nodes in the order of the lowered graph, which the list of handles preserves: a handle that occurs
/// twice stands for two nodes.
std::vector<NodeIndex> Binder::loweredNodes(std::int32_t instruction) const {
    std::vector<NodeIndex> ordered;
    std::map<core::DebugHandle, std::size_t> seen;
    const auto found = maps.debugHandles.find(core::InstructionId(instruction));
    if (found == maps.debugHandles.end()) {
        return unknown;
    }
    for (const core::DebugHandle handle : found->second.handles) {
        const auto nodes = graph.nodesOf(handle);
        if (const std::size_t at = seen[handle]++; at < nodes.size()) {
            ordered.push_back(nodes[at]);
        }
    }
    for (const auto& [handle, count] : seen) {
        const auto nodes = graph.nodesOf(handle);
        ordered.insert(ordered.end(),
                       nodes.begin() + static_cast<std::ptrdiff_t>(std::min(count, nodes.size())),
                       nodes.end());
    }
    return ordered;
}

/// Adds the nodes that no instruction has a handle of and that only lead from `ordered` to results of the
/// graph: a compiler's passes give its last operators new handles.
void Binder::addUnhandled(std::vector<NodeIndex>& ordered) const {
    std::set<core::DebugHandle> handled;
    for (const auto& [instruction, list] : maps.debugHandles) {
        handled.insert(list.handles.begin(), list.handles.end());
    }
    std::set<std::string> made;
    const auto addOutputs = [&](NodeIndex index) {
        for (const Argument& output : graph.nodes[index].outputs) {
            forNames(output, [&](const std::string& name) { made.insert(name); });
        }
    };
    std::ranges::for_each(ordered, addOutputs);
    std::vector<NodeIndex> added;
    for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
        const auto& node = graph.nodes[index];
        const bool isHandled = std::ranges::any_of(
            node.debugHandles, [&](core::DebugHandle handle) { return handled.contains(handle); });
        bool reads = false;
        for (const Argument& input : node.inputs) {
            forNames(input, [&](const std::string& name) { reads = reads || made.contains(name); });
        }
        if (reads && !isHandled && !known.kernelNodes().contains(index) &&
            !std::ranges::contains(ordered, index)) {
            added.push_back(index);
            addOutputs(index);
        }
    }
    // Without those that another node reads.
    std::set<std::string> elsewhere;
    for (auto index = static_cast<NodeIndex>(graph.nodes.size()); index-- > 0;) {
        const bool isAdded = std::ranges::contains(added, index);
        bool isRead = false;
        for (const Argument& output : graph.nodes[index].outputs) {
            forNames(output, [&](const std::string& name) { isRead = isRead || elsewhere.contains(name); });
        }
        if (isAdded && isRead) {
            std::erase(added, index);
        }
        for (const Argument& input : graph.nodes[index].inputs) {
            if (!isAdded || isRead) {
                forNames(input, [&](const std::string& name) { elsewhere.insert(name); });
            }
        }
    }
    ordered.insert(ordered.end(), added.begin(), added.end());
}

Result<Covered> Binder::covered(std::int32_t instruction) const {
    // In attention, delegates and kernels may have nodes with the same handle.
    std::vector<NodeIndex> ordered = loweredNodes(instruction);
    std::erase_if(ordered, [&](NodeIndex index) { return known.kernelNodes().contains(index); });
    if (maps.debugHandles.contains(core::InstructionId(instruction))) {
        addUnhandled(ordered);
    }
    const std::set<NodeIndex> nodes(ordered.begin(), ordered.end());
    if (nodes.empty()) {
        return fail(
            ErrorCode::NotFound,
            fmt::format("the record's debug handles refer to no node of instruction {}", instruction));
    }
    Covered made;
    for (const NodeIndex index : ordered) {
        for (const Argument& output : graph.nodes[index].outputs) {
            forNames(output, [&](const std::string& name) { made.made.add(name); });
        }
    }
    for (const NodeIndex index : ordered) {
        for (const Argument& input : graph.nodes[index].inputs) {
            forNames(input, [&](const std::string& name) {
                if (!made.made.contains(name)) {
                    made.read.add(name);
                }
            });
        }
    }
    std::set<std::string> wanted;
    const auto want = [&](const std::string& name) { wanted.insert(name); };
    for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
        for (const Argument& input : graph.nodes[index].inputs) {
            if (!nodes.contains(index)) {
                forNames(input, want);
            }
        }
    }
    for (const Argument& output : graph.outputs) {
        forNames(output, want);
    }
    for (const std::string& name : made.made.all()) {
        if (wanted.contains(name)) {
            made.outputs.add(name);
        }
    }
    return made;
}

/// Whether the program's value may hold the graph's value: same dtype, and same sizes if both are static.
bool Binder::fits(program::ValueId value, const std::string& name) const {
    const auto* info = method.value(value).as<program::TensorInfo>();
    const auto meta = graph.tensors.find(name);
    if (info == nullptr || meta == graph.tensors.end()) {
        return info == nullptr && meta == graph.tensors.end();
    }
    bool same =
        info->scalarType == meta->second.scalarType && info->sizes.size() == meta->second.sizes.size();
    for (std::size_t i = 0; same && i < info->sizes.size(); ++i) {
        const etrecord::SymInt& size = meta->second.sizes[i];
        same = !size.expression.empty() || info->sizes[i] == size.value;
    }
    return same;
}

/// A constant of the program, which the graph also contains.
bool Binder::isWeight(program::ValueId value) const {
    const auto* info = method.value(value).as<program::TensorInfo>();
    return info != nullptr && info->initialData != program::InitialData::None && !info->allocation;
}

/// Best first.
std::vector<std::string> Binder::outputCandidates(const Covered& nodes, program::ValueId value) const {
    const auto output = std::ranges::find(method.outputs, value);
    std::string name = known.find(value);
    if (output != method.outputs.end() && userOutputs.size() == method.outputs.size()) {
        name = userOutputs[static_cast<std::size_t>(output - method.outputs.begin())];
    }
    if (nodes.made.contains(name) && fits(value, name)) {
        return {name};
    }
    NameList candidates;
    for (const std::string& each : nodes.outputs.all()) {
        candidates.add(fits(value, each) ? each : std::string());
    }
    // Its handles may also cover a node after it.
    for (const std::string& each : nodes.made.all() | std::views::reverse) {
        candidates.add(fits(value, each) ? each : std::string());
    }
    return candidates.all();
}

/// Best first.
std::vector<std::string> Binder::inputCandidates(const Covered& nodes, const DelegateCut& cut,
                                                 program::ValueId value) const {
    const std::string name = known.find(value);
    if (!name.empty() && fits(value, name)) {
        return {name};
    }
    NameList candidates;
    const auto addWhere = [&](const std::vector<std::string>& names, const auto& isWanted) {
        for (const std::string& each : names) {
            candidates.add(isWanted(each) && fits(value, each) ? each : std::string());
        }
    };
    addWhere(nodes.read.all(), [&](const std::string& each) { return !own.contains(each); });
    // A buffer that the program stores and passes in.
    addWhere(nodes.read.all(), [&](const std::string& each) { return own.contains(each); });
    // Values from another call whose nodes have the same handle.
    addWhere(nodes.made.all(), [&](const std::string& each) { return cut.isShared(each); });
    return candidates.all();
}

std::vector<core::DebugHandle> Binder::handlesOf(std::int32_t instruction) const {
    const auto found = maps.debugHandles.find(core::InstructionId(instruction));
    return found == maps.debugHandles.end() ? std::vector<core::DebugHandle>() : found->second.handles;
}

/// Buffers that the delegate writes without returning them to the program are kept in the delegate.
void Binder::bindBuffers(const Covered& nodes, DelegateBinding& binding) const {
    for (const etrecord::OutputSpec& spec : graph.outputSpecs) {
        const bool given = std::ranges::contains(binding.outputs, spec.value, &BoundArgument::name);
        const etrecord::InputSpec* buffer = etrecord::mutatedBuffer(graph, spec);
        if (buffer != nullptr && !given && nodes.made.contains(spec.value)) {
            binding.kept.emplace(spec.value, buffer->value);
        }
    }
}

/// The first `inputs` arguments of the call are inputs.
Result<DelegateBinding> Binder::bound(std::int32_t instruction, const program::DelegateCall& call,
                                      const Covered& nodes, std::size_t inputs) {
    const std::vector<core::DebugHandle> handles = handlesOf(instruction);
    const DelegateCut cut(graph, handles, known.kernelNodes(), own);
    std::vector<std::size_t> places;
    std::vector<bool> isInput;
    std::vector<std::vector<std::string>> candidates;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        if (i < inputs && isWeight(call.args[i]) && known.find(call.args[i]).empty()) {
            continue;
        }
        std::vector<std::string> names =
            i < inputs ? inputCandidates(nodes, cut, call.args[i]) : outputCandidates(nodes, call.args[i]);
        if (names.empty()) {
            return fail(ErrorCode::Mismatch, fmt::format("no value that its nodes {} matches its argument {}",
                                                         i < inputs ? "read" : "make", i));
        }
        places.push_back(i);
        isInput.push_back(i < inputs);
        candidates.push_back(std::move(names));
    }
    ET_TRY(settle(candidates));
    const std::vector<std::string> chosen = cut.choose(candidates, isInput);
    if (chosen.empty()) {
        return fail(ErrorCode::Mismatch, "its results need more values than its arguments provide");
    }
    DelegateBinding binding;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        known.add(call.args[places[i]], chosen[i]);
        (isInput[i] ? binding.inputs : binding.outputs).push_back({.argument = places[i], .name = chosen[i]});
    }
    return binding;
}

/// For nodes shared by several delegates, keeps only unambiguous candidates.
Result<> Binder::settle(std::vector<std::vector<std::string>>& candidates) const {
    if (isAlone) {
        return {};
    }
    std::set<std::string> taken;
    for (std::vector<std::string>& names : candidates) {
        std::erase_if(names, [&](const std::string& name) { return taken.contains(name); });
        if (names.size() != 1) {
            return fail(ErrorCode::Mismatch,
                        names.empty()
                            ? "a value for one of its arguments is missing"
                            : fmt::format("one of its arguments could be {} or {}", names[0], names[1]));
        }
        taken.insert(names.front());
    }
    return {};
}

/// Numbers of outputs that a call of so many arguments may have, best first. The record also counts buffers
/// that the delegate keeps, which are not arguments.
std::vector<std::size_t> Binder::outputCounts(std::int32_t instruction, std::size_t arguments,
                                              const Covered& nodes) const {
    const auto found = maps.outputCounts.find(core::InstructionId(instruction));
    const std::size_t counted = found != maps.outputCounts.end() && found->second > 0
                                    ? static_cast<std::size_t>(found->second)
                                    : nodes.outputs.all().size();
    const auto mutated =
        static_cast<std::size_t>(std::ranges::count_if(graph.outputSpecs, [&](const auto& spec) {
            return etrecord::mutatedBuffer(graph, spec) != nullptr && nodes.made.contains(spec.value);
        }));
    const bool hasState = std::ranges::any_of(method.values, [](const program::Value& value) {
        const auto* const tensor = value.as<program::TensorInfo>();
        return tensor != nullptr && tensor->initialData != program::InitialData::None && tensor->allocation;
    });
    std::vector<std::size_t> counts;
    if (mutated > 0 && counted > mutated && (counted > arguments || !hasState)) {
        counts.push_back(std::min(counted - mutated, arguments));
    }
    counts.push_back(counted <= arguments ? counted : std::min(nodes.outputs.all().size(), arguments));
    return counts;
}

Result<DelegateBinding> Binder::bind(std::int32_t instruction, const program::DelegateCall& call) {
    ET_ASSIGN(const Covered nodes, covered(instruction));
    Result<DelegateBinding> tried = DelegateBinding();
    for (const std::size_t outputs : outputCounts(instruction, call.args.size(), nodes)) {
        tried = bound(instruction, call, nodes, call.args.size() - outputs);
        if (tried) {
            break;
        }
    }
    if (!tried) {
        return tried;
    }
    DelegateBinding binding = *std::move(tried);
    binding.arguments = call.args.size();
    binding.subgraph = subgraph;
    bindBuffers(nodes, binding);
    return binding;
}

}  // namespace

Result<DelegateBindings> DelegateBindings::make(const program::Method& method, const etrecord::Record& record,
                                                const kernels::KernelRegistry& registry) {
    const ExportedGraph* graph = record.edgeGraph(method.name);
    const etrecord::MethodMaps* maps = record.maps(method.name);
    if (graph == nullptr || maps == nullptr) {
        return fail(
            ErrorCode::NotFound,
            fmt::format("the record has no {} of a method \"{}\"",
                        graph == nullptr ? "Edge graph" : "debug handles", core::printable(method.name)),
            {.file = record.file().name()});
    }
    Binder binder(method, *graph, *maps, ValueNames::make(method, *graph, *maps, registry));
    DelegateBindings made;
    for (const program::Chain& chain : method.chains) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            if (const auto* call = std::get_if<program::DelegateCall>(&chain.instructions[i])) {
                const auto instruction = static_cast<std::int32_t>(i);
                made.calls.emplace(instruction, Call{.delegate = call->delegate,
                                                     .binding = binder.bind(instruction, *call)});
            }
        }
    }
    made.bindByRegions(method, *graph, *maps, registry);
    return made;
}

/// Binds calls that have no debug handles in the record.
void DelegateBindings::bindByRegions(const program::Method& method, const ExportedGraph& graph,
                                     const etrecord::MethodMaps& maps,
                                     const kernels::KernelRegistry& registry) {
    const bool hasAll = std::ranges::all_of(calls, [&](const auto& entry) {
        return maps.debugHandles.contains(core::InstructionId(entry.first));
    });
    if (hasAll) {
        return;
    }
    for (RegionMatch& match : matchRegions(method, graph, registry)) {
        const std::vector<std::int32_t> instructions = match.delegates;
        Binder binder(method, std::move(match), maps);
        for (const std::int32_t instruction : instructions) {
            const auto& place = method.chains.front().instructions[static_cast<std::size_t>(instruction)];
            if (!maps.debugHandles.contains(core::InstructionId(instruction))) {
                calls.at(instruction).binding =
                    binder.bind(instruction, std::get<program::DelegateCall>(place));
            }
        }
    }
}

Result<std::map<std::int32_t, DelegateBinding>> DelegateBindings::of(program::DelegateId delegate) const {
    std::map<std::int32_t, DelegateBinding> bound;
    for (const auto& [instruction, call] : calls) {
        if (call.delegate != delegate) {
            continue;
        }
        if (!call.binding) {
            return std::unexpected(call.binding.error());
        }
        bound.emplace(instruction, *call.binding);
    }
    return bound;
}

}  // namespace et::backends::reference

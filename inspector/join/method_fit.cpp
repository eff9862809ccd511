#include "inspector/join/method_fit.h"

#include "inspector/join/delegate_operators.h"
#include "inspector/names/called_operator.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace et::inspector::join::detail {

namespace {

using core::DebugHandle;
using core::InstructionId;
using EvidenceCall = Evidence::Call;
using Handles = std::vector<DebugHandle>;

/// Operators that lowering adds to take the elements of a loop.
constexpr std::array<std::string_view, 2> loopOperators{"sym_size", "select_copy"};

/// Compares one method with the evidence, instruction by instruction.
///
/// Strong evidence: the exporter lists every delegate in the delegate map, the debug handle map contains only
/// instructions of the program, and a backend that names its operators runs one for each convolution or
/// matrix product in its partition. Kernel names are weaker evidence, since lowering replaces and adds
/// operators.
class Comparison {
  public:
    Comparison(const Evidence& seen, const Candidate& candidate, bool delegateMap,
               std::span<const executor::Backend* const> known, std::size_t& workLeft)
        : evidence(seen),
          method(candidate.method),
          operators(candidate.operators),
          delegatesKnown(delegateMap),
          backends(known),
          budget(workLeft) {}

    MethodFit run() {
        if (method.maps == nullptr) {
            result.unmapped = evidence.calls.size();
            return std::move(result);
        }
        if (!spend(evidence.calls.size() + method.maps->debugHandles.size())) {
            return std::move(result);
        }
        for (const auto& [instruction, call] : evidence.calls) {
            compare(instruction, call);
        }
        if (evidence.complete) {
            findNeverRun();
        }
        return std::move(result);
    }

  private:
    /// Deducts `work` from the budget; false if the budget is too small.
    bool spend(std::size_t work) {
        const bool enough = budget >= work;
        budget -= std::min(budget, work);
        return enough;
    }

    void contradict(InstructionId instruction, std::string_view ran, std::string_view says) {
        if (result.contradictions++ == 0) {
            result.first = fmt::format("instruction {} {} {}, but the record has {}", instruction.value,
                                       evidence.verb, core::printable(ran), core::printable(says));
        }
    }

    void compare(InstructionId instruction, const EvidenceCall& call) {
        if (delegatesKnown) {
            const auto delegate = method.maps->delegates.find(instruction);
            const bool listed = delegate != method.maps->delegates.end();
            const bool ranDelegate = call.delegateCall || !call.delegated.empty();
            if (listed && ranDelegate) {
                compareDelegate(instruction, call, delegate->second);
            } else if (listed) {
                contradict(instruction,
                           call.kernels.empty() ? names::detail::operatorCall : call.kernels.front(),
                           fmt::format("the delegate {}", delegate->second.backend));
            } else if (ranDelegate) {
                contradict(instruction,
                           call.delegateCall ? names::detail::delegateCall : "an event of a delegate",
                           "no delegate");
            }
            if (listed || ranDelegate) {
                return;
            }
        }
        compareKernels(instruction, call);
    }

    /// Compares the operators that a backend reported with the nodes delegated to it; names unknown to every
    /// backend are ignored.
    void compareDelegate(InstructionId instruction, const EvidenceCall& call,
                         const etrecord::DelegateEntry& delegate) {
        const executor::Backend* ran = backendOfOperators(backends, call.delegated, delegate.backend);
        if (ran == nullptr) {
            return;
        }
        if (delegate.backend != ran->name()) {
            contradict(instruction, call.delegated.front(), fmt::format("the delegate {}", delegate.backend));
            return;
        }
        const auto entry = method.maps->debugHandles.find(instruction);
        if (method.graph == nullptr || evidence.jumped || entry == method.maps->debugHandles.end()) {
            return;
        }
        const auto nodes = nodesOf(entry->second.handles);
        if (!nodes) {
            return;
        }
        if (const auto difference =
                compareOperators(*ran, call.delegated, *nodes, *method.graph, operators.quantizes())) {
            contradict(instruction, difference->ran, difference->says);
        } else {
            ++result.matched;
        }
    }

    /// The nodes under `handles`, unique, each with whether it belongs to this instruction alone. Nothing if
    /// the budget is too small.
    [[nodiscard]] std::optional<std::vector<TakenNode>> nodesOf(const Handles& handles) {
        countUsers();
        std::vector<TakenNode> nodes;
        for (const DebugHandle handle : std::set(handles.begin(), handles.end())) {
            if (!spend(method.graph->nodesOf(handle).size())) {
                return std::nullopt;
            }
            for (const etrecord::NodeIndex node : method.graph->nodesOf(handle)) {
                nodes.push_back({.node = node, .shared = users[handle] > 1});
            }
        }
        std::ranges::sort(nodes, {}, &TakenNode::node);
        const auto repeated = std::ranges::unique(nodes, {}, &TakenNode::node);
        nodes.erase(repeated.begin(), repeated.end());
        return nodes;
    }

    /// Counts the instructions that have each handle.
    void countUsers() {
        if (!users.empty()) {
            return;
        }
        for (const auto& [instruction, entry] : method.maps->debugHandles) {
            for (const DebugHandle handle : std::set(entry.handles.begin(), entry.handles.end())) {
                ++users[handle];
            }
        }
    }

    void compareKernels(InstructionId instruction, const EvidenceCall& call) {
        if (method.graph == nullptr || call.kernels.empty()) {
            return;
        }
        const auto telling = std::ranges::find_if(call.kernels, [](std::string_view kernel) {
            return !names::detail::isHelperOperator(names::detail::kernelOperator(kernel));
        });
        const bool tells = telling != call.kernels.end();
        const std::string_view kernel = tells ? *telling : call.kernels.front();
        const auto entry = method.maps->debugHandles.find(instruction);
        if (entry == method.maps->debugHandles.end()) {
            compareUnmapped(instruction, kernel, tells);
        } else if (anyImplements(kernel, entry->second.handles)) {
            ++result.matched;
            compareCount(instruction, kernel, tells);
        } else if (tells && !entry->second.handles.empty()) {
            contradict(instruction, kernel, operatorsOf(entry->second.handles));
        }
    }

    /// Lowering adds helpers without handles, also for loops, and fuses operators into kernels of a similar
    /// name; custom operators may be hidden. Any other kernel belongs to another program.
    void compareUnmapped(InstructionId instruction, std::string_view kernel, bool tells) {
        ++result.unmapped;
        const std::string_view name = names::detail::kernelOperator(kernel);
        const bool isOfLoop = evidence.jumped && (method.maps->debugHandles.empty() ||
                                                  std::ranges::contains(loopOperators, name));
        if (!tells || isOfLoop || operators.hidesOperators() || kernel.contains("::")) {
            return;
        }
        if (spend(operators.size()) && !operators.mayContain(name)) {
            contradict(instruction, kernel, "no such operator");
        } else {
            compareCount(instruction, kernel, tells);
        }
    }

    /// Without a jump, a kernel runs at most once for each of its nodes.
    void compareCount(InstructionId instruction, std::string_view kernel, bool tells) {
        const std::size_t nodes = operators.countOf(names::detail::kernelOperator(kernel));
        if (!tells || evidence.jumped || nodes == 0) {
            return;
        }
        if (++timesRun[names::detail::kernelOperator(kernel)] == nodes + 1) {
            contradict(instruction, fmt::format("an additional {}", kernel),
                       fmt::format("only {} of them", nodes));
        }
    }

    bool anyImplements(std::string_view kernel, const Handles& handles) {
        const auto isIn = [&](const etrecord::ExportedGraph* graph, DebugHandle handle) {
            return !spend(1) || std::ranges::any_of(graph->nodesOf(handle), [&](etrecord::NodeIndex node) {
                return implements(kernel, graph->nodes[node]);
            });
        };
        return std::ranges::any_of(handles, [&](DebugHandle handle) {
            return std::ranges::any_of(operators.graphs(),
                                       [&](const auto* graph) { return isIn(graph, handle); });
        });
    }

    bool implements(std::string_view kernel, const etrecord::Node& node) {
        return !spend(1) || names::detail::mayImplement(names::detail::kernelOperator(kernel),
                                                        names::detail::nodeOperator(calledOperator(node)));
    }

    void findNeverRun() {
        for (const auto& [instruction, entry] : method.maps->debugHandles) {
            if (!evidence.calls.contains(instruction)) {
                contradict(instruction, "nothing", operatorsOf(entry.handles));
            }
        }
    }

    /// "aten.mm.default" or "aten.mm.default and 3 more", for messages.
    [[nodiscard]] std::string operatorsOf(const Handles& handles) const {
        std::size_t count = 0;
        std::string_view first;
        for (const DebugHandle handle : handles) {
            const auto nodes = method.graph == nullptr ? std::span<const etrecord::NodeIndex>{}
                                                       : method.graph->nodesOf(handle);
            if (count == 0 && !nodes.empty()) {
                first = method.graph->nodes[nodes.front()].op;
            }
            count += nodes.size();
        }
        if (count == 0) {
            return handles.empty() ? "no debug handle"
                                   : fmt::format("debug handle {}, which no node has", handles.front().value);
        }
        return count == 1 ? std::string(first) : fmt::format("{} and {} more", first, count - 1);
    }

    const Evidence& evidence;
    const MethodView& method;
    const GraphOperators& operators;
    bool delegatesKnown;
    std::span<const executor::Backend* const> backends;
    MethodFit result;
    std::unordered_map<DebugHandle, std::size_t> users;
    std::map<std::string_view, std::size_t> timesRun;  ///< kernel operator -> instructions that ran it
    std::size_t& budget;
};

auto rank(const MethodFit& fit) {
    return std::tuple(fit.contradictions, fit.unmapped, -static_cast<std::ptrdiff_t>(fit.matched));
}

}  // namespace

GraphOperators::GraphOperators(const etrecord::ExportedGraph& graph) {
    add(graph);
}

// Recursion depth is bounded by the record's graph nesting, which the reader limits.
void GraphOperators::add(const etrecord::ExportedGraph& graph) {
    all.push_back(&graph);
    for (const etrecord::Node& node : graph.nodes) {
        const std::string_view name = names::detail::nodeOperator(node.op);
        ++counts[name];
        hasQuantization |= name.contains("quant");
        hasWrapped |= node.op.contains("auto_functionalized");
        for (const etrecord::Argument& argument : node.inputs) {
            const auto* subgraph = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value);
            if (subgraph != nullptr && *subgraph != nullptr) {
                add((*subgraph)->graph);
            }
        }
    }
}

std::size_t GraphOperators::countOf(std::string_view name) const {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
}

bool GraphOperators::mayContain(std::string_view kernel) const {
    return std::ranges::any_of(
        counts, [kernel](const auto& entry) { return names::detail::mayImplement(kernel, entry.first); });
}

bool MethodFit::betterThan(const MethodFit& other) const {
    return rank(*this) < rank(other);
}

bool MethodFit::asGoodAs(const MethodFit& other) const {
    return rank(*this) == rank(other);
}

MethodFit fitOf(const Evidence& evidence, const Candidate& candidate, bool recordHasDelegateMap,
                std::span<const executor::Backend* const> backends, std::size_t& budget) {
    return Comparison(evidence, candidate, recordHasDelegateMap, backends, budget).run();
}

}  // namespace et::inspector::join::detail

#include "inspector/delegates/placement.h"

#include "inspector/names/called_operator.h"
#include "inspector/names/operator_names.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

/// Selects one of a node's results; needs no execution.
constexpr std::string_view getItem = "getitem";

class Counter {
  public:
    OperatorPlacement& of(std::string_view name) {
        const auto found = counts.find(name);
        if (found != counts.end()) {
            return found->second;
        }
        return counts.emplace(std::string(name), OperatorPlacement{.name = std::string(name)}).first->second;
    }

    [[nodiscard]] std::vector<OperatorPlacement> sorted() && {
        std::vector<OperatorPlacement> out;
        for (auto& [name, count] : counts) {
            out.push_back(std::move(count));
        }
        std::ranges::stable_sort(out, std::greater{}, &OperatorPlacement::total);
        return out;
    }

  private:
    std::map<std::string, OperatorPlacement, std::less<>> counts;
};

using Node = etrecord::Node;

/// Instructions with a debug handle: whether one calls a delegate, and the kernels of the others.
struct Carriers {
    bool delegate = false;
    std::vector<std::string> kernels;  ///< "aten::add.out"; empty for instructions that call no kernel
};
using CarriersByHandle = std::map<core::DebugHandle, Carriers>;

std::string kernelAt(const program::Method& method, core::InstructionId id) {
    const auto at = static_cast<std::size_t>(id.value);
    if (method.chains.empty() || id.value < 0 || at >= method.chains.front().instructions.size()) {
        return {};
    }
    const auto* call = std::get_if<program::KernelCall>(&method.chains.front().instructions[at]);
    return call == nullptr ? std::string() : method.op(call->op).fullName();
}

CarriersByHandle findCarriers(const program::Method& method, const etrecord::MethodMaps& maps,
                              const std::vector<DelegateReport>& delegates) {
    std::set<core::InstructionId> calls;
    for (const DelegateReport& report : delegates) {
        for (const DelegateCallSite& call : report.calls) {
            calls.insert(call.instruction);
        }
    }
    CarriersByHandle carriers;
    for (const auto& [instruction, entry] : maps.debugHandles) {
        for (const core::DebugHandle handle : entry.handles) {
            if (calls.contains(instruction)) {
                carriers[handle].delegate = true;
            } else {
                carriers[handle].kernels.push_back(kernelAt(method, instruction));
            }
        }
    }
    return carriers;
}

/// Decides where the nodes of one handle run. If both a kernel and a delegate have the handle, the kernel
/// runs a node of its own name (a quantization at the boundary) and the delegate all others.
class HandlePlacement {
  public:
    HandlePlacement(const Carriers& found, const std::vector<const Node*>& sharing) : carriers(found) {
        if (carriers.delegate) {
            candidates = static_cast<std::size_t>(std::ranges::count_if(
                sharing, [this](const Node* node) { return kernelMayRun(calledOperator(*node)); }));
        }
    }

    std::size_t OperatorPlacement::* of(std::string_view op) const {
        if (!carriers.delegate) {
            return &OperatorPlacement::undelegated;
        }
        if (!kernelMayRun(op)) {
            return &OperatorPlacement::delegated;
        }
        return candidates <= carriers.kernels.size() ? &OperatorPlacement::undelegated
                                                     : &OperatorPlacement::either;
    }

  private:
    bool kernelMayRun(std::string_view op) const {
        return std::ranges::any_of(carriers.kernels, [&](const std::string& kernel) {
            return names::detail::mayImplement(names::detail::kernelOperator(kernel),
                                               names::detail::nodeOperator(op));
        });
    }

    const Carriers& carriers;
    std::size_t candidates = 0;  ///< nodes of the handle that a kernel may run
};

/// Kernels of instructions without a debug handle in the record, with their call counts: views and copies
/// added during emission.
class UnmappedKernels {
  public:
    UnmappedKernels(const program::Method& method, const etrecord::MethodMaps& maps) {
        const std::size_t count = method.chains.empty() ? 0 : method.chains.front().instructions.size();
        for (std::size_t i = 0; i < count; ++i) {
            const core::InstructionId id(static_cast<std::int32_t>(i));
            if (const std::string kernel = kernelAt(method, id);
                !kernel.empty() && !maps.debugHandles.contains(id)) {
                ++calls[std::string(names::detail::kernelOperator(kernel))];
            }
        }
    }

    /// Whether an unmatched call remains that may be this node's; consumes it.
    bool take(std::string_view op) {
        const std::string_view node = names::detail::nodeOperator(op);
        auto found = calls.find(node);
        if (found == calls.end() || found->second == 0) {
            found = std::ranges::find_if(calls, [node](const auto& call) {
                return call.second > 0 && names::detail::mayImplement(call.first, node);
            });
        }
        if (found == calls.end()) {
            return false;
        }
        --found->second;
        return true;
    }

  private:
    std::map<std::string, std::size_t, std::less<>> calls;
};

std::vector<OperatorPlacement> ofGraph(const etrecord::ExportedGraph& graph, const CarriersByHandle& carriers,
                                       UnmappedKernels unmapped) {
    std::map<core::DebugHandle, std::vector<const Node*>> byHandle;
    std::vector<const Node*> absent;
    Counter counter;
    for (const Node& node : graph.nodes) {
        if (node.op == getItem) {
            continue;
        }
        if (node.debugHandles.empty() || !carriers.contains(node.debugHandles.front())) {
            absent.push_back(&node);
        } else {
            byHandle[node.debugHandles.front()].push_back(&node);
        }
    }
    for (const auto& [handle, nodes] : byHandle) {
        const HandlePlacement placement(carriers.at(handle), nodes);
        for (const Node* node : nodes) {
            const std::string_view op = calledOperator(*node);
            ++(counter.of(op).*placement.of(op));
        }
    }
    for (const Node* node : absent) {
        const std::string_view op = calledOperator(*node);
        ++(unmapped.take(op) ? counter.of(op).undelegated : counter.of(op).absent);
    }
    return std::move(counter).sorted();
}

std::vector<OperatorPlacement> ofInstructions(const program::Method& method,
                                              const std::vector<DelegateReport>& delegates) {
    Counter counter;
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
                ++counter.of(method.op(call->op).fullName()).undelegated;
            }
        }
    }
    for (const DelegateReport& report : delegates) {
        if (!report.graph) {
            continue;
        }
        for (const auto& [kind, count] : report.graph->kinds()) {
            counter.of(kind).delegated += count * report.calls.size();
        }
    }
    return std::move(counter).sorted();
}

}  // namespace

OperatorPlacement sumOf(const std::vector<OperatorPlacement>& operators) {
    OperatorPlacement sum;
    for (const OperatorPlacement& each : operators) {
        sum.delegated += each.delegated;
        sum.undelegated += each.undelegated;
        sum.either += each.either;
        sum.absent += each.absent;
    }
    return sum;
}

std::vector<OperatorPlacement> placements(const program::Method& method,
                                          const std::vector<DelegateReport>& delegates,
                                          const etrecord::MethodMaps* maps,
                                          const etrecord::ExportedGraph* graph) {
    if (maps == nullptr || graph == nullptr) {
        return ofInstructions(method, delegates);
    }
    return ofGraph(*graph, findCarriers(method, *maps, delegates), UnmappedKernels(method, *maps));
}

}  // namespace et::inspector

#include "inspector/delegates/placement.h"

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

/// Takes one of the results of a node; runs nowhere.
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

/// The instructions that carry a debug handle: whether a delegate is among them, and the kernels that are.
struct Carriers {
    bool delegate = false;
    std::vector<std::string> kernels;  ///< "aten::add.out"; empty texts for instructions that call none
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

CarriersByHandle carriersOf(const program::Method& method, const etrecord::MethodMaps& maps,
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

/// Where the nodes of one handle run. A kernel beside a delegate runs a node of its own name (a quantization
/// at the border), the delegate all others.
class HandlePlacement {
  public:
    HandlePlacement(const Carriers* found, const std::vector<const Node*>& sharing) : carriers(found) {
        if (carriers != nullptr && carriers->delegate) {
            candidates = static_cast<std::size_t>(
                std::ranges::count_if(sharing, [this](const Node* node) { return kernelMayRun(*node); }));
        }
    }

    std::size_t OperatorPlacement::* of(const Node& node) const {
        if (carriers == nullptr) {
            return &OperatorPlacement::absent;
        }
        if (!carriers->delegate) {
            return &OperatorPlacement::undelegated;
        }
        if (!kernelMayRun(node)) {
            return &OperatorPlacement::delegated;
        }
        return candidates <= carriers->kernels.size() ? &OperatorPlacement::undelegated
                                                      : &OperatorPlacement::either;
    }

  private:
    bool kernelMayRun(const Node& node) const {
        return std::ranges::any_of(carriers->kernels, [&](const std::string& kernel) {
            return detail::mayImplement(detail::kernelOperator(kernel), detail::nodeOperator(node.op));
        });
    }

    const Carriers* carriers;
    std::size_t candidates = 0;  ///< nodes of the handle that a kernel may run
};

std::vector<OperatorPlacement> ofGraph(const etrecord::ExportedGraph& graph,
                                       const CarriersByHandle& carriers) {
    std::map<core::DebugHandle, std::vector<const Node*>> byHandle;
    Counter counter;
    for (const Node& node : graph.nodes) {
        if (node.op == getItem) {
            continue;
        }
        if (node.debugHandles.empty()) {
            ++counter.of(node.op).absent;
        } else {
            byHandle[node.debugHandles.front()].push_back(&node);
        }
    }
    for (const auto& [handle, nodes] : byHandle) {
        const auto found = carriers.find(handle);
        const HandlePlacement placement(found == carriers.end() ? nullptr : &found->second, nodes);
        for (const Node* node : nodes) {
            ++(counter.of(node->op).*placement.of(*node));
        }
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
    return ofGraph(*graph, carriersOf(method, *maps, delegates));
}

}  // namespace et::inspector

#include "inspector/join/control_flow.h"

#include <algorithm>
#include <variant>

namespace et::inspector::join::detail {

using program::Instruction;
using program::JumpFalseCall;

namespace {

constexpr std::size_t maxBranches = 1000;

class FlowReader {
  public:
    FlowReader(const program::Method& of, const program::Chain& what)
        : method(of), chain(what), written(of.values.size()) {
        for (const program::ValueId input : method.inputs) {
            written[input.value] = true;
        }
        for (const Instruction& instruction : chain.instructions) {
            if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
                if (!call->args.empty()) {
                    written[call->args.back().value] = true;
                }
            } else if (const auto* move = std::get_if<program::MoveCall>(&instruction)) {
                written[move->to.value] = true;
            }
        }
    }

    ControlFlow read() {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            if (const auto* jump = std::get_if<JumpFalseCall>(&chain.instructions[i])) {
                readJump(*jump, i);
            }
        }
        mergeLoops();
        return std::move(flow);
    }

  private:
    /// A jump with a constant condition. Exporters use it to end the branch that runs if a condition is true.
    [[nodiscard]] bool isGoto(const JumpFalseCall& jump) const {
        const auto* condition = method.value(jump.condition).as<bool>();
        return condition != nullptr && !*condition && !written[jump.condition.value];
    }

    void readJump(const JumpFalseCall& jump, std::size_t at) {
        const auto here = static_cast<std::int64_t>(at);
        const std::int64_t target = jump.destination.value;
        if (target <= here) {
            flow.loops.push_back({.first = target, .last = here});
            return;
        }
        if (isGoto(jump) || flow.branches.size() >= maxBranches) {
            return;
        }
        Branch branch{.condition = jump.condition,
                      .whenTrue = {.first = here + 1, .last = target - 1},
                      .whenFalse = {.first = target, .last = target - 1}};
        const auto* end =
            std::get_if<JumpFalseCall>(&chain.instructions[static_cast<std::size_t>(target - 1)]);
        if (end != nullptr && target - 1 > here && isGoto(*end)) {
            branch.whenFalse.last = end->destination.value - 1;
        }
        flow.branches.push_back(branch);
    }

    void mergeLoops() {
        std::ranges::sort(flow.loops, {}, &StepRange::first);
        std::vector<StepRange> merged;
        for (const StepRange& loop : flow.loops) {
            if (!merged.empty() && loop.first <= merged.back().last) {
                merged.back().last = std::max(merged.back().last, loop.last);
            } else {
                merged.push_back(loop);
            }
        }
        flow.loops = std::move(merged);
    }

    const program::Method& method;
    const program::Chain& chain;
    std::vector<bool> written;  ///< by value: provided by the caller or an instruction
    ControlFlow flow;
};

}  // namespace

ControlFlow makeControlFlow(const program::Method& method, const program::Chain& chain) {
    return FlowReader(method, chain).read();
}

}  // namespace et::inspector::join::detail

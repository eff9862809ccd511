#include "inspector/memory/detail/value_uses.h"

#include "runtime/executor/instruction_name.h"
#include "runtime/program/instruction_access.h"

#include <algorithm>
#include <variant>

namespace et::inspector::memory::detail {

using core::Result;
using program::ValueId;

namespace {

class UseWalk {
  public:
    explicit UseWalk(const program::Method& of) : method(of), reader(of) {
        uses.values.resize(method.values.size());
    }

    Result<MethodUses> run() {
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            addControlFlow(method.chains[chain]);
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i, ++now) {
                uses.steps.push_back(
                    {.chain = chain, .instruction = core::InstructionId(static_cast<std::int32_t>(i))});
                uses.stepNames.push_back(executor::instructionLabel(method, instructions[i]));
                ET_TRY(take(instructions[i]));
            }
        }
        return std::move(uses);
    }

  private:
    Result<> take(const program::Instruction& instruction) {
        ET_ASSIGN(const program::InstructionAccess access, reader.next(instruction));
        for (const ValueId id : access.reads) {
            ValueUse& use = uses.values[id.value];
            use.firstRead = std::min(use.firstRead, now);
            use.last = std::max(use.last, now);
        }
        for (const ValueId id : access.writes) {
            ValueUse& use = uses.values[id.value];
            if (use.firstWrite == never) {
                use.firstWrite = now;
                use.appended = appends(instruction);
                use.changed = changesInPlace(instruction, id);
            }
            use.last = std::max(use.last, now);
        }
        if (access.alias) {
            const auto& [owner, alias] = *access.alias;
            if (std::holds_alternative<program::MoveCall>(instruction)) {
                uses.moves.push_back({.from = owner, .to = alias, .step = now});
            } else {
                uses.views.emplace_back(owner, alias);
            }
        }
        return {};
    }

    [[nodiscard]] bool appends(const program::Instruction& instruction) const {
        const auto* const call = std::get_if<program::KernelCall>(&instruction);
        return call != nullptr && method.op(call->op).name == program::appendingOperator;
    }

    [[nodiscard]] bool changesInPlace(const program::Instruction& instruction, ValueId id) const {
        const auto* const call = std::get_if<program::KernelCall>(&instruction);
        return call != nullptr && !call->args.empty() && call->args.front() == id &&
               program::updatesFirst(method.op(call->op).name) && !appends(instruction);
    }

    /// Adds the next chain; ranges are counted in steps.
    void addControlFlow(const program::Chain& chain) {
        const join::detail::ControlFlow flow = join::detail::makeControlFlow(method, chain);
        const auto moved = [this](join::detail::StepRange range) {
            return join::detail::StepRange{.first = range.first + now, .last = range.last + now};
        };
        for (const join::detail::StepRange& loop : flow.loops) {
            uses.loops.push_back(moved(loop));
        }
        for (const join::detail::Branch& branch : flow.branches) {
            uses.branches.push_back({.condition = branch.condition,
                                     .whenTrue = moved(branch.whenTrue),
                                     .whenFalse = moved(branch.whenFalse)});
        }
    }

    const program::Method& method;
    program::AccessReader reader;
    MethodUses uses;
    Step now = 0;
};

}  // namespace

void ValueUse::cover(const ValueUse& other) {
    if (other.firstWrite < firstWrite) {
        appended = other.appended;
        changed = other.changed;
    }
    firstRead = std::min(firstRead, other.firstRead);
    firstWrite = std::min(firstWrite, other.firstWrite);
    last = std::max(last, other.last);
}

Result<MethodUses> usesOf(const program::Method& method) {
    return UseWalk(method).run();
}

}  // namespace et::inspector::memory::detail

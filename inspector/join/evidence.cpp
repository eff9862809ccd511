#include "inspector/join/evidence.h"

#include "inspector/names/operator_names.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

namespace et::inspector::join::detail {

namespace {

void note(Evidence::Call& call, std::string_view name, std::string_view identifier, bool delegated) {
    if (delegated) {
        call.delegated.push_back(identifier);
    } else if (name == names::detail::delegateCall) {
        call.delegateCall = true;
    } else if (name == names::detail::operatorCall) {
        call.operatorCall = true;
    } else {
        call.kernels.push_back(name);
    }
}

/// The kernel name that traces use for an operator. Empty for the runtime's own bookkeeping, which has no
/// event.
std::string eventName(const program::Operator& op) {
    constexpr std::string_view aten = "aten::";
    constexpr std::string_view primitive = "executorch_prim::";
    if (op.name.starts_with(primitive)) {
        return {};
    }
    const std::string full = op.fullName();
    return op.name.starts_with(aten) ? std::string(names::detail::kernelPrefix) + full.substr(aten.size())
                                     : full;
}

}  // namespace

Evidence collectEvidence(const etdump::Trace& trace, const RunShape& shape) {
    Evidence evidence;
    bool ended = false;
    for (const Slot& slot : shape.slots) {
        const Signature& row = slot.signature;
        const std::string_view name = trace.text(row.profileName);
        const bool delegated = row.delegateInt != -1 || row.delegateString != etdump::noName;
        ended |= name == names::detail::methodExecute;
        evidence.jumped |= name == names::detail::jumpCall;
        if (row.instruction >= 0 && row.hasProfile && (delegated || names::detail::isCall(name))) {
            note(evidence.calls[core::InstructionId(row.instruction)], name, trace.text(row.delegateString),
                 delegated);
        }
    }
    const bool everyCall = std::ranges::all_of(evidence.calls, [](const auto& entry) {
        return entry.second.operatorCall || entry.second.delegateCall;
    });
    evidence.complete = ended && !evidence.jumped && everyCall && !evidence.empty();
    return evidence;
}

Evidence collectEvidence(const program::Method& method, std::deque<std::string>& names) {
    Evidence evidence;
    evidence.verb = "runs";
    if (method.chains.empty()) {
        return evidence;
    }
    const auto& instructions = method.chains.front().instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const core::InstructionId instruction(static_cast<std::int32_t>(i));
        if (const auto* kernel = std::get_if<program::KernelCall>(&instructions[i])) {
            Evidence::Call& call = evidence.calls[instruction];
            call.operatorCall = true;
            if (auto name = eventName(method.op(kernel->op)); !name.empty()) {
                call.kernels.push_back(names.emplace_back(std::move(name)));
            }
        } else if (std::holds_alternative<program::DelegateCall>(instructions[i])) {
            evidence.calls[instruction].delegateCall = true;
        }
        evidence.jumped |= std::holds_alternative<program::JumpFalseCall>(instructions[i]);
    }
    evidence.complete = !evidence.jumped && !evidence.empty();
    return evidence;
}

}  // namespace et::inspector::join::detail

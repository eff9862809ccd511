#include "inspector/join/evidence.h"

#include "inspector/names/operator_names.h"

#include <algorithm>

namespace et::inspector::detail {

namespace {

void note(Evidence::Call& call, std::string_view name, std::string_view identifier, bool delegated) {
    if (delegated) {
        call.delegated.push_back(identifier);
    } else if (name == delegateCall) {
        call.delegateCall = true;
    } else if (name == operatorCall) {
        call.operatorCall = true;
    } else {
        call.kernels.push_back(name);
    }
}

}  // namespace

Evidence evidenceOf(const etdump::Trace& trace, const RunShape& shape) {
    Evidence evidence;
    bool ended = false;
    for (const Slot& slot : shape.slots) {
        const Signature& row = slot.signature;
        const std::string_view name = trace.text(row.profileName);
        const bool delegated = row.delegateInt != -1 || row.delegateString != etdump::noName;
        ended |= name == methodExecute;
        evidence.jumped |= name == jumpCall;
        if (row.instruction >= 0 && row.hasProfile && (delegated || isCall(name))) {
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

}  // namespace et::inspector::detail

#pragma once

#include "etdump/trace.h"
#include "inspector/join/run_shape.h"
#include "runtime/core/strong_id.h"
#include "runtime/program/method.h"

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::join::detail {

/// The instructions that the runs of a block executed, or that a method contains. The views live as long as
/// the trace or the method.
struct Evidence {
    struct Call {
        std::vector<std::string_view> kernels;    ///< event names ("native_call_add.out")
        std::vector<std::string_view> delegated;  ///< identifiers of the delegate's own events
        bool operatorCall = false;
        bool delegateCall = false;
    };
    std::map<core::InstructionId, Call> calls;
    bool jumped = false;  ///< the runs have control flow
    /// The runs ended, logged every instruction and never jumped: an instruction without an event does not
    /// exist.
    bool complete = false;
    std::string_view verb = "ran";  ///< for messages: what the calls did

    [[nodiscard]] bool empty() const { return calls.empty(); }
};

[[nodiscard]] Evidence collectEvidence(const etdump::Trace& trace, const RunShape& shape);

/// Returns the evidence of a run of the method without jumps. `names` owns the strings that the views refer
/// to.
[[nodiscard]] Evidence collectEvidence(const program::Method& method, std::deque<std::string>& names);

}  // namespace et::inspector::join::detail

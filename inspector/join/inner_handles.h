#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/core/graph.h"
#include "runtime/core/strong_id.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::join::detail {

using CallPlace = std::pair<std::int64_t, core::InstructionId>;  ///< chain, instruction

/// The delegate called by an instruction; null if it is not a delegate call.
[[nodiscard]] const program::Delegate* delegateAt(const program::Method& method, const CallPlace& place);

/// Handles of an operator, unique, in the order of its nodes. Empty: unknown.
using OperatorHandles = std::optional<std::vector<core::DebugHandle>>;

/// Finds the debug handles of all operators of one delegate call, in execution order, from their names, which
/// is all that the trace has. The backend maps them to the nodes of `inside`, its own description of the
/// payload.
[[nodiscard]] std::vector<OperatorHandles> handlesByName(const executor::Backend& backend,
                                                         const program::Delegate& delegate,
                                                         const core::ModelGraph& inside,
                                                         std::span<const std::string_view> names);

/// Finds handles of events for which neither the trace nor the record has any, in the payloads of the program
/// that ran.
class InnerHandles {
  public:
    InnerHandles(const program::Program& of, std::span<const executor::Backend* const> known)
        : program(of), backends(known) {}

    /// Returns one entry for each event of a block that ran `method`; empty for events that are not such
    /// operators.
    [[nodiscard]] std::vector<OperatorHandles> find(std::string_view method, std::span<const Event> events);

  private:
    const core::ModelGraph* graphOf(const executor::Backend& backend, const program::Delegate& delegate);

    const program::Program& program;
    std::span<const executor::Backend* const> backends;
    std::map<const program::Delegate*, std::optional<core::ModelGraph>> described;
};

}  // namespace et::inspector::join::detail

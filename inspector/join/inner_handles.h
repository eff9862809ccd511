#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/core/graph.h"
#include "runtime/core/strong_id.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"
#include "runtime/program/program.h"

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector::detail {

/// Handles of an operator, in the order of its nodes, each once. Nothing: not known.
using OperatorHandles = std::optional<std::vector<core::DebugHandle>>;

/// The debug handles of the operators of one call of a delegate, of which a trace has but the names: all of
/// them, in the order in which they ran. The backend says which nodes of `inside`, which it described, they
/// compute.
[[nodiscard]] std::vector<OperatorHandles> handlesByName(const executor::Backend& backend,
                                                         const program::Delegate& delegate,
                                                         const core::ModelGraph& inside,
                                                         std::span<const std::string_view> names);

/// Finds handles of events that neither the trace nor the record has any of, in the payloads of the program
/// that ran.
class InnerHandles {
  public:
    InnerHandles(const program::Program& of, std::span<const executor::Backend* const> known)
        : program(of), backends(known) {}

    /// Of the events of a block that ran `method`. One entry for each event; nothing for those that are no
    /// such operators.
    [[nodiscard]] std::vector<OperatorHandles> find(std::string_view method, std::span<const Event> events);

  private:
    const core::ModelGraph* graphOf(const executor::Backend& backend, const program::Delegate& delegate);

    const program::Program& program;
    std::span<const executor::Backend* const> backends;
    std::map<const program::Delegate*, std::optional<core::ModelGraph>> described;
};

}  // namespace et::inspector::detail

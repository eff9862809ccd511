#pragma once

#include "inspector/explain/log_facts.h"
#include "runtime/program/program.h"

#include <optional>

namespace et::inspector {

/// Adds the contents of a delegate that concern the failure: kinds of nodes, the node that the log names,
/// values of more than four dimensions, compile specs. `delegate`: the one that failed; empty: all of the
/// method.
void addDelegateFacts(const program::Program& program, const program::Method& method,
                      std::optional<program::DelegateId> delegate, Facts& facts);

}  // namespace et::inspector

#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/roofline/operator_cost.h"
#include "runtime/program/method.h"

#include <map>

namespace et::inspector {

/// Reduces the costs of instructions that our runtime fuses (kernels/fusion.h), whose events are back to
/// back. The result of the first stays in the cache, so the others read and write no bytes, and a
/// transposition whose product reads its input in place costs nothing.
void leaveOutWhatStaysInCache(const Block& block, const program::Method& method, const JoinOptions& options,
                              std::map<const Event*, OperatorCost>& costs);

}  // namespace et::inspector

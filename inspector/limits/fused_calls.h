#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/limits/operator_cost.h"
#include "runtime/program/method.h"

#include <map>

namespace et::inspector {

/// Our runtime computes some instructions together (kernels/fusion.h), and their events lie back to back.
/// What the first one of these hands on is in the cache: the others read and write no bytes, and a
/// transposition that the product behind it takes as it lies has nothing to do at all.
void leaveOutWhatStaysInCache(const Block& block, const program::Method& method, const JoinOptions& options,
                              std::map<const Event*, OperatorCost>& costs);

}  // namespace et::inspector

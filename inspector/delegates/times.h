#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/join/event_blocks.h"

#include <map>
#include <string>
#include <vector>

namespace et::inspector {

/// Measures what the trace's runs of the method spent in each delegate (DelegateCallSite::time) and elsewhere
/// (MethodDelegates::times); which blocks count is as for detail::isOf(). Warns, and measures nothing, where
/// the trace calls delegates at other instructions than the program does.
void measure(MethodDelegates& method, const EventBlocks& blocks, bool onlyMethod,
             std::vector<std::string>& warnings);

/// What the instructions of the method's first chain took in one run, on average, in the unit of the blocks;
/// which blocks count is as for detail::isOf().
[[nodiscard]] std::map<core::InstructionId, double> instructionTimes(const EventBlocks& blocks,
                                                                     const program::Method& method,
                                                                     bool onlyMethod);

}  // namespace et::inspector

#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/join/event_blocks.h"

#include <map>
#include <string>
#include <vector>

namespace et::inspector {

/// Measures the time that the trace's runs of the method spent in each delegate (DelegateCallSite::time) and
/// elsewhere (MethodDelegates::times), over the blocks selected by detail::isOf(). Warns and measures nothing
/// if the trace calls delegates at other instructions than the program.
void measure(MethodDelegates& method, const EventBlocks& blocks, bool onlyMethod,
             std::vector<std::string>& warnings);

/// Average time in one run of the instructions of the method's first chain, in the unit of the blocks, over
/// the blocks selected by detail::isOf().
[[nodiscard]] std::map<core::InstructionId, double> instructionTimes(const EventBlocks& blocks,
                                                                     const program::Method& method,
                                                                     bool onlyMethod);

}  // namespace et::inspector

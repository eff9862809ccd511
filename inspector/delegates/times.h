#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/event_blocks.h"

#include <string>
#include <vector>

namespace et::inspector {

/// Measures what the trace's runs of the method spent in each delegate (DelegateCallSite::time) and elsewhere
/// (MethodDelegates::times). With a record the blocks know their method; without one they are taken to be of
/// this method when `onlyMethod`. Warns, and measures nothing, where the trace calls delegates at other
/// instructions than the program does.
void measure(MethodDelegates& method, const EventBlocks& blocks, bool onlyMethod,
             std::vector<std::string>& warnings);

}  // namespace et::inspector

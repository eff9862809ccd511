#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/program/program.h"

#include <optional>
#include <string>

namespace et::inspector {

/// Evidence that a trace did not run this method: ""native_call_mm.out" ran at instruction 3, where the
/// program has DelegateCall". Ignores blocks of other methods; a block of unknown method counts if the method
/// is the `onlyMethod` of its program. Nothing: no contradiction.
[[nodiscard]] std::optional<std::string> contradiction(const EventBlocks& blocks,
                                                       const program::Method& method, bool onlyMethod);

/// Evidence that a trace does not belong to this program: a block that none of its methods explains.
[[nodiscard]] std::optional<std::string> contradiction(const EventBlocks& blocks,
                                                       const program::Program& program);

/// Evidence that two traces belong to different programs: another kernel at the same instruction, a delegate
/// with other operators, or nothing in common. Runs of different methods of one program can only be
/// distinguished with the program.
[[nodiscard]] std::optional<std::string> contradiction(const EventBlocks& a, const EventBlocks& b);

}  // namespace et::inspector

#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/program/program.h"

#include <optional>
#include <string>

namespace et::inspector {

/// What shows that a trace did not run this method: ""native_call_mm.out" ran at instruction 3, where the
/// program has DelegateCall". Blocks of other methods do not count; a block whose method knows counts
/// when the method is the `onlyMethod` of its program. Nothing: no contradiction.
[[nodiscard]] std::optional<std::string> contradiction(const EventBlocks& blocks,
                                                       const program::Method& method, bool onlyMethod);

/// What shows that a trace is not of this program: a block that none of its methods explains.
[[nodiscard]] std::optional<std::string> contradiction(const EventBlocks& blocks,
                                                       const program::Program& program);

/// What shows that two traces are not of one program: another kernel at the same instruction, a delegate with
/// other operators, or nothing in common. Runs of different methods of one program are told apart only with
/// the program.
[[nodiscard]] std::optional<std::string> contradiction(const EventBlocks& a, const EventBlocks& b);

}  // namespace et::inspector

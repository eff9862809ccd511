#pragma once

#include "etrecord/record.h"
#include "runtime/program/program.h"

#include <optional>
#include <string>

namespace et::inspector {

/// What shows that a record is not of this program: "the record is of another program or method than
/// "forward": it maps instruction 12, of 8 that the program has". Held against each other are inputs and
/// outputs, the operators and delegates of all instructions, and the debug handles inside of delegates.
/// Nothing: no contradiction, or the record says nothing of the method.
[[nodiscard]] std::optional<std::string> contradiction(const etrecord::Record& record,
                                                       const program::Method& method);

/// The same of all methods, and of a method that only the record has.
[[nodiscard]] std::optional<std::string> contradiction(const etrecord::Record& record,
                                                       const program::Program& program);

}  // namespace et::inspector

#pragma once

#include "etrecord/record.h"
#include "runtime/program/program.h"

#include <optional>
#include <string>

namespace et::inspector {

/// Evidence that a record does not belong to this program: "the record is of another program or method than
/// "forward": it maps instruction 12, of 8 that the program has". Compares inputs and outputs, the operators
/// and delegates of all instructions, and the debug handles inside delegates. Nothing: no contradiction, or
/// the record does not contain the method.
[[nodiscard]] std::optional<std::string> contradiction(const etrecord::Record& record,
                                                       const program::Method& method);

/// As above, for all methods, and for methods that only the record has.
[[nodiscard]] std::optional<std::string> contradiction(const etrecord::Record& record,
                                                       const program::Program& program);

}  // namespace et::inspector

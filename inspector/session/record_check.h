#pragma once

#include "etrecord/record.h"
#include "runtime/program/method.h"

#include <optional>
#include <string>

namespace et::inspector {

/// What shows that a record is not of this program: "the record is of another program or method than
/// "forward": it maps instruction 12, of 8 that the program has". Nothing: no contradiction, or the record
/// has no maps of the method.
[[nodiscard]] std::optional<std::string> contradiction(const etrecord::Record& record,
                                                       const program::Method& method);

}  // namespace et::inspector

#pragma once

#include "app/output/cells.h"
#include "bundled_program/verify.h"

#include <span>
#include <string>
#include <vector>

namespace et::output {

/// A column of the table, for its help text.
struct VerifyColumn {
    const char* id;
    const char* header;
    const char* meaning;
    bool numeric;
};
[[nodiscard]] std::span<const VerifyColumn> verifyColumns();

/// A table of outputs, then a line for each case or file that does not pass, or that ran with tensor data
/// that was not given explicitly, then the summary. Passing outputs are omitted unless `all`.
[[nodiscard]] std::string verifyTable(std::span<const bundled_program::FileReport> reports, bool all,
                                      const Style& style);

}  // namespace et::output

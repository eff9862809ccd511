#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Selects instructions; exactly one of the first members is set.
struct InstructionChoice {
    std::string instructions;  ///< "40..55", "7", "3,5..9"
    std::string module;        ///< "layers.3", including nested modules; needs the record
    std::string node;          ///< name of an Edge node; needs the record
    std::optional<std::size_t> delegate;
    std::filesystem::path record;  ///< ETRecord; may be empty
};

/// Returns the instructions in ascending order; for a module or node, the range from its first to its last
/// instruction. Errors: InvalidArgument (no or several selections, an invalid range, no record, a record of
/// another program), NotFound (no instruction for the module or node; lists the known names; no such
/// delegate), those of the record.
[[nodiscard]] core::Result<std::vector<std::size_t>> chooseInstructions(const program::Method& method,
                                                                        const InstructionChoice& choice);

}  // namespace et::tasks

#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// One of them says which instructions are meant.
struct InstructionChoice {
    std::string instructions;  ///< "40..55", "7", "3,5..9"
    std::string module;        ///< "layers.3", with all modules inside of it; needs the record
    std::string node;          ///< name of an Edge node; needs the record
    std::optional<std::size_t> delegate;
    std::filesystem::path record;  ///< ETRecord; may be empty
};

/// Ascending; of a module or a node, from the first to the last instruction that is of it. Errors:
/// InvalidArgument (none or several say it, no range, no record, a record of another program), NotFound (no
/// instruction is of that module or node, which says what there is; no such delegate), those of the record.
[[nodiscard]] core::Result<std::vector<std::size_t>> chooseInstructions(const program::Method& method,
                                                                        const InstructionChoice& choice);

}  // namespace et::app

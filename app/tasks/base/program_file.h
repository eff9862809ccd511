#pragma once

#include "bundled_program/bundle.h"
#include "inspector/session/artifact.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <filesystem>
#include <memory>

namespace et::tasks {

/// A program, standalone or in a bundled program.
struct ProgramFile {
    std::shared_ptr<const bundled_program::Bundle> bundle;  ///< null for a standalone program
    std::shared_ptr<const program::Program> program;

    /// Errors: those of the readers; Format (a file of another kind).
    [[nodiscard]] static core::Result<ProgramFile> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<ProgramFile> parse(std::shared_ptr<const core::MappedFile> file);
    [[nodiscard]] static core::Result<ProgramFile> parse(inspector::RecognizedFile recognized);
};

}  // namespace et::tasks

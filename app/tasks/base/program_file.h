#pragma once

#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "inspector/session/artifact.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace et::tasks {

/// A program, standalone or in a bundled program.
struct ProgramFile {
    std::shared_ptr<const bundled_program::Bundle> bundle;  ///< null for a standalone program
    std::shared_ptr<const program::Program> program;        ///< of a package: lowered
    std::shared_ptr<const etrecord::Record> record{};       ///< of a package: its graphs; null otherwise

    /// Errors: those of the readers; Format (a file of another kind).
    [[nodiscard]] static core::Result<ProgramFile> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<ProgramFile> parse(std::shared_ptr<const core::MappedFile> file);
    [[nodiscard]] static core::Result<ProgramFile> parse(inspector::RecognizedFile recognized);
};

/// Opens tensor data files (.ptd). Errors: those of the reader.
[[nodiscard]] core::Result<std::vector<std::shared_ptr<const program::TensorData>>> openTensorData(
    std::span<const std::filesystem::path> paths);

/// Opens an ETRecord; null without a path. Errors: those of the reader.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> openRecord(
    const std::filesystem::path& path);

}  // namespace et::tasks

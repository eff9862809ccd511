#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace et::inspector {

/// The kinds of files that this suite reads.
enum class ArtifactKind : std::uint8_t { Program, TensorData, Trace, Record, BundledProgram, Unknown };

/// "program (.pte)", for people.
[[nodiscard]] std::string_view artifactName(ArtifactKind kind);

/// Tells what a file is by its content, never by its name (a raw debug buffer has no mark: Unknown).
[[nodiscard]] ArtifactKind detectArtifact(core::Bytes bytes);

}  // namespace et::inspector

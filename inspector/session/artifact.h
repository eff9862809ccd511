#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace et::inspector {

/// Kinds of files that this suite reads.
enum class ArtifactKind : std::uint8_t { Program, TensorData, Trace, Record, BundledProgram, Unknown };

/// Display name: "program (.pte)".
[[nodiscard]] std::string_view artifactName(ArtifactKind kind);

/// Detects the kind of a file from its content, never from its name (a raw debug buffer has no signature:
/// Unknown).
[[nodiscard]] ArtifactKind detectArtifact(core::Bytes bytes);

}  // namespace et::inspector

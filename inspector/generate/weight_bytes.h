#pragma once

#include "runtime/program/program.h"

#include <cstdint>

namespace et::inspector {

/// Bytes of constants and delegate payloads that one call of a method reads, if every instruction runs once:
/// everything that instructions use, but only one row of tables from which they read rows (embeddings, angles
/// of positions).
[[nodiscard]] std::uint64_t weightBytesOfCall(const program::Method& method, const program::Program& program);

}  // namespace et::inspector

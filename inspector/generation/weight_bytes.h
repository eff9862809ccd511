#pragma once

#include "runtime/program/program.h"

#include <cstdint>

namespace et::inspector {

/// Bytes of constants and delegate payloads that one call of a method reads, if every instruction runs once:
/// all that instructions use, and of tables of which they take rows (embeddings, angles of positions) one
/// row.
[[nodiscard]] std::uint64_t weightBytesOfCall(const program::Method& method, const program::Program& program);

}  // namespace et::inspector

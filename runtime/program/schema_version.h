#pragma once

#include <cstdint>
#include <string>

namespace et::program {

/// The highest schema version of a program that ExecuTorch reads; its Program::load rejects higher ones.
inline constexpr std::uint32_t highestSchemaVersion = 0;

/// "schema version 1 is newer than the highest (0) that ExecuTorch reads"; empty for a version that it reads.
[[nodiscard]] std::string schemaVersionRemark(std::uint32_t version);

}  // namespace et::program

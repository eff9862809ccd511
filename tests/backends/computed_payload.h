#pragma once

#include "bundled_program/verify.h"

#include <filesystem>

namespace et::test {

/// Signal-to-noise ratio of float32 outputs.
inline constexpr double leastDecibels = 100;

/// Runs the cases of a bundled program without a record, its delegates from their payloads.
[[nodiscard]] bundled_program::FileReport computed(const std::filesystem::path& path,
                                                   const bundled_program::Tolerance& tolerance);

}  // namespace et::test

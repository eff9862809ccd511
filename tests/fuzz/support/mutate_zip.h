#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace et::fuzz {

/// Returns the same zip with one entry changed by `mutate` (or removed, renamed, or duplicated), with a valid
/// directory and checksums, which byte flips would not get past. Nested zips are changed in the same way.
/// Empty if the bytes are not a zip.
[[nodiscard]] std::vector<std::byte> mutateZip(core::Bytes zip, std::mt19937_64& random,
                                               const std::function<void(std::string&)>& mutate);

}  // namespace et::fuzz

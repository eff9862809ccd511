#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace et::fuzz {

/// The same zip with one entry changed by `mutate` (or left out, renamed, or given twice), its directory and
/// checksums right again: they keep a fuzzer that flips bytes away from everything inside. An entry that is a
/// zip itself is changed in the same way. Empty where the bytes are no zip.
[[nodiscard]] std::vector<std::byte> mutateZip(core::Bytes zip, std::mt19937_64& random,
                                               const std::function<void(std::string&)>& mutate);

}  // namespace et::fuzz

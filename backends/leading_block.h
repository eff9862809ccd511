#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace et::backends {

/// Changed sizes: old size -> new size.
using ChangedSizes = std::map<std::int64_t, std::int64_t>;

/// Replaces the sizes of a list that are in `changes`.
[[nodiscard]] std::vector<std::int64_t> changedSizes(std::span<const std::int64_t> sizes,
                                                     const ChangedSizes& changes);

/// Copies the elements of a dense tensor with the smallest indices: `sizes` and `smaller` in memory order,
/// outermost first. Errors: InvalidArgument (a size is larger, or there are too few bytes).
[[nodiscard]] core::Result<std::vector<std::byte>> leadingBlock(core::Bytes bytes, std::size_t elementBytes,
                                                                std::span<const std::int64_t> sizes,
                                                                std::span<const std::int64_t> smaller);

}  // namespace et::backends

#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace et::backends {

/// Sizes that become others, by what they were.
using ChangedSizes = std::map<std::int64_t, std::int64_t>;

/// Those sizes of a list that are known change.
[[nodiscard]] std::vector<std::int64_t> changedSizes(std::span<const std::int64_t> sizes,
                                                     const ChangedSizes& changes);

/// Of a dense tensor, the elements with the smallest indices: `sizes` and `smaller` in the order of memory,
/// outermost first. Errors: InvalidArgument (none is as large, or the bytes are too few).
[[nodiscard]] core::Result<std::vector<std::byte>> leadingBlock(core::Bytes bytes, std::size_t elementBytes,
                                                                std::span<const std::int64_t> sizes,
                                                                std::span<const std::int64_t> smaller);

}  // namespace et::backends

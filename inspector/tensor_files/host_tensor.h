#pragma once

#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::inspector {

/// A dense tensor that owns its bytes.
struct HostTensor {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> dimOrder;  ///< from outermost to innermost in memory; empty: row-major
    std::vector<std::byte> data;
};

}  // namespace et::inspector

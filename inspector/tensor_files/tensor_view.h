#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// A dense tensor that owns its bytes.
struct HostTensor {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> dimOrder;  ///< from outermost to innermost in memory; empty: row-major
    std::vector<std::byte> data;
    std::string name{};  ///< in the file of several tensors that it was read from; may be empty
};

/// A tensor view of another's elements, which must outlive it; it must not be written. Errors: Format (too
/// few or too many bytes), those of core::Tensor::make().
[[nodiscard]] core::Result<core::Tensor> viewOf(const HostTensor& tensor);

}  // namespace et::inspector

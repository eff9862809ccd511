#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Weights inside delegates as tensors.
namespace et::backends {

/// Storage of a tensor's elements; their real values are (element - zeroPoint) * scale.
struct StoredElements {
    core::ScalarType dtype = core::ScalarType::Float;  ///< dtype of an element after unpacking
    std::vector<std::int64_t> sizes;                   ///< row-major
    /// Two elements per byte, the first one in the lower bits; rows are padded to whole bytes, and 8 is added
    /// to each element.
    bool packed = false;
    std::int64_t zeroPoint = 0;
    std::vector<float> scales;   ///< none: elements are real values; one: for all; otherwise per channel or
                                 ///< block
    std::size_t channelDim = 0;  ///< dimension of the scales
    std::int64_t blockSize = 0;  ///< for two dimensions: elements of a channel that share a scale; 0: all
};

/// A weight that a delegate contains or refers to.
struct StoredConstant {
    std::size_t value = 0;  ///< index among the values of the graph from executor::Backend::describe()
    core::Bytes data;       ///< borrowed from payload or source; at least as many bytes as the elements need
    StoredElements elements;
    core::Bytes scaleData{};  ///< bytes of the scales if they are a constant of their own; borrowed likewise
};

/// Weights of a delegate in known storage formats. Empty for backends with unknown formats, or for an invalid
/// payload. Weights whose data is missing, too short or of an unknown format are skipped.
[[nodiscard]] std::vector<StoredConstant> storedConstants(const program::Delegate& delegate,
                                                          const executor::NamedDataSource& namedData);

}  // namespace et::backends

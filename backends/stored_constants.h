#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Weights inside of delegates as tensors.
namespace et::backends {

/// How bytes hold the elements of a tensor, and the numbers that these stand for: (element - zeroPoint) *
/// scale.
struct StoredElements {
    core::ScalarType dtype = core::ScalarType::Float;  ///< of an element; of packed ones, once unpacked
    std::vector<std::int64_t> sizes;                   ///< row-major
    /// Two elements a byte, the earlier one in the lower bits, each row padded to whole bytes, 8 added to
    /// each.
    bool packed = false;
    std::int64_t zeroPoint = 0;
    std::vector<float> scales;   ///< none: elements are the numbers; one: of all; else of channels or blocks
    std::size_t channelDim = 0;  ///< of the scales
    std::int64_t blockSize = 0;  ///< of two dimensions: elements of a channel that share a scale; 0: all
};

/// A weight that a delegate holds or names.
struct StoredConstant {
    std::size_t value =
        0;             ///< position among the values of the graph that executor::Backend::describe() makes
    core::Bytes data;  ///< borrowed from payload or source; as many as the elements need, or more
    StoredElements elements;
};

/// The weights of a delegate whose form is known here. None: of backends whose forms are not, or of a payload
/// that cannot be read. Those whose data is missing, too short or of an unknown form are left out.
[[nodiscard]] std::vector<StoredConstant> storedConstants(const program::Delegate& delegate,
                                                          const executor::NamedDataSource& namedData);

}  // namespace et::backends

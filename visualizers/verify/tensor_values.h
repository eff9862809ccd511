#pragma once

#include "bundled_program/bundle.h"
#include "inspector/tensor_files/host_tensor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// The elements of a tensor (or of a scalar) for display.
struct TensorValues {
    std::string type;                 ///< "float32 [2, 3]", "Int"
    std::vector<std::int64_t> sizes;  ///< empty: a scalar
    std::vector<double> numbers;      ///< row-major, regardless of the dim order
    bool integral = false;            ///< integers or bools
};

/// Maximum number of displayed elements.
inline constexpr std::int64_t maxElements = std::int64_t{1} << 26;

/// Errors: Unsupported (complex numbers, or a dtype that cannot be read), Limit (more than maxElements),
/// Format (data of the wrong size), NotFound (no value: None).
[[nodiscard]] core::Result<TensorValues> valuesOf(const bundled_program::BundledValue& value);
[[nodiscard]] core::Result<TensorValues> valuesOf(const inspector::HostTensor& tensor);

/// `given` - `expected` by element; nothing if their sizes differ. Equal infinities differ by 0.
[[nodiscard]] std::optional<TensorValues> difference(const TensorValues& given, const TensorValues& expected);

}  // namespace et::visualizers

#pragma once

#include "bundled_program/bundle.h"
#include "inspector/tensors/host_tensor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// The elements of a tensor (or of a single number) for painting and reading.
struct TensorValues {
    std::string type;                 ///< "float32 [2, 3]", "Int"
    std::vector<std::int64_t> sizes;  ///< empty: a single number
    std::vector<double> numbers;      ///< row-major, whatever the dim order was
    bool integral = false;            ///< integers or bools
};

/// Most elements that are shown.
inline constexpr std::int64_t maxElements = std::int64_t{1} << 26;

/// Errors: Unsupported (complex numbers, a dtype that nothing reads), Limit (more than maxElements), Format
/// (data that do not fill it), NotFound (no value: None).
[[nodiscard]] core::Result<TensorValues> valuesOf(const bundled_program::BundledValue& value);
[[nodiscard]] core::Result<TensorValues> valuesOf(const inspector::HostTensor& tensor);

/// `given` - `expected`, element by element; nothing where their sizes differ. Equal infinities differ by 0.
[[nodiscard]] std::optional<TensorValues> difference(const TensorValues& given, const TensorValues& expected);

}  // namespace et::visualizers

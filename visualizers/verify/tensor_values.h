#pragma once

#include "bundled_program/bundle.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/result.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
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

/// Reads the only tensor of a file, at most 1 GiB. Errors: those of inspector::readTensorFile() and
/// valuesOf(); Format (several tensors).
[[nodiscard]] core::Result<TensorValues> readValues(const std::filesystem::path& file);
/// The values for display; null after an error, which is stored in `problem`.
[[nodiscard]] std::shared_ptr<const TensorValues> shownValues(core::Result<TensorValues> read,
                                                              QString& problem);

/// Index of the element at this row-major position.
[[nodiscard]] std::vector<std::int64_t> elementIndex(std::size_t place,
                                                     const std::vector<std::int64_t>& sizes);

/// `given` - `expected` by element; nothing if their sizes differ. Equal infinities differ by 0.
[[nodiscard]] std::optional<TensorValues> difference(const TensorValues& given, const TensorValues& expected);

}  // namespace et::visualizers

#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/core/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::expression {

/// The elements of a tensor as numbers, row-major. Integers above 2^53 are rounded.
struct Array {
    core::ScalarType dtype = core::ScalarType::Double;
    std::vector<std::int64_t> sizes;
    std::vector<double> numbers;
};

/// A value of an expression.
using Operand = std::variant<bool, double, std::string, std::shared_ptr<const Array>>;

/// Largest number of elements that an expression reads at once.
inline constexpr std::size_t maxElements = std::size_t{1} << 27U;

/// Errors: Unsupported (complex and quantized dtypes), Limit (more than maxElements).
[[nodiscard]] core::Result<std::shared_ptr<const Array>> arrayOf(const core::Tensor& tensor);
/// A tensor, a number or a truth value. Errors: Unsupported (any other kind), as above.
[[nodiscard]] core::Result<Operand> operandOf(const core::Value& value);

/// The index in a name such as "out1"; 0 for the prefix alone; nothing for any other name.
[[nodiscard]] std::optional<std::size_t> elementIndex(std::string_view name, std::string_view prefix);
/// The value of a name such as "out1". The prefix alone is the only value, or the elements of all of them in
/// one array. Errors: NotFound, those of `at`, Limit.
[[nodiscard]] core::Result<Operand> namedElement(std::string_view name, std::string_view prefix,
                                                 std::size_t count,
                                                 const std::function<core::Result<Operand>(std::size_t)>& at);

/// The elements of a value. Errors: InvalidArgument (a text).
[[nodiscard]] core::Result<std::shared_ptr<const Array>> arrayOf(const Operand& value);

/// Elements `begin` to `end` (excluded) of a dimension. Negative numbers count from the end.
struct Range {
    std::optional<std::int64_t> begin{};
    std::optional<std::int64_t> end{};
    bool isIndex = false;  ///< only element `begin`; the dimension is removed
};

/// Parses "[0, 1:3]", with the brackets. Errors: InvalidArgument.
[[nodiscard]] core::Result<std::vector<Range>> parseSlice(std::string_view text);
/// Dimensions without a range are complete. Errors: InvalidArgument (an index outside of the sizes, too many
/// ranges).
[[nodiscard]] core::Result<Array> sliced(const Array& array, const std::vector<Range>& ranges);
/// Row-major positions of the elements of sliced(), in its order. Errors: likewise.
[[nodiscard]] core::Result<std::vector<std::size_t>> slicePositions(const std::vector<std::int64_t>& sizes,
                                                                    const std::vector<Range>& ranges);

/// Six digits; "nan" for either sign, "inf", "-inf".
[[nodiscard]] std::string numberText(double number);

}  // namespace et::expression

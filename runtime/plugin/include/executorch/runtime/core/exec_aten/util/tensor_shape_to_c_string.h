#pragma once

#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/span.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace executorch::runtime {

/// Brackets, and per dimension up to ten digits and a separator.
constexpr size_t kTensorShapeStringSizeLimit = 2 + 12 * kTensorDimensionLimit;

namespace internal {

template <typename Size>
std::array<char, kTensorShapeStringSizeLimit> shape_text(Span<const Size> shape) {
    std::array<char, kTensorShapeStringSizeLimit> text{};
    size_t used = 0;
    const auto add = [&](const char* separator, long long number) {
        used += static_cast<size_t>(
            std::snprintf(text.data() + used, text.size() - used, "%s%lld", separator, number));
        used = used < text.size() ? used : text.size() - 1;
    };
    text[used++] = '(';
    for (size_t i = 0; i < shape.size() && i < kTensorDimensionLimit; ++i) {
        add(i == 0 ? "" : ", ", static_cast<long long>(shape[i]));
    }
    if (used + 1 < text.size()) {
        text[used] = ')';
    }
    return text;
}

}  // namespace internal

inline std::array<char, kTensorShapeStringSizeLimit> tensor_shape_to_c_string(Span<const int32_t> shape) {
    return internal::shape_text(shape);
}
inline std::array<char, kTensorShapeStringSizeLimit> tensor_shape_to_c_string(Span<const int64_t> shape) {
    return internal::shape_text(shape);
}

}  // namespace executorch::runtime

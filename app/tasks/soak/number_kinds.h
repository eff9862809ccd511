#pragma once

#include "runtime/core/tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace et::tasks {

/// Suspicious numeric values.
enum class NumberKind : std::uint8_t {
    Nan,
    Infinite,
    Denormal,
    Saturated  ///< an int8 or uint8 at an end of its range, as quantization clamps values
};
inline constexpr std::size_t numberKinds = 4;
/// "nan", "inf", "denormal", "saturated".
[[nodiscard]] std::string_view nameOf(NumberKind kind);

/// Number of a tensor's elements per kind.
struct KindCounts {
    std::array<std::uint64_t, numberKinds> counts{};
    std::uint64_t elements = 0;

    [[nodiscard]] std::uint64_t operator[](NumberKind kind) const {
        return counts[static_cast<std::size_t>(kind)];
    }
};
/// For float16, bfloat16, float32, float64, int8 and uint8; all counts are 0 for other dtypes.
[[nodiscard]] KindCounts countKinds(const core::Tensor& tensor);

}  // namespace et::tasks

#pragma once

#include "runtime/core/tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace et::app {

/// What numbers can be that often means trouble.
enum class NumberKind : std::uint8_t {
    Nan,
    Infinite,
    Denormal,
    Saturated  ///< an int8 or uint8 at an end of its range, as quantizing leaves what does not fit
};
inline constexpr std::size_t numberKinds = 4;
/// "nan", "inf", "denormal", "saturated".
[[nodiscard]] std::string_view nameOf(NumberKind kind);

/// How many elements of a tensor are of each kind.
struct KindCounts {
    std::array<std::uint64_t, numberKinds> counts{};
    std::uint64_t elements = 0;

    [[nodiscard]] std::uint64_t operator[](NumberKind kind) const {
        return counts[static_cast<std::size_t>(kind)];
    }
};
/// Of float16, bfloat16, float32, float64, int8 and uint8; nothing of other dtypes is of a kind.
[[nodiscard]] KindCounts countKinds(const core::Tensor& tensor);

}  // namespace et::app

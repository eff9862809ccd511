#pragma once

#include <cstdint>
#include <optional>

namespace et::inspector::roofline::detail {

/// A window that moves along one axis of an image.
struct WindowAxis {
    std::int64_t input = 0;   ///< size of the image
    std::int64_t output = 0;  ///< number of window positions
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padding = 0;  ///< before the image
};

/// Number of image elements that the window covers over all of its positions, excluding padding. Nothing if
/// the parameters are invalid.
[[nodiscard]] std::optional<double> tapsInside(const WindowAxis& axis);

}  // namespace et::inspector::roofline::detail

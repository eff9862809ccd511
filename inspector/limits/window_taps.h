#pragma once

#include <cstdint>
#include <optional>

namespace et::inspector::detail {

/// A window that goes along one axis of an image.
struct WindowAxis {
    std::int64_t input = 0;   ///< elements of the image
    std::int64_t output = 0;  ///< positions of the window
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padding = 0;  ///< in front of the image
};

/// How many elements of the image the window sees at all of its positions together, those in the padding left
/// out. Nothing where the numbers make no sense.
[[nodiscard]] std::optional<double> tapsInside(const WindowAxis& axis);

}  // namespace et::inspector::detail

#pragma once

#include <string_view>

namespace et::core {

/// Name of a delegate's operator without its counter: "Convolution (NHWC, F32) IGEMM" for "Convolution (NHWC,
/// F32) IGEMM #2".
[[nodiscard]] constexpr std::string_view withoutCounter(std::string_view name) {
    const std::size_t mark = name.rfind(" #");
    const bool counted = mark != std::string_view::npos && mark + 2 < name.size() &&
                         name.find_first_not_of("0123456789", mark + 2) == std::string_view::npos;
    return counted ? name.substr(0, mark) : name;
}

}  // namespace et::core

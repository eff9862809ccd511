#include "inspector/format/change_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace et::inspector::format {

std::string readableChange(double ratio) {
    constexpr double manyTimes = 10;
    constexpr double whole = 100;  // no decimals from here on
    constexpr std::size_t groupDigits = 3;
    if (!(ratio >= manyTimes) || !std::isfinite(ratio)) {
        return fmt::format("{:+.1f} %", (ratio - 1) * 100);
    }
    std::string number = fmt::format("{:.{}f}", ratio, ratio < whole ? 1 : 0);
    for (std::size_t at = std::min(number.find('.'), number.size()); at > groupDigits;) {
        at -= groupDigits;
        number.insert(at, 1, ',');
    }
    return number + " times";
}

}  // namespace et::inspector::format

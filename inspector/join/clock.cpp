#include "inspector/join/clock.h"

namespace et::inspector::join::detail {

std::optional<double> Clock::wrapped(std::uint64_t start, std::uint64_t end, bool delegated) const {
    constexpr std::uint64_t last = 0xFFFF'FFFF;
    if (quirks && delegated) {
        // The reference checks for the wrap-around after scaling, so its limit is in the wrong unit.
        if (scaled(start) > static_cast<double>(last)) {
            return std::nullopt;
        }
        return (static_cast<double>(last) - scaled(start)) + scaled(end);
    }
    const std::optional<std::uint64_t> ticks = etdump::elapsedTicks(start, end);
    if (!ticks) {
        return std::nullopt;
    }
    return scaled(quirks ? *ticks - 1 : *ticks);
}

}  // namespace et::inspector::join::detail

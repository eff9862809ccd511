#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace et::inspector::report {

std::string readableBytes(std::uint64_t bytes) {
    constexpr std::array units{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
    }
    double size = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (size >= 1024 && unit + 1 < units.size()) {
        size /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", size, units[unit]);
}

std::string readablePercent(double share) {
    return fmt::format("{:.1f} %", share * 100);
}

}  // namespace et::inspector::report

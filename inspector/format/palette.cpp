#include "inspector/format/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace et::inspector::format {

namespace {

constexpr std::array table{
    MeaningInfo{.meaning = Meaning::Kernel, .id = "kernel", .light = 0x0072b2, .dark = 0x56b4e9},
    MeaningInfo{.meaning = Meaning::Delegate, .id = "delegate", .light = 0x007a5a, .dark = 0x2fc39a},
    MeaningInfo{.meaning = Meaning::Copy, .id = "copy", .light = 0xb87400, .dark = 0xf0b429},
    MeaningInfo{.meaning = Meaning::Idle, .id = "idle", .light = 0x7b818a, .dark = 0x9aa1ab},
    MeaningInfo{.meaning = Meaning::Error, .id = "error", .light = 0xb34700, .dark = 0xff8a4c},
    MeaningInfo{.meaning = Meaning::Own, .id = "own", .light = 0xa8457f, .dark = 0xe294c0},
    MeaningInfo{.meaning = Meaning::Inherited, .id = "inherited", .light = 0x4a5fc1, .dark = 0x9aa8ff},
    MeaningInfo{.meaning = Meaning::Good, .id = "good", .light = 0x17692f, .dark = 0x7ee2a8},
};

/// One channel in linear light.
double linear(Rgb colour, int shift) {
    const double part = static_cast<double>((colour >> shift) & 0xffU) / 255;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double luminance(Rgb colour) {
    return 0.2126 * linear(colour, 16) + 0.7152 * linear(colour, 8) + 0.0722 * linear(colour, 0);
}

}  // namespace

std::span<const MeaningInfo> meanings() {
    return table;
}

const MeaningInfo& infoOf(Meaning meaning) {
    return table[static_cast<std::size_t>(meaning)];
}

double contrast(Rgb one, Rgb other) {
    const auto [low, high] = std::minmax({luminance(one), luminance(other)});
    return (high + 0.05) / (low + 0.05);
}

Rgb inkOn(Rgb ground) {
    constexpr Rgb black = 0x000000;
    constexpr Rgb white = 0xffffff;
    return contrast(ground, black) >= contrast(ground, white) ? black : white;
}

std::string hexText(Rgb colour) {
    return fmt::format("#{:06x}", colour & 0xffffffU);
}

}  // namespace et::inspector::format

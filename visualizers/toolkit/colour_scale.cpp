#include "visualizers/toolkit/colour_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace et::visualizers {

namespace {

// Evenly spaced stops with monotonic lightness, so that the order is visible without colour vision.
constexpr std::array<QRgb, 5> sequential{0xff26114a, 0xff3b4f9e, 0xff27899b, 0xff6cc06a, 0xfff6e65a};
constexpr std::array<QRgb, 5> diverging{0xff1b4fb8, 0xff86aee6, 0xffe4e4e4, 0xffef9a86, 0xffc0202a};

int mixed(int from, int to, double part) {
    return static_cast<int>(std::lround(from + (to - from) * part));
}

QRgb between(std::span<const QRgb> stops, double place) {
    const double scaled = std::clamp(place, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto left = std::min(static_cast<std::size_t>(scaled), stops.size() - 2);
    const double part = scaled - static_cast<double>(left);
    const QRgb from = stops[left];
    const QRgb to = stops[left + 1];
    return qRgb(mixed(qRed(from), qRed(to), part), mixed(qGreen(from), qGreen(to), part),
                mixed(qBlue(from), qBlue(to), part));
}

}  // namespace

ColourScale::ColourScale(Kind scale, std::span<const double> numbers) : kind(scale) {
    bool any = false;
    for (const double number : numbers) {
        if (std::isfinite(number)) {
            low = any ? std::min(low, number) : number;
            high = any ? std::max(high, number) : number;
            any = true;
        }
    }
    if (kind == Kind::Diverging) {
        high = std::max(std::abs(low), std::abs(high));
        low = -high;
    }
}

QRgb ColourScale::colour(double number) const {
    if (std::isnan(number)) {
        return nanColour;
    }
    if (std::isinf(number)) {
        return number > 0 ? positiveInfinityColour : negativeInfinityColour;
    }
    // Halved, because the difference of two doubles can exceed the range of double.
    const double span = high / 2 - low / 2;
    const double place = span > 0 ? (number / 2 - low / 2) / span : 0.5;
    return between(kind == Kind::Diverging ? std::span<const QRgb>(diverging) : sequential, place);
}

}  // namespace et::visualizers

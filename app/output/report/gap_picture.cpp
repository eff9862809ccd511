#include "app/output/report/gap_picture.h"

#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace et::output {
namespace {

using inspector::format::Cell;
using inspector::format::SvgPicture;

constexpr double width = 1150;
constexpr double height = 260;
constexpr double left = 70;
constexpr double right = 12;
constexpr double top = 12;
constexpr double bottom = 24;

constexpr std::string_view gapStyles =
    ".dot circle,.dot rect{fill:#0072b2}.off rect{fill:#b34700}.dot:hover rect,.off:hover "
    "rect{stroke:#1f2328}";

struct Dot {
    std::string name;
    double error = 0;
    bool diverges = false;
};

std::vector<Dot> makeDots(const inspector::format::Table& rows) {
    std::vector<Dot> dots;
    for (const std::vector<Cell>& row : rows.rows) {
        const auto* const error = std::get_if<double>(&row[2]);
        if (error == nullptr || !std::isfinite(*error) || *error < 0) {
            continue;
        }
        const auto* const name = std::get_if<std::string>(&row[1]);
        const auto* const diverges = std::get_if<std::int64_t>(&row[3]);
        dots.push_back({.name = name == nullptr ? std::string() : *name,
                        .error = *error,
                        .diverges = diverges != nullptr && *diverges != 0});
    }
    return dots;
}

/// The powers of ten at both ends of the axis.
std::pair<int, int> decades(const std::vector<Dot>& dots) {
    constexpr int deepest = -12;
    constexpr int highest = 12;
    int low = highest;
    int high = deepest;
    for (const Dot& dot : dots) {
        if (dot.error > 0) {
            const int power =
                std::clamp(static_cast<int>(std::floor(std::log10(dot.error))), deepest, highest);
            low = std::min(low, power);
            high = std::max(high, power + 1);
        }
    }
    return low > high ? std::pair(-1, 0) : std::pair(low - 1, high);
}

}  // namespace

std::string gapPicture(const inspector::format::Table& rows) {
    const std::vector<Dot> dots = makeDots(rows);
    if (dots.empty()) {
        return {};
    }
    const auto [low, high] = decades(dots);
    const auto yOf = [&, first = low, last = high](double power) {
        return height - bottom -
               (height - top - bottom) * (std::max<double>(power, first) - first) / (last - first);
    };
    SvgPicture picture(width, height, gapStyles);
    picture.rect({.x = 0, .y = 0, .width = width, .height = height}, "page");
    const int step = std::max(1, (high - low) / 6);
    for (int power = low; power <= high; power += step) {
        picture.line(left, yOf(power), width - right, yOf(power), "grid");
        picture.text(left - 6, yOf(power) + 4, power == low ? "0" : fmt::format("1e{}", power), "faint",
                     inspector::format::TextAnchor::End);
    }
    const double pitch = (width - left - right) / static_cast<double>(dots.size());
    const double side = std::clamp(pitch * 0.7, 2.0, 7.0);
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const Dot& dot = dots[i];
        const double x = left + (static_cast<double>(i) + 0.5) * pitch;
        const double y = yOf(dot.error > 0 ? std::log10(dot.error) : low);
        picture.begin(dot.diverges ? "off" : "dot", fmt::format("{}\nmax abs {:.4g}", dot.name, dot.error));
        picture.rect({.x = x - side / 2, .y = y - side / 2, .width = side, .height = side}, "mark");
        picture.end();
    }
    picture.text(left, height - 6, "operators in execution order; red: diverges by its own error", "faint");
    return std::move(picture).finish();
}

}  // namespace et::output

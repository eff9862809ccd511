#include "inspector/trend/trend_text.h"

#include "inspector/format/change_text.h"
#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector {

using format::readableChange;

std::string trendTime(double time, bool cycles) {
    return format::readableTime(time, cycles ? TimeScale::Cycles : TimeScale::Nanoseconds);
}

std::string pointLabel(const TrendPoint& point) {
    constexpr std::size_t shortCommit = 12;
    constexpr std::size_t toMinutes = 16;  // "2026-11-25T22:14"
    if (!point.commit.empty()) {
        return core::printable(point.commit.substr(0, shortCommit));
    }
    std::string moment = point.measured.substr(0, toMinutes);
    std::ranges::replace(moment, 'T', ' ');
    return core::printable(moment);
}

std::string groupLabel(const Trend& trend, std::size_t group) {
    const TrendGroup& of = trend.groups[group];
    const bool severalMethods =
        std::ranges::any_of(trend.groups, [&](const TrendGroup& each) { return each.method != of.method; });
    if (of.name.empty()) {
        return core::printable(of.method);
    }
    return core::printable(severalMethods ? of.name + ", " + of.method : of.name);
}

std::string stepText(const LevelStep& step, bool cycles) {
    std::string text = fmt::format("{} -> {}", trendTime(step.before, cycles), trendTime(step.after, cycles));
    if (const auto change = step.change()) {
        text += fmt::format(", {}", readableChange(1 + *change));
    }
    if (step.ratio) {
        text += fmt::format(" [{}, {}]", readableChange(step.ratio->low), readableChange(step.ratio->high));
    }
    return text;
}

}  // namespace et::inspector

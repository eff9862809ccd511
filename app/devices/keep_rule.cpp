#include "app/devices/keep_rule.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace et::devices {
namespace {

struct TimeUnit {
    std::string_view name;
    double nanoseconds;
};
constexpr std::array timeUnits{TimeUnit{"ns", 1}, TimeUnit{"us", 1e3}, TimeUnit{"ms", 1e6},
                               TimeUnit{"s", 1e9}};
constexpr double longestTime = 1e18;

}  // namespace

core::Result<wire::KeepRule> parseKeepRule(std::string_view text, std::uint32_t last) {
    using Condition = wire::KeepRule::Condition;
    constexpr std::string_view timeWord = "time>";
    if (text.empty()) {
        return wire::KeepRule{};
    }
    if (text == "nan") {
        return wire::KeepRule{.condition = Condition::Nan, .last = last};
    }
    if (text.starts_with(timeWord)) {
        const std::string_view given = text.substr(timeWord.size());
        double number = 0;
        const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
        const std::string_view unit = given.substr(static_cast<std::size_t>(end - given.data()));
        for (const TimeUnit& each : timeUnits) {
            const double time = number * each.nanoseconds;
            if (error == std::errc{} && unit == each.name && time >= 0 && time < longestTime) {
                return wire::KeepRule{.condition = Condition::Slower,
                                      .nanoseconds = static_cast<std::uint64_t>(time),
                                      .last = last};
            }
        }
    }
    return core::fail(
        core::ErrorCode::InvalidArgument,
        fmt::format("--keep-if: expected 'time>20ms' or 'nan', got '{}'", core::printable(text)));
}

}  // namespace et::devices

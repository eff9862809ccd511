#include "inspector/trend/moment.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace et::inspector {
namespace {

/// Parses fields at fixed positions, from left to right.
class Places {
  public:
    explicit Places(std::string_view text) : rest(text) {}

    /// Parses `count` digits.
    std::optional<int> digits(std::size_t count) {
        int value = 0;
        const char* const first = rest.data();
        if (rest.size() < count || std::from_chars(first, first + count, value).ptr != first + count ||
            *first == '-') {
            return std::nullopt;
        }
        rest.remove_prefix(count);
        return value;
    }
    bool take(char letter) {
        const bool found = rest.starts_with(letter);
        rest.remove_prefix(found ? 1 : 0);
        return found;
    }
    [[nodiscard]] bool isAtEnd() const { return rest.empty(); }

  private:
    std::string_view rest;
};

std::optional<std::chrono::sys_days> readDay(Places& places) {
    const auto year = places.digits(4);
    const auto month = year && places.take('-') ? places.digits(2) : std::nullopt;
    const auto day = month && places.take('-') ? places.digits(2) : std::nullopt;
    if (!day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                           std::chrono::day(*day)};
    constexpr int firstYear = 1970;
    return date.ok() && *year >= firstYear ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

/// Parses "22:14", without seconds.
std::optional<std::chrono::minutes> readMinutes(Places& places) {
    const auto hours = places.digits(2);
    const auto minutes = hours && places.take(':') ? places.digits(2) : std::nullopt;
    constexpr int lastHour = 23;
    constexpr int lastMinute = 59;
    if (!minutes || *hours > lastHour || *minutes > lastMinute) {
        return std::nullopt;
    }
    return std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
}

/// Offset east of UTC.
std::optional<std::chrono::minutes> readZone(Places& places) {
    if (places.take('Z')) {
        return std::chrono::minutes(0);
    }
    const bool isEast = places.take('+');
    if (!isEast && !places.take('-')) {
        return std::nullopt;
    }
    const auto offset = readMinutes(places);
    return offset ? std::optional(isEast ? *offset : -*offset) : std::nullopt;
}

std::optional<std::chrono::sys_seconds> readMoment(std::string_view text) {
    Places places(text);
    const auto day = readDay(places);
    if (!day || places.isAtEnd()) {
        return day ? std::optional<std::chrono::sys_seconds>(*day) : std::nullopt;
    }
    if (!places.take('T')) {
        return std::nullopt;
    }
    const auto minutes = readMinutes(places);
    const auto seconds = minutes && places.take(':') ? places.digits(2) : std::nullopt;
    const auto zone = seconds ? readZone(places) : std::nullopt;
    constexpr int lastSecond = 60;  // a leap second
    if (!zone || !places.isAtEnd() || *seconds > lastSecond) {
        return std::nullopt;
    }
    return *day + *minutes + std::chrono::seconds(*seconds) - *zone;
}

}  // namespace

std::string utcText(std::chrono::sys_seconds moment) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", moment);
}

core::Result<std::string> utcText(std::string_view given) {
    const auto moment = readMoment(given);
    if (!moment || moment->time_since_epoch().count() < 0) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            fmt::format("expected a date such as 2026-11-25 or 2026-11-25T22:14:53+01:00, got '{}'",
                        core::printable(given)));
    }
    return utcText(*moment);
}

}  // namespace et::inspector

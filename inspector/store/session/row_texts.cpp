#include "inspector/store/session/session_rows.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

namespace et::inspector::store {

std::string jsonList(std::span<const std::int64_t> numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string jsonList(std::span<const std::uint8_t> numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string utcNow() {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

std::string joined(std::span<const std::string> texts) {
    return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace et::inspector::store

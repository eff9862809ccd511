#include "app/tasks/rewrite/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t mostNumbers = 1'000'000;

std::optional<std::size_t> wholeNumber(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Both included.
std::optional<std::pair<std::size_t, std::size_t>> rangeIn(std::string_view text) {
    const std::size_t dots = text.find("..");
    const auto first = wholeNumber(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : wholeNumber(text.substr(dots + 2));
    return first && last && *first <= *last ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

}  // namespace

Result<std::vector<std::size_t>> parseNumberList(std::string_view text, std::string_view what) {
    const auto refuse = [&] {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: expected FIRST..LAST or a list such as 3,5..9, ascending, got \"{}\"",
                                what, core::printable(text)));
    };
    std::vector<std::size_t> numbers;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto range = rangeIn(text.substr(at, comma - at));
        if (!range || (!numbers.empty() && range->first <= numbers.back())) {
            return refuse();
        }
        if (range->second - range->first >= mostNumbers - numbers.size()) {
            return fail(ErrorCode::Limit, fmt::format("{}: expected at most {} numbers", what, mostNumbers));
        }
        // Counts iterations, since incrementing the last number may overflow.
        for (std::size_t i = 0; i <= range->second - range->first; ++i) {
            numbers.push_back(range->first + i);
        }
        at = comma + 1;
    }
    return numbers;
}

std::string numberListText(std::span<const std::size_t> numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) {
            ++end;
        }
        text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
        if (end - i > 1) {
            text += fmt::format("..{}", numbers[end - 1]);
        }
        i = end;
    }
    return text;
}

std::vector<std::size_t> numbersBelow(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

}  // namespace et::tasks

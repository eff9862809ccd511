#include "app/tasks/model/size_range.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <system_error>

namespace et::tasks {

using core::ErrorCode;
using core::fail;
using core::Result;

Result<SizeRange> parseSizeRange(std::string_view text) {
    SizeRange range;
    const std::size_t equals = text.find('=');
    range.symbol = text.substr(0, equals);
    std::string_view rest = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
    const auto number = [&](std::int64_t& into) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), into);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return error == std::errc{} && into >= 0;
    };
    const auto token = [&](std::string_view expected) {
        const bool isThere = rest.starts_with(expected);
        rest.remove_prefix(isThere ? expected.size() : 0);
        return isThere;
    };
    const bool hasRange =
        number(range.first) && token("..") && number(range.last) && range.first <= range.last;
    const bool isWhole = rest.empty() || (token(":") && number(range.step) && range.step > 0 && rest.empty());
    if (range.symbol.empty() || !hasRange || !isWhole) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected NAME=FIRST..LAST[:STEP], got \"{}\"", core::printable(text)));
    }
    return range;
}

std::string sizeRangeText(const SizeRange& range) {
    return fmt::format("{}={}..{}{}", range.symbol, range.first, range.last,
                       range.step > 0 ? fmt::format(":{}", range.step) : "");
}

}  // namespace et::tasks

#include "inspector/format/text_filter.h"

#include <fmt/format.h>

#include <charconv>
#include <regex>

namespace et::inspector::format {
namespace {

/// Maximum states of an expression. The matcher's recursion depth depends on them, not on the text.
constexpr std::size_t maxSize = 2000;

/// Uses the library's breadth-first matcher if available (libstdc++): linear time, no back-references.
constexpr std::regex::flag_type options() {
#ifdef __GLIBCXX__
    return std::regex::ECMAScript | std::regex_constants::__polynomial;
#else
    return std::regex::ECMAScript;
#endif
}

/// Upper bound of the states of an expression: its length times each of its repeat counts ("a{2}{3}" needs
/// six copies). Counts are multiplied regardless of position, which never underestimates.
std::size_t sizeBound(std::string_view pattern) {
    std::size_t bound = pattern.size();
    for (std::size_t at = pattern.find('{'); at != std::string_view::npos; at = pattern.find('{', at + 1)) {
        const char* digit = pattern.data() + at + 1;
        const char* const end = pattern.data() + pattern.size();
        std::size_t largest = 1;
        while (digit != end && ((*digit >= '0' && *digit <= '9') || *digit == ',')) {
            std::size_t count = 0;
            const auto [next, status] = std::from_chars(digit, end, count);
            largest = std::max(largest, status == std::errc::result_out_of_range ? maxSize + 1 : count);
            digit = next == digit ? digit + 1 : next;
        }
        if (largest > maxSize || bound > maxSize) {
            return maxSize + 1;
        }
        bound *= largest;
    }
    return bound;
}

}  // namespace

struct TextFilter::Impl {
    std::regex expression;
};

TextFilter::TextFilter(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
TextFilter::~TextFilter() = default;
TextFilter::TextFilter(TextFilter&&) noexcept = default;
TextFilter& TextFilter::operator=(TextFilter&&) noexcept = default;

core::Result<TextFilter> TextFilter::make(std::string_view pattern) {
    if (sizeBound(pattern) > maxSize) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("the filter is too large: at most {} states are allowed", maxSize));
    }
    try {
        return TextFilter(std::make_unique<Impl>(std::regex(pattern.begin(), pattern.end(), options())));
    } catch (const std::regex_error&) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("invalid regular expression '{}'", pattern));
    }
}

bool TextFilter::matches(std::string_view text) const {
    text = text.substr(0, maxText);
    try {
        return std::regex_search(text.begin(), text.end(), impl->expression);
    } catch (const std::regex_error&) {  // the matcher's own limits
        return false;
    }
}

}  // namespace et::inspector::format

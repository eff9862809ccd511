#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/watchpoints.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array<std::string_view, 12> watchNames{"changed", "nan",       "inf",   "denormal",
                                                      "zero",    "saturated", "snr",   "own_error",
                                                      "shape",   "range",     "arena", "overwritten"};
constexpr double usualShare = 0.1;

std::unexpected<core::Error> watchSyntax(std::string_view form, std::string_view got) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("watch: expected '{}', got '{}'", form, core::printable(got)));
}

/// "0.1" or "10%".
std::optional<double> shareOf(std::string_view text) {
    constexpr double percent = 100;
    const bool isPercent = text.ends_with('%');
    const auto number = parseNumber<double>(text.substr(0, text.size() - (isPercent ? 1 : 0)));
    return number ? std::optional(isPercent ? *number / percent : *number) : std::nullopt;
}

Result<WatchSpec> parseSaturated(std::string_view rest, WatchSpec spec) {
    spec.number = usualShare;
    std::string_view after = rest;
    const std::string_view word = takeWord(after);
    if (const auto share = shareOf(word)) {
        if (!(*share > 0 && *share <= 1)) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("watch: expected a share above 0, at most 1, got '{}'", word));
        }
        spec.number = *share;
        rest = after;
    }
    spec.value = rest;
    return spec;
}

Result<WatchSpec> parseSnr(std::string_view rest, WatchSpec spec) {
    const std::string_view all = rest;
    const bool isLess = takeWord(rest) == "<";
    const auto decibels = parseNumber<double>(takeWord(rest));
    if (!isLess || !decibels) {
        return watchSyntax("snr < DB [VALUE]", all);
    }
    spec.number = *decibels;
    spec.value = rest;
    return spec;
}

/// "1:0-64 [read|write]".
Result<WatchSpec> parseArena(std::string_view rest, WatchSpec spec) {
    const std::string_view all = rest;
    const std::string_view range = takeWord(rest);
    const std::size_t colon = std::min(range.find(':'), range.size());
    const std::size_t dash = std::min(range.find('-', colon), range.size());
    const auto arena = parseNumber<std::size_t>(range.substr(0, colon));
    const auto begin =
        parseNumber<std::uint64_t>(range.substr(std::min(colon + 1, dash), dash - std::min(colon + 1, dash)));
    const auto end = parseNumber<std::uint64_t>(range.substr(std::min(dash + 1, range.size())));
    if (!arena || !begin || !end || *begin >= *end || (!rest.empty() && rest != "read" && rest != "write")) {
        return watchSyntax("arena ID:BEGIN-END [read|write]", all);
    }
    spec.range = {.arena = *arena, .begin = *begin, .end = *end};
    spec.isWrite = rest.empty() ? std::nullopt : std::optional(rest == "write");
    return spec;
}

/// "VALUE in LOW..HIGH", "VALUE not in LOW..HIGH"; nothing for another form.
Result<std::optional<WatchSpec>> parseRange(std::string_view text, WatchSpec spec) {
    std::string_view rest = text;
    spec.value = takeWord(rest);
    std::string_view word = takeWord(rest);
    spec.isOutside = word == "not";
    if (spec.isOutside) {
        word = takeWord(rest);
    }
    if (word != "in") {
        return std::optional<WatchSpec>();
    }
    const std::size_t dots = rest.find("..");
    const auto low = parseNumber<double>(rest.substr(0, dots));
    const auto high =
        dots == std::string_view::npos ? std::nullopt : parseNumber<double>(rest.substr(dots + 2));
    if (!low || !high || *low > *high) {
        return watchSyntax("VALUE [not] in LOW..HIGH", text);
    }
    spec.kind = WatchKind::Range;
    spec.low = *low;
    spec.high = *high;
    return std::optional(std::move(spec));
}

Result<WatchSpec> parseExpression(std::string_view text, WatchSpec spec) {
    ET_ASSIGN(std::optional<WatchSpec> range, parseRange(text, spec));
    if (range) {
        return *std::move(range);
    }
    ET_ASSIGN(spec.expression, expression::Expression::parse(text));
    spec.value = spec.expression.onlyName();
    if (const auto number = parseNumber<double>(text)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("watch: '{}' is a number: '%{}' is the value with this id", text, *number));
    }
    return spec;
}

Result<WatchSpec> withoutArguments(std::string_view rest, WatchSpec spec) {
    if (!rest.empty()) {
        return watchSyntax(nameOf(spec.kind), spec.text);
    }
    return spec;
}

}  // namespace

std::string_view nameOf(WatchKind kind) {
    return watchNames[static_cast<std::size_t>(kind)];
}

Result<WatchSpec> parseWatch(std::string_view text) {
    WatchSpec spec{.text = std::string(text)};
    std::string_view rest = text;
    const std::string_view word = takeWord(rest);
    if (word.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "watch: expected a value or condition: 'help watch' has the list");
    }
    for (std::size_t i = 1; i < watchNames.size(); ++i) {
        if (word == watchNames[i]) {
            spec.kind = static_cast<WatchKind>(i);
        }
    }
    // "nan(x) > 3" and "zero in 0..1" are expressions.
    std::string_view second = rest;
    const std::string_view next = takeWord(second);
    if (next == "in" || next == "not") {
        spec.kind = WatchKind::Changed;
    }
    switch (spec.kind) {
        case WatchKind::Saturated:
            return parseSaturated(rest, std::move(spec));
        case WatchKind::Snr:
            return parseSnr(rest, std::move(spec));
        case WatchKind::Arena:
            return parseArena(rest, std::move(spec));
        case WatchKind::OwnError:
        case WatchKind::Overwritten:
            return withoutArguments(rest, std::move(spec));
        case WatchKind::Changed:
        case WatchKind::Range:
            spec.kind = WatchKind::Changed;
            return parseExpression(text, std::move(spec));
        default:
            spec.value = rest;
            return spec;
    }
}

}  // namespace et::tasks

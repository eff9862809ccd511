#include "inspector/names/phase_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace et::inspector {
namespace {

/// Consumes a number at the start of the text.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, std::string_view start) {
    const bool has = text.starts_with(start);
    text.remove_prefix(has ? start.size() : 0);
    return has;
}

bool isPhaseName(std::string_view text) {
    return !text.empty() && text.size() <= 32 &&
           std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string phaseMarkName(const PhaseMark& mark) {
    const std::string place = fmt::format("{} {}: position {}", mark.phase, mark.call, mark.position);
    return mark.tokens == 0 ? place
                            : fmt::format("{}, {} token{}", place, mark.tokens, mark.tokens == 1 ? "" : "s");
}

std::optional<PhaseMark> parsePhaseMark(std::string_view name) {
    PhaseMark mark;
    const std::size_t space = name.find(' ');
    if (space == std::string_view::npos || !isPhaseName(name.substr(0, space))) {
        return std::nullopt;
    }
    mark.phase = name.substr(0, space);
    name.remove_prefix(space + 1);
    const auto call = takeNumber(name);
    if (!call || !take(name, ": position ")) {
        return std::nullopt;
    }
    const auto position = takeNumber(name);
    if (!position) {
        return std::nullopt;
    }
    mark.call = *call;
    mark.position = *position;
    if (name.empty()) {
        return mark;
    }
    const auto tokens = take(name, ", ") ? takeNumber(name) : std::nullopt;
    if (!tokens || *tokens == 0 || name != (*tokens == 1 ? " token" : " tokens")) {
        return std::nullopt;
    }
    mark.tokens = *tokens;
    return mark;
}

}  // namespace et::inspector

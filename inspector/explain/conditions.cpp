#include "inspector/explain/log_facts.h"

#include <algorithm>

namespace et::inspector {
namespace {

/// A value of a term; `*` at an end matches any text.
bool matchesValue(std::string_view wanted, std::string_view value) {
    const bool openStart = wanted.size() > 1 && wanted.starts_with('*');
    const bool openEnd = wanted.ends_with('*');
    wanted.remove_prefix(openStart ? 1 : 0);
    wanted.remove_suffix(openEnd ? 1 : 0);
    if (openStart && openEnd) {
        return value.contains(wanted);
    }
    return openStart ? value.ends_with(wanted) : openEnd ? value.starts_with(wanted) : value == wanted;
}

bool matchesAny(std::string_view wanted, std::string_view value) {
    while (!wanted.empty()) {
        const std::string_view one = wanted.substr(0, wanted.find('|'));
        if (matchesValue(one, value)) {
            return true;
        }
        wanted.remove_prefix(std::min(one.size() + 1, wanted.size()));
    }
    return false;
}

/// A term without its `!`.
struct Term {
    std::string_view name;
    std::string_view value;
    bool isNegated = false;  ///< "!="
};

Term parseTerm(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return {.name = text, .value = {}};
    }
    const bool isNegated = text[equals - 1] == '!';
    return {.name = text.substr(0, equals - (isNegated ? 1 : 0)),
            .value = text.substr(equals + 1),
            .isNegated = isNegated};
}

bool termHolds(const Term& term, const Facts& facts, const LogContent& log) {
    if (term.name == "seen") {
        return log.has(term.value);
    }
    const auto fact = facts.find(term.name);
    return fact != facts.end() && matchesAny(term.value, fact->second) != term.isNegated;
}

/// Calls `use(term, isInverted)` for each term until it returns false.
template <class Use>
bool forEachTerm(std::string_view terms, Use use) {
    while (true) {
        terms.remove_prefix(std::min(terms.find_first_not_of(' '), terms.size()));
        if (terms.empty()) {
            return true;
        }
        std::string_view one = terms.substr(0, terms.find(' '));
        terms.remove_prefix(one.size());
        const bool isInverted = one.starts_with('!');
        one.remove_prefix(isInverted ? 1 : 0);
        if (!use(parseTerm(one), isInverted)) {
            return false;
        }
    }
}

constexpr std::string_view optionalStart = "[[";
constexpr std::string_view optionalEnd = "]]";

std::optional<std::string> filled(std::string_view text, const Facts& facts) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        if (text.empty()) {
            break;
        }
        const std::size_t close = text.find('}');
        const auto fact =
            close == std::string_view::npos ? facts.end() : facts.find(text.substr(1, close - 1));
        if (fact == facts.end()) {
            return std::nullopt;
        }
        out += fact->second;
        text.remove_prefix(close + 1);
    }
    return out;
}

}  // namespace

bool holds(std::string_view terms, const Facts& facts, const LogContent& log) {
    return forEachTerm(
        terms, [&](const Term& term, bool isInverted) { return termHolds(term, facts, log) != isInverted; });
}

std::optional<std::string> firstUnknownName(std::string_view terms, std::span<const std::string_view> facts) {
    std::optional<std::string> unknown;
    forEachTerm(terms, [&](const Term& term, bool) {
        const bool isKnown = term.name == "seen" ? MessageIndex::get().find(term.value).has_value()
                                                 : std::ranges::contains(facts, term.name);
        if (!isKnown) {
            unknown = std::string(term.name == "seen" ? term.value : term.name);
        }
        return isKnown;
    });
    return unknown;
}

std::optional<std::string> expanded(std::string_view text, const Facts& facts) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = std::min(text.find(optionalStart), text.size());
        const auto plain = filled(text.substr(0, open), facts);
        if (!plain) {
            return std::nullopt;
        }
        out += *plain;
        text.remove_prefix(open);
        if (text.empty()) {
            break;
        }
        text.remove_prefix(optionalStart.size());
        const std::size_t close = std::min(text.find(optionalEnd), text.size());
        out += filled(text.substr(0, close), facts).value_or(std::string());
        text.remove_prefix(std::min(close + optionalEnd.size(), text.size()));
    }
    return out;
}

}  // namespace et::inspector

#pragma once

#include "inspector/tokenizers/detail/call_budget.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/regex.h"

namespace et::inspector::tokenizers::detail {

/// {"Regex": "..."} or {"String": "..."}. Errors: Format, Unsupported, Limit.
[[nodiscard]] inline core::Result<Regex> readPattern(const JsonField& json) {
    const auto regex = json.find("Regex");
    const auto string = json.find("String");
    if (!regex && !string) {
        return json.expected(R"({"Regex": ...} or {"String": ...})");
    }
    const JsonField& field = regex ? *regex : *string;
    ET_ASSIGN(const auto text, field.text());
    auto compiled = regex ? Regex::compile(text, RegexDialect::Oniguruma) : Regex::literal(text);
    if (!compiled) {
        return std::unexpected(field.placed(std::move(compiled).error()));
    }
    return std::move(*compiled);
}

/// Replaces all matches in `text` by the literal `content`. Errors: Limit.
[[nodiscard]] inline core::Result<std::string> replaced(std::string_view text, const Regex& pattern,
                                                        std::string_view content) {
    Regex::Matches matches(pattern, text);
    std::string out;
    std::size_t at = 0;
    while (true) {
        ET_ASSIGN(const std::optional<TextRange> match, matches.next());
        if (!match) {
            break;
        }
        ET_TRY(CallBudget::take(content.size()));
        out += text.substr(at, match->begin - at);
        out += content;
        at = match->end;
    }
    out += text.substr(at);
    return out;
}

/// Replaces all `from` in `text` by `to`; unchanged if `from` is empty. Errors: Limit.
[[nodiscard]] inline core::Result<std::string> replacedText(std::string_view text, std::string_view from,
                                                            std::string_view to) {
    std::string out;
    for (std::size_t at = 0;;) {
        const std::size_t found = from.empty() ? std::string_view::npos : text.find(from, at);
        out += text.substr(at, found - at);
        if (found == std::string_view::npos) {
            return out;
        }
        ET_TRY(CallBudget::take(to.size()));
        out += to;
        at = found + from.size();
    }
}

}  // namespace et::inspector::tokenizers::detail

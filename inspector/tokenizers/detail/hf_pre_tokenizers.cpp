#include "inspector/tokenizers/detail/byte_alphabet.h"
#include "inspector/tokenizers/detail/call_budget.h"
#include "inspector/tokenizers/detail/hf_pattern.h"
#include "inspector/tokenizers/detail/hf_sequence.h"
#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/regex.h"
#include "inspector/tokenizers/detail/unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail {
namespace {

using core::Result;

/// Treatment of delimiters when splitting a text.
enum class SplitBehavior : std::uint8_t { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

struct SplitRule {
    SplitBehavior behavior = SplitBehavior::Removed;
    bool invert = false;  ///< delimiters are the parts that do not match
};

/// Collects the matches in a text and the gaps between them.
class PartCutter {
  public:
    /// Call from left to right.
    void match(TextRange range) {
        gap(range.begin);
        ranges.push_back({.range = range, .match = true});
        at = range.end;
    }
    void finish(std::size_t size) { gap(size); }

    struct Found {
        TextRange range;
        bool match = false;
    };
    std::vector<Found> ranges;
    std::size_t at = 0;

  private:
    void gap(std::size_t end) {
        if (at < end) {
            ranges.push_back({.range = {.begin = at, .end = end}, .match = false});
        }
    }
};

constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> behaviorNames{
    {{"Removed", SplitBehavior::Removed},
     {"Isolated", SplitBehavior::Isolated},
     {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
     {"MergedWithNext", SplitBehavior::MergedWithNext},
     {"Contiguous", SplitBehavior::Contiguous}}};

/// Whether a part is merged with the neighbour examined before it.
bool joins(SplitBehavior behavior, bool here, bool before) {
    return behavior == SplitBehavior::Contiguous ? here == before : here && !before;
}

/// Sets `parts` to the non-empty parts for these matches under a rule, in order.
void keepParts(const std::vector<PartCutter::Found>& found, SplitRule rule, std::vector<TextRange>& parts) {
    parts.clear();
    parts.reserve(found.size());
    const bool backwards = rule.behavior == SplitBehavior::MergedWithNext;
    const bool alone = rule.behavior == SplitBehavior::Removed || rule.behavior == SplitBehavior::Isolated;
    bool before = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto& [range, match] = found[backwards ? found.size() - 1 - i : i];
        const bool delimiter = match != rule.invert;
        if (alone) {
            if (!delimiter || rule.behavior == SplitBehavior::Isolated) {
                parts.push_back(range);
            }
        } else if (joins(rule.behavior, delimiter, before) && !parts.empty()) {
            (backwards ? parts.back().begin : parts.back().end) = backwards ? range.begin : range.end;
        } else {
            parts.push_back(range);
        }
        before = delimiter;
    }
    if (backwards) {
        std::ranges::reverse(parts);
    }
    std::erase_if(parts, [](const TextRange& part) { return part.begin == part.end; });
}

/// Splits every part of `pieces`: `findAll(text, cutter)` reports the matches in a part. Errors: those of
/// `findAll`.
template <class FindAll>
Result<> splitParts(Pieces& pieces, SplitRule rule, const FindAll& findAll) {
    std::vector<Pieces::Part> parts;
    PartCutter cutter;
    std::vector<TextRange> keptRanges;
    for (const Pieces::Part& part : pieces.parts) {
        cutter.ranges.clear();
        cutter.at = 0;
        ET_TRY(findAll(pieces.at(part), cutter));
        cutter.finish(part.size);
        keepParts(cutter.ranges, rule, keptRanges);
        for (const TextRange& kept : keptRanges) {
            parts.push_back({.begin = part.begin + kept.begin,
                             .size = kept.end - kept.begin,
                             .first = part.first && kept.begin == 0});
        }
    }
    pieces.parts = std::move(parts);
    return {};
}

/// Reads the member "behavior". Errors: Unsupported.
Result<SplitBehavior> readSplitBehavior(const JsonField& json, std::string_view fallback) {
    ET_ASSIGN(const auto name, json.textOr("behavior", fallback));
    const auto* const known =
        std::ranges::find(behaviorNames, name, &std::pair<std::string_view, SplitBehavior>::first);
    if (known == behaviorNames.end()) {
        return json.find("behavior")->unknown();
    }
    return known->second;
}

using PreTokenizerResult = Result<std::unique_ptr<PreTokenizer>>;

constexpr std::string_view gpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Splits at matches of a pattern.
class PatternSplit final : public PreTokenizer {
  public:
    PatternSplit(Regex of, SplitRule with) : pattern(std::move(of)), rule(with) {}

    [[nodiscard]] Result<> apply(Pieces& pieces) const override {
        return splitParts(pieces, rule, [&](std::string_view text, PartCutter& cutter) -> Result<> {
            Regex::Matches matches(pattern, text);
            while (true) {
                ET_ASSIGN(const std::optional<TextRange> match, matches.next());
                if (!match) {
                    return {};
                }
                cutter.match(*match);
            }
        });
    }

  private:
    Regex pattern;
    SplitRule rule;
};

/// Splits at characters of a class.
class CharacterSplit final : public PreTokenizer {
  public:
    CharacterSplit(bool (*of)(char32_t), SplitRule with) : isDelimiter(of), rule(with) {}

    [[nodiscard]] Result<> apply(Pieces& pieces) const override {
        return splitParts(pieces, rule, [&](std::string_view text, PartCutter& cutter) -> Result<> {
            std::size_t at = 0;
            eachCharacter(text, [&](char32_t character, std::string_view bytes) {
                if (isDelimiter(character)) {
                    cutter.match({.begin = at, .end = at + bytes.size()});
                }
                at += bytes.size();
            });
            return {};
        });
    }

  private:
    bool (*isDelimiter)(char32_t);
    SplitRule rule;
};

/// Rewrites each part: `write(part's text, first, out)` appends the new text. Errors: Limit.
template <class Write>
Result<> rewriteParts(Pieces& pieces, const Write& write) {
    std::string text;
    text.reserve(pieces.text.size() + (pieces.text.size() / 4));
    for (Pieces::Part& part : pieces.parts) {
        const std::size_t begin = text.size();
        ET_TRY(write(pieces.at(part), part.first, text));
        part.begin = begin;
        part.size = text.size() - begin;
        ET_TRY(CallBudget::take(part.size));
    }
    pieces.text = std::move(text);
    return {};
}

class ByteLevel final : public PreTokenizer {
  public:
    ByteLevel(bool prefix, std::optional<Regex> pattern) : addPrefixSpace(prefix) {
        if (pattern) {
            split = std::make_unique<PatternSplit>(
                *std::move(pattern), SplitRule{.behavior = SplitBehavior::Isolated, .invert = false});
        }
    }

    [[nodiscard]] Result<> apply(Pieces& pieces) const override {
        if (addPrefixSpace) {
            ET_TRY(
                rewriteParts(pieces, [](std::string_view part, bool /*first*/, std::string& out) -> Result<> {
                    out.append(part.starts_with(' ') ? "" : " ").append(part);
                    return {};
                }));
        }
        if (split) {
            ET_TRY(split->apply(pieces));
        }
        return rewriteParts(pieces, [](std::string_view part, bool /*first*/, std::string& out) -> Result<> {
            appendByteCharacters(part, out);
            return {};
        });
    }

  private:
    bool addPrefixSpace;
    std::unique_ptr<PatternSplit> split;
};

enum class PrependScheme : std::uint8_t { First, Always, Never };

class Metaspace final : public PreTokenizer {
  public:
    Metaspace(std::string_view of, PrependScheme prepend, std::unique_ptr<PatternSplit> with)
        : replacement(of), scheme(prepend), split(std::move(with)) {}

    [[nodiscard]] Result<> apply(Pieces& pieces) const override {
        ET_TRY(rewriteParts(pieces, [&](std::string_view part, bool first, std::string& out) -> Result<> {
            const bool wanted = scheme == PrependScheme::Always || (scheme == PrependScheme::First && first);
            if (wanted && !part.starts_with(replacement) && !part.starts_with(' ')) {
                out += replacement;
            }
            ET_ASSIGN(const std::string written, replacedText(part, " ", replacement));
            out += written;
            return {};
        }));
        return split ? split->apply(pieces) : Result<>();
    }

  private:
    std::string replacement;
    PrependScheme scheme;
    std::unique_ptr<PatternSplit> split;
};

PreTokenizerResult makeByteLevel(const JsonField& json) {
    ET_ASSIGN(const bool prefix, json.booleanOr("add_prefix_space", true));
    ET_ASSIGN(const bool useRegex, json.booleanOr("use_regex", true));
    std::optional<Regex> pattern;
    if (useRegex) {
        ET_ASSIGN(pattern, Regex::compile(gpt2Pattern, RegexDialect::Oniguruma));
    }
    return std::make_unique<ByteLevel>(prefix, std::move(pattern));
}

PreTokenizerResult makeMetaspace(const JsonField& json) {
    ET_ASSIGN(const auto replacement, json.textOr("replacement", "\xE2\x96\x81"));
    ET_ASSIGN(const bool addPrefixSpace, json.booleanOr("add_prefix_space", true));
    ET_ASSIGN(const auto scheme, json.textOr("prepend_scheme", addPrefixSpace ? "always" : "never"));
    ET_ASSIGN(const bool split, json.booleanOr("split", true));
    constexpr std::array<std::pair<std::string_view, PrependScheme>, 3> schemes{
        {{"first", PrependScheme::First},
         {"always", PrependScheme::Always},
         {"never", PrependScheme::Never}}};
    const auto* const known =
        std::ranges::find(schemes, scheme, &std::pair<std::string_view, PrependScheme>::first);
    if (known == schemes.end()) {
        return json.find("prepend_scheme")->unknown();
    }
    std::unique_ptr<PatternSplit> splitter;
    if (split) {
        ET_ASSIGN(Regex pattern, Regex::literal(replacement));
        splitter = std::make_unique<PatternSplit>(
            std::move(pattern), SplitRule{.behavior = SplitBehavior::MergedWithNext, .invert = false});
    }
    return std::make_unique<Metaspace>(replacement, known->second, std::move(splitter));
}

PreTokenizerResult makeSplit(const JsonField& json) {
    ET_ASSIGN(const JsonField patternField, json.member("pattern"));
    ET_ASSIGN(Regex pattern, readPattern(patternField));
    ET_ASSIGN(const bool invert, json.booleanOr("invert", false));
    ET_ASSIGN(const SplitBehavior behavior, readSplitBehavior(json, "Removed"));
    return std::make_unique<PatternSplit>(std::move(pattern),
                                          SplitRule{.behavior = behavior, .invert = invert});
}

PreTokenizerResult makeWhitespace(const JsonField& /*json*/) {
    ET_ASSIGN(Regex pattern, Regex::compile(R"(\w+|[^\w\s]+)", RegexDialect::Rust));
    return std::make_unique<PatternSplit>(std::move(pattern),
                                          SplitRule{.behavior = SplitBehavior::Removed, .invert = true});
}

PreTokenizerResult makeWhitespaceSplit(const JsonField& /*json*/) {
    return std::make_unique<CharacterSplit>(isWhiteSpace, SplitRule{.behavior = SplitBehavior::Removed});
}

PreTokenizerResult makeBertPreTokenizer(const JsonField& /*json*/) {
    std::vector<std::unique_ptr<PreTokenizer>> steps;
    steps.push_back(
        std::make_unique<CharacterSplit>(isWhiteSpace, SplitRule{.behavior = SplitBehavior::Removed}));
    steps.push_back(
        std::make_unique<CharacterSplit>(isPunctuation, SplitRule{.behavior = SplitBehavior::Isolated}));
    return std::make_unique<StepSequence<PreTokenizer>>(std::move(steps));
}

PreTokenizerResult makeDigits(const JsonField& json) {
    ET_ASSIGN(const bool individual, json.booleanOr("individual_digits", false));
    return std::make_unique<CharacterSplit>(
        isNumeric, SplitRule{.behavior = individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous});
}

PreTokenizerResult makePunctuation(const JsonField& json) {
    ET_ASSIGN(const SplitBehavior behavior, readSplitBehavior(json, "Isolated"));
    return std::make_unique<CharacterSplit>(isPunctuation, SplitRule{.behavior = behavior});
}

PreTokenizerResult makeDelimiterSplit(const JsonField& json) {
    ET_ASSIGN(const JsonField field, json.member("delimiter"));
    ET_ASSIGN(const auto delimiter, field.text());
    ET_ASSIGN(Regex pattern, Regex::literal(delimiter));
    return std::make_unique<PatternSplit>(std::move(pattern), SplitRule{.behavior = SplitBehavior::Removed});
}

using PreTokenizerMaker = StepMaker<PreTokenizer>;
constexpr std::array preTokenizerMakers{
    PreTokenizerMaker{"ByteLevel", makeByteLevel},
    PreTokenizerMaker{"Metaspace", makeMetaspace},
    PreTokenizerMaker{"Split", makeSplit},
    PreTokenizerMaker{"Whitespace", makeWhitespace},
    PreTokenizerMaker{"WhitespaceSplit", makeWhitespaceSplit},
    PreTokenizerMaker{"BertPreTokenizer", makeBertPreTokenizer},
    PreTokenizerMaker{"Digits", makeDigits},
    PreTokenizerMaker{"Punctuation", makePunctuation},
    PreTokenizerMaker{"CharDelimiterSplit", makeDelimiterSplit},
};

}  // namespace

PreTokenizerResult makePreTokenizer(const JsonField& json) {
    return makeStep<PreTokenizer>(json, "pretokenizers", preTokenizerMakers);
}

}  // namespace et::inspector::tokenizers::detail

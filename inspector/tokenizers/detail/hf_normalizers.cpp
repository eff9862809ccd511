#include "inspector/tokenizers/detail/base64.h"
#include "inspector/tokenizers/detail/byte_alphabet.h"
#include "inspector/tokenizers/detail/call_budget.h"
#include "inspector/tokenizers/detail/charsmap.h"
#include "inspector/tokenizers/detail/hf_pattern.h"
#include "inspector/tokenizers/detail/hf_sequence.h"
#include "inspector/tokenizers/detail/unicode.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using NormalizerResult = Result<std::unique_ptr<Normalizer>>;

/// A normalizer implemented by a function.
class SimpleNormalizer final : public Normalizer {
  public:
    using Function = std::function<Result<std::string>(std::string_view)>;
    explicit SimpleNormalizer(Function of) : function(std::move(of)) {}

    [[nodiscard]] Result<> apply(std::string& text) const override {
        ET_ASSIGN(text, function(text));
        return CallBudget::take(text.size());
    }

  private:
    Function function;
};

NormalizerResult simple(SimpleNormalizer::Function function) {
    return std::make_unique<SimpleNormalizer>(std::move(function));
}

/// The characters for which `keep` returns true.
template <class Keep>
std::string filtered(std::string_view text, const Keep& keep) {
    std::string out;
    out.reserve(text.size());
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        if (keep(character)) {
            out += bytes;
        }
    });
    return out;
}

struct BertOptions {
    bool cleanText = true;
    bool chineseCharacters = true;
    bool stripAccents = false;
    bool lowercase = true;
};

std::string cleanedForBert(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        if (character == 0 || character == 0xFFFD || isControl(character)) {
            return;
        }
        out += isWhiteSpace(character) ? std::string_view(" ") : bytes;
    });
    return out;
}

std::string spacedChinese(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        if (isChinese(character)) {
            out.append(" ").append(bytes).append(" ");
        } else {
            out += bytes;
        }
    });
    return out;
}

Result<std::string> normalizedForBert(std::string_view text, const BertOptions& options) {
    std::string out = options.cleanText ? cleanedForBert(text) : std::string(text);
    if (options.chineseCharacters) {
        out = spacedChinese(out);
    }
    if (options.stripAccents) {
        ET_ASSIGN(out, normalized(out, NormalForm::Nfd));
        out = filtered(out, [](char32_t character) { return !isNonspacingMark(character); });
    }
    return options.lowercase ? lowerCase(out) : out;
}

NormalizerResult makeBertNormalizer(const JsonField& json) {
    BertOptions options;
    ET_ASSIGN(options.cleanText, json.booleanOr("clean_text", true));
    ET_ASSIGN(options.chineseCharacters, json.booleanOr("handle_chinese_chars", true));
    ET_ASSIGN(options.lowercase, json.booleanOr("lowercase", true));
    ET_ASSIGN(options.stripAccents, json.booleanOr("strip_accents", options.lowercase));
    return simple([options](std::string_view text) { return normalizedForBert(text, options); });
}

std::string strippedText(std::string_view text, bool left, bool right) {
    std::size_t begin = text.size();
    std::size_t end = 0;
    std::size_t at = 0;
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        if (!isWhiteSpace(character)) {
            begin = std::min(begin, at);
            end = at + bytes.size();
        }
        at += bytes.size();
    });
    begin = left ? begin : 0;
    end = right ? end : text.size();
    return begin < end ? std::string(text.substr(begin, end - begin)) : std::string();
}

NormalizerResult makeStrip(const JsonField& json) {
    ET_ASSIGN(const bool left, json.booleanOr("strip_left", true));
    ET_ASSIGN(const bool right, json.booleanOr("strip_right", true));
    return simple(
        [=](std::string_view text) -> Result<std::string> { return strippedText(text, left, right); });
}

NormalizerResult makePrepend(const JsonField& json) {
    ET_ASSIGN(const JsonField field, json.member("prepend"));
    ET_ASSIGN(const auto prefix, field.text());
    return simple([prefix = std::string(prefix)](std::string_view text) -> Result<std::string> {
        return text.empty() ? std::string() : std::string(prefix).append(text);
    });
}

NormalizerResult makeReplaceNormalizer(const JsonField& json) {
    ET_ASSIGN(const JsonField patternField, json.member("pattern"));
    ET_ASSIGN(const JsonField contentField, json.member("content"));
    ET_ASSIGN(const auto content, contentField.text());
    if (const auto literal = patternField.find("String")) {
        ET_ASSIGN(const auto from, literal->text());
        return simple([from = std::string(from),
                       to = std::string(content)](std::string_view text) -> Result<std::string> {
            return replacedText(text, from, to);
        });
    }
    ET_ASSIGN(Regex pattern, readPattern(patternField));
    return simple([pattern = std::make_shared<Regex>(std::move(pattern)), to = std::string(content)](
                      std::string_view text) { return replaced(text, *pattern, to); });
}

/// Removes SentencePiece's control characters and replaces its blanks by spaces.
std::string nmtNormalized(std::string_view text) {
    const auto dropped = [](char32_t c) {
        return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F ||
               c == 0x9F;
    };
    const auto blank = [](char32_t c) {
        return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
               (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF ||
               c == 0xFFFD;
    };
    std::string out;
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        if (!dropped(character)) {
            out += blank(character) ? std::string_view(" ") : bytes;
        }
    });
    return out;
}

/// Hugging Face looks up clusters shorter than this as a whole, longer ones by character.
constexpr std::size_t longestCluster = 6;

Result<std::string> mapped(std::string_view text, const CharsMap& map) {
    std::string out;
    while (!text.empty()) {
        const std::string_view cluster = text.substr(0, graphemeLength(text));
        text.remove_prefix(cluster.size());
        const auto whole = cluster.size() < longestCluster ? map.shortest(cluster) : std::nullopt;
        const std::size_t before = out.size();
        if (whole) {
            out += *whole;
        } else {
            eachCharacter(cluster, [&](char32_t /*unused*/, std::string_view bytes) {
                out += map.shortest(bytes).value_or(bytes);
            });
        }
        ET_TRY(CallBudget::take(out.size() - before));
    }
    return out;
}

NormalizerResult makePrecompiled(const JsonField& json) {
    const auto field = json.find("precompiled_charsmap");
    if (!field) {
        return simple([](std::string_view text) -> Result<std::string> { return std::string(text); });
    }
    ET_ASSIGN(const auto encoded, field->text());
    const auto blob = base64Decoded(encoded);
    if (!blob) {
        return field->expected("base64");
    }
    auto map = CharsMap::open(*blob);
    if (!map) {
        return fail(ErrorCode::Format, std::move(map).error().message, {.field = field->path()});
    }
    return simple([map = std::make_shared<CharsMap>(std::move(*map))](std::string_view text) {
        return mapped(text, *map);
    });
}

template <NormalForm form>
NormalizerResult makeForm(const JsonField& /*json*/) {
    return simple([](std::string_view text) { return normalized(text, form); });
}

NormalizerResult makeLowercase(const JsonField& /*json*/) {
    return simple([](std::string_view text) -> Result<std::string> { return lowerCase(text); });
}

NormalizerResult makeStripAccents(const JsonField& /*json*/) {
    return simple([](std::string_view text) -> Result<std::string> {
        return filtered(text, [](char32_t character) { return !isMark(character); });
    });
}

NormalizerResult makeNmt(const JsonField& /*json*/) {
    return simple([](std::string_view text) -> Result<std::string> { return nmtNormalized(text); });
}

NormalizerResult makeByteNormalizer(const JsonField& /*json*/) {
    return simple([](std::string_view text) -> Result<std::string> {
        std::string out;
        appendByteCharacters(text, out);
        return out;
    });
}

using NormalizerMaker = StepMaker<Normalizer>;
constexpr std::array normalizerMakers{
    NormalizerMaker{"NFC", makeForm<NormalForm::Nfc>},
    NormalizerMaker{"NFD", makeForm<NormalForm::Nfd>},
    NormalizerMaker{"NFKC", makeForm<NormalForm::Nfkc>},
    NormalizerMaker{"NFKD", makeForm<NormalForm::Nfkd>},
    NormalizerMaker{"Lowercase", makeLowercase},
    NormalizerMaker{"StripAccents", makeStripAccents},
    NormalizerMaker{"Strip", makeStrip},
    NormalizerMaker{"Prepend", makePrepend},
    NormalizerMaker{"Replace", makeReplaceNormalizer},
    NormalizerMaker{"BertNormalizer", makeBertNormalizer},
    NormalizerMaker{"Nmt", makeNmt},
    NormalizerMaker{"ByteLevel", makeByteNormalizer},
    NormalizerMaker{"Precompiled", makePrecompiled},
};

}  // namespace

NormalizerResult makeNormalizer(const JsonField& json) {
    return makeStep<Normalizer>(json, "normalizers", normalizerMakers);
}

}  // namespace et::inspector::tokenizers::detail

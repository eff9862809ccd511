#include "inspector/tokenizers/detail/base64.h"
#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/rank_tokenizer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;

/// A rank file contains neither pattern nor special tokens: these are Llama 3's, as in ExecuTorch's runner
/// (whose own class omits the look-ahead, for a library that lacks it; the model was trained with it).
constexpr std::string_view llama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::size_t llama3Specials = 256;
constexpr std::array<std::string_view, 11> llama3Named{"<|begin_of_text|>",
                                                       "<|end_of_text|>",
                                                       "<|reserved_special_token_0|>",
                                                       "<|reserved_special_token_1|>",
                                                       "<|finetune_right_pad_id|>",
                                                       "<|step_id|>",
                                                       "<|start_header_id|>",
                                                       "<|end_header_id|>",
                                                       "<|eom_id|>",
                                                       "<|eot_id|>",
                                                       "<|python_tag|>"};
constexpr TokenId bosOffset = 0;
constexpr TokenId eosOffset = 1;
constexpr std::size_t firstReserved = 2;

struct RankLine {
    std::string bytes;
    std::uint32_t rank = 0;
};

/// Parses a line; nothing if it is malformed.
std::optional<RankLine> readRankLine(std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0) {
        return std::nullopt;
    }
    auto bytes = base64Decoded(line.substr(0, space));
    const std::string_view digits = line.substr(space + 1);
    RankLine result;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.rank);
    if (!bytes || bytes->empty() || error != std::errc() || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    result.bytes = std::move(*bytes);
    return result;
}

std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

void addLlama3Specials(RankVocabulary& vocabulary) {
    const std::size_t base = vocabulary.pieces.size();
    for (std::size_t i = 0; i < llama3Specials; ++i) {
        vocabulary.pieces.push_back(
            i < llama3Named.size()
                ? std::string(llama3Named[i])
                : fmt::format("<|reserved_special_token_{}|>", i - llama3Named.size() + firstReserved));
    }
    vocabulary.special.assign(base, false);
    vocabulary.special.resize(vocabulary.pieces.size(), true);
    vocabulary.bos = static_cast<TokenId>(base) + bosOffset;
    vocabulary.eos = static_cast<TokenId>(base) + eosOffset;
}

}  // namespace

bool looksLikeTiktoken(std::string_view bytes) {
    return readRankLine(takeLine(bytes)).has_value();
}

OpenedTokenizer openTiktoken(std::string_view bytes) {
    RankVocabulary vocabulary{.format = "tiktoken",
                              .pieces = {},
                              .special = {},
                              .pattern = std::string(llama3Pattern),
                              .bos = {},
                              .eos = {}};
    const std::size_t whole = bytes.size();
    for (std::size_t number = 1; !bytes.empty(); ++number) {
        const std::size_t offset = whole - bytes.size();
        const std::string_view line = takeLine(bytes);
        if (line.empty()) {
            continue;
        }
        const std::string field = fmt::format("line {}", number);
        std::optional<RankLine> read = readRankLine(line);
        if (!read) {
            return fail(ErrorCode::Format, "expected base64, a space and a rank",
                        {.field = field, .offset = offset});
        }
        if (read->rank >= std::min(maxTokens, whole)) {  // a file has at least one byte per token
            return fail(ErrorCode::Limit, fmt::format("rank {} is too high", read->rank),
                        {.field = field, .offset = offset});
        }
        if (read->rank >= vocabulary.pieces.size()) {
            vocabulary.pieces.resize(std::size_t{read->rank} + 1);
        }
        if (!vocabulary.pieces[read->rank].empty()) {
            return fail(ErrorCode::Format, fmt::format("duplicate rank {}", read->rank),
                        {.field = field, .offset = offset});
        }
        vocabulary.pieces[read->rank] = std::move(read->bytes);
    }
    addLlama3Specials(vocabulary);
    return makeRankTokenizer(std::move(vocabulary));
}

}  // namespace et::inspector::tokenizers::detail

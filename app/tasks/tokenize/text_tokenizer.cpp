#include "app/tasks/tokenize/text_tokenizer.h"

#include "inspector/tokenizers/chat_template.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::SpecialTokens;
using inspector::TokenId;

std::unexpected<core::Error> missing(const inspector::Tokenizer& tokenizer, std::string_view what) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("this {} tokenizer has no {}", tokenizer.format(), what));
}

Result<std::vector<TokenId>> idsOfLine(simdjson::dom::element list) {
    simdjson::dom::array array;
    if (list.get(array) != simdjson::SUCCESS) {
        return fail(ErrorCode::InvalidArgument, "expected a list of ids in \"ids\"");
    }
    std::vector<TokenId> ids;
    for (const auto element : array) {
        std::uint64_t id = 0;
        if (element.get(id) != simdjson::SUCCESS || id > UINT32_MAX) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected a token id, got {}", simdjson::to_string(element)));
        }
        ids.push_back(static_cast<TokenId>(id));
    }
    return ids;
}

Result<LineAnswer> answerLine(const TextTokenizer& tokenizer, simdjson::dom::parser& parser,
                              const std::string& line) {
    simdjson::dom::element row;
    constexpr const char* expected = R"(expected a JSON object with "text" or with "ids")";
    if (parser.parse(line).get(row) != simdjson::SUCCESS) {
        return fail(ErrorCode::InvalidArgument, expected);
    }
    simdjson::dom::element text;
    simdjson::dom::element ids;
    const bool hasText = row["text"].get(text) == simdjson::SUCCESS;
    const bool hasIds = row["ids"].get(ids) == simdjson::SUCCESS;
    LineAnswer answer;
    if (!hasText && !hasIds) {
        return fail(ErrorCode::InvalidArgument, expected);
    }
    if (!hasText) {
        ET_ASSIGN(const std::vector<TokenId> given, idsOfLine(ids));
        ET_ASSIGN(answer.text, tokenizer.decode(given));
        return answer;
    }
    std::string_view given;
    if (text.get(given) != simdjson::SUCCESS) {
        return fail(ErrorCode::InvalidArgument, "expected a string in \"text\"");
    }
    ET_ASSIGN(answer.ids, tokenizer.encode(given));
    return answer;
}

}  // namespace

Result<TextTokenizer> TextTokenizer::open(const TokenizeSettings& settings) {
    TextTokenizer result;
    ET_ASSIGN(result.owner, inspector::openTokenizer(settings.tokenizer.string()));
    const inspector::Tokenizer& tokenizer = *result.owner;
    if (settings.special == SpecialTokens::Recognised && !tokenizer.readsSpecialTokens()) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{} tokenizers read special tokens in a text as plain text", tokenizer.format()));
    }
    result.special = settings.special.value_or(SpecialTokens::Recognised);
    result.skipSpecial = settings.skipSpecial;
    for (const std::string& each : tokenizer.unapplied()) {
        result.oddities.push_back(
            fmt::format("{} of the file is not applied; ExecuTorch's runner does not apply it either", each));
    }
    if (settings.bos > 0) {
        if (!tokenizer.bos()) {
            return missing(tokenizer, "BOS");
        }
        result.before.assign(settings.bos, *tokenizer.bos());
    }
    if (settings.eos > 0) {
        if (tokenizer.eos().empty()) {
            return missing(tokenizer, "EOS");
        }
        result.after.assign(settings.eos, tokenizer.eos().front());
        result.checkTurnEnd(settings.tokenizer);
    }
    if (settings.ownTemplate) {
        auto [before, after] = tokenizer.ownTemplate();
        if (before.empty() && after.empty()) {
            return missing(tokenizer, "template");
        }
        result.before = std::move(before);
        result.after = std::move(after);
    }
    return result;
}

void TextTokenizer::checkTurnEnd(const std::filesystem::path& path) {
    const auto chat = inspector::ChatTemplate::beside(path);
    const auto end = chat ? inspector::turnEnd(*chat, *owner) : std::nullopt;
    if (end && !std::ranges::contains(owner->eos(), *end)) {
        oddities.push_back(fmt::format(
            "the chat template ends a turn with {} (token {}), not with the EOS token {} (token {})",
            core::printable(owner->piece(*end)), *end, core::printable(owner->piece(after.front())),
            after.front()));
    }
}

Result<std::vector<TokenId>> TextTokenizer::encode(std::string_view text) const {
    ET_ASSIGN(std::vector<TokenId> ids, owner->encode(text, special));
    ids.insert(ids.begin(), before.begin(), before.end());
    ids.insert(ids.end(), after.begin(), after.end());
    return ids;
}

Result<std::string> TextTokenizer::decode(std::span<const TokenId> ids) const {
    if (!skipSpecial) {
        return owner->decode(ids);
    }
    std::vector<TokenId> kept;
    std::ranges::copy_if(ids, std::back_inserter(kept), [&](TokenId id) { return !owner->isSpecial(id); });
    return owner->decode(kept);
}

Result<std::vector<TokenId>> parseIds(std::string_view text) {
    constexpr std::string_view separators = " \t\r\n,";
    const auto trim = [&](std::string_view all) {
        const std::size_t begin = std::min(all.find_first_not_of(separators), all.size());
        return all.substr(begin, all.find_last_not_of(separators) + 1 - begin);
    };
    text = trim(text);
    if (text.starts_with('[') && text.ends_with(']') && text.size() > 1) {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<TokenId> ids;
    for (text = trim(text); !text.empty();) {
        const std::string_view word = text.substr(0, text.find_first_of(separators));
        TokenId id = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
        if (error != std::errc() || end != word.data() + word.size()) {
            return fail(ErrorCode::InvalidArgument, fmt::format("expected token ids, got \"{}\"", word));
        }
        ids.push_back(id);
        text.remove_prefix(word.size());
        text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    }
    return ids;
}

Result<> answerLines(const TextTokenizer& tokenizer, std::istream& lines, const std::string& name,
                     const std::function<Result<>(const LineAnswer&)>& take) {
    simdjson::dom::parser parser;
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        auto answer = answerLine(tokenizer, parser, line);
        if (!answer) {
            core::Error error = std::move(answer).error();
            error.where.file = name;
            error.where.field = error.where.field.empty()
                                    ? fmt::format("line {}", number)
                                    : fmt::format("line {}: {}", number, error.where.field);
            return std::unexpected(std::move(error));
        }
        ET_TRY(take(*answer));
    }
    if (lines.bad()) {
        return fail(ErrorCode::Io, "cannot be read", {.file = name});
    }
    return {};
}

}  // namespace et::tasks

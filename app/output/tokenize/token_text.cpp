#include "app/output/tokenize/token_text.h"

#include "runtime/core/json_writer.h"

#include <fmt/format.h>

#include <iterator>

namespace et::output {
namespace {

using inspector::TokenId;
using inspector::Tokenizer;

void writeIds(core::JsonWriter& out, std::span<const TokenId> ids) {
    out.beginArray();
    for (const TokenId id : ids) {
        out.integer(std::uint64_t{id});
    }
    out.endArray();
}

/// Writes "ids", or the requested detail, as members of the open object.
void writeTokens(core::JsonWriter& out, const Tokenizer& tokenizer, std::span<const TokenId> ids,
                 TokenDetail detail) {
    if (detail == TokenDetail::Count) {
        out.member("count", [&] { out.integer(std::uint64_t{ids.size()}); });
        return;
    }
    out.member("ids", [&] { writeIds(out, ids); });
    if (detail == TokenDetail::Pieces) {
        out.member("pieces", [&] {
            out.beginArray();
            for (const TokenId id : ids) {
                out.string(tokenizer.piece(id));
            }
            out.endArray();
        });
    }
}

void beginAnswer(core::JsonWriter& out, const Tokenizer& tokenizer) {
    out.beginObject();
    out.member("schema", [&] { out.integer(std::uint64_t{1}); });
    out.member("tokenizer", [&] { out.string(tokenizer.format()); });
}

}  // namespace

std::string idsText(const Tokenizer& tokenizer, std::span<const TokenId> ids, TokenDetail detail) {
    if (detail == TokenDetail::Count) {
        return fmt::format("{}\n", ids.size());
    }
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (detail == TokenDetail::Pieces) {
            fmt::format_to(std::back_inserter(text), "{}\t{}\n", ids[i],
                           core::printable(tokenizer.piece(ids[i])));
        } else {
            fmt::format_to(std::back_inserter(text), "{}{}", i > 0 ? " " : "", ids[i]);
        }
    }
    return detail == TokenDetail::Pieces ? text : text + "\n";
}

std::string idsJson(const Tokenizer& tokenizer, std::span<const TokenId> ids, TokenDetail detail) {
    core::JsonWriter out;
    beginAnswer(out, tokenizer);
    if (detail != TokenDetail::Count) {
        out.member("count", [&] { out.integer(std::uint64_t{ids.size()}); });
    }
    writeTokens(out, tokenizer, ids, detail);
    out.endObject();
    return out.take() + "\n";
}

std::string decodedJson(const Tokenizer& tokenizer, std::span<const TokenId> ids, std::string_view text) {
    core::JsonWriter out;
    beginAnswer(out, tokenizer);
    out.member("ids", [&] { writeIds(out, ids); });
    out.member("text", [&] { out.string(text); });
    out.endObject();
    return out.take() + "\n";
}

std::string lineJson(const Tokenizer& tokenizer, const tasks::LineAnswer& answer, TokenDetail detail) {
    core::JsonWriter out;
    out.beginObject();
    if (answer.ids) {
        writeTokens(out, tokenizer, *answer.ids, detail);
    }
    if (answer.text) {
        out.member("text", [&] { out.string(*answer.text); });
    }
    out.endObject();
    return out.take() + "\n";
}

}  // namespace et::output

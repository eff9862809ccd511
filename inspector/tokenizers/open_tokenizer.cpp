#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/wrapped_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
namespace fs = std::filesystem;

/// Detects formats other than "tekken.json" in the order of ExecuTorch's runner. The format is determined
/// from the beginning of the file; errors come from its reader.
tokenizers::detail::OpenedTokenizer openByContent(std::string_view bytes, const std::string& name,
                                                  std::string_view config) {
    if (bytes.size() > tokenizers::detail::maxFileBytes) {
        return fail(ErrorCode::Limit, fmt::format("{} bytes exceed the maximum tokenizer size of {}",
                                                  bytes.size(), tokenizers::detail::maxFileBytes));
    }
    if (name.ends_with("tekken.json")) {
        return tokenizers::detail::openTekken(bytes);
    }
    if (tokenizers::detail::looksLikeJson(bytes)) {
        return tokenizers::detail::openHuggingFace(bytes, config);
    }
    if (tokenizers::detail::looksLikeTiktoken(bytes)) {
        return tokenizers::detail::openTiktoken(bytes);
    }
    if (tokenizers::detail::looksLikeSentencePiece(bytes)) {
        return tokenizers::detail::openSentencePiece(bytes);
    }
    if (tokenizers::detail::looksLikeLlama2c(bytes)) {
        return tokenizers::detail::openLlama2c(bytes);
    }
    constexpr std::string_view expected = "Hugging Face JSON, tiktoken ranks, SentencePiece or llama2.c";
    const std::string other =
        core::wrongKindText(std::as_bytes(std::span(bytes)), fmt::format("a tokenizer: {}", expected));
    return fail(ErrorCode::Format,
                other.empty() ? fmt::format("not a tokenizer: expected {}", expected) : other);
}

/// Adds the file's name to errors of opening and of later encoding.
tokenizers::detail::OpenedTokenizer named(tokenizers::detail::OpenedTokenizer opened,
                                          const std::string& name) {
    if (!opened) {
        return std::unexpected(std::move(opened).error().in(name));
    }
    (*opened)->setFile(name);
    return opened;
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> openTokenizerBytes(std::string_view bytes, const std::string& name) {
    return named(openByContent(bytes, name, {}), name);
}

Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path) {
    std::error_code ignored;
    const fs::path file =
        fs::is_directory(path, ignored) ? fs::path(path) / "tokenizer.json" : fs::path(path);
    ET_ASSIGN(const auto bytes, core::openUnwrapped(file));
    std::shared_ptr<const core::MappedFile> config;
    const fs::path beside = file.parent_path() / "tokenizer_config.json";
    if (file.extension() == ".json" && fs::is_regular_file(beside, ignored)) {
        ET_ASSIGN(config, core::MappedFile::open(beside));
    }
    return named(openByContent(core::textOf(bytes->bytes()), file.string(),
                               config ? core::textOf(config->bytes()) : ""),
                 file.string());
}

}  // namespace et::inspector

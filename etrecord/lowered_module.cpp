#include "etrecord/lowered_module.h"

#include "runtime/archive/json.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace et::etrecord {
namespace {

using archive::JsonDocument;
using archive::JsonValue;
using core::Result;

constexpr std::uint8_t noDigit = 64;

/// Value of each base64 character (RFC 4648).
constexpr auto digits = [] {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<std::uint8_t, 256> values{};
    values.fill(noDigit);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}();

/// Returns nothing if the text is not base64.
std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
    while (text.ends_with('=')) {
        text.remove_suffix(1);
    }
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned filled = 0;
    for (const char letter : text) {
        const std::uint8_t digit = digits[static_cast<unsigned char>(letter)];
        if (digit == noDigit) {
            return std::nullopt;
        }
        bits = bits << 6U | digit;
        filled += 6;
        if (filled >= 8) {
            filled -= 8;
            bytes.push_back(static_cast<std::byte>(bits >> filled & 0xFFU));
        }
    }
    return bytes;
}

/// A base64-encoded torch archive; empty if the module has none.
Result<TorchArchive> archiveOf(const JsonValue& module, std::string_view member, std::string_view name) {
    const auto found = module.find(member);
    if (!found) {
        return TorchArchive();
    }
    ET_ASSIGN(const std::string_view text, found->string());
    auto bytes = fromBase64(text);
    if (!bytes) {
        return found->unexpected("a torch archive in base64");
    }
    if (bytes->empty()) {
        return TorchArchive();
    }
    const std::string label = fmt::format("{}.{}", name, member);
    ET_ASSIGN(archive::ZipArchive zip,
              archive::ZipArchive::open(core::MappedFile::fromMemory(*std::move(bytes), label), label));
    return TorchArchive::open(std::move(zip));
}

}  // namespace

Result<LoweredModule> parseLoweredModule(std::string_view json, std::string_view name) {
    ET_ASSIGN(const JsonDocument document, JsonDocument::parse(std::as_bytes(std::span(json)), name));
    const JsonValue root = document.root();
    ET_ASSIGN(const JsonValue backend, root.member("backend_id"));
    ET_ASSIGN(const std::string_view id, backend.string());
    const auto original = root.find("original_module");
    if (!original) {
        return core::fail(
            core::ErrorCode::NotFound,
            "the record was made after lowering: it has a delegate's payload but not its operators",
            {.field = std::string(name)});
    }
    LoweredModule module;
    module.backend = id;
    const std::string text = original->text();
    ET_ASSIGN(module.original,
              parseExportedGraph(std::as_bytes(std::span(text)), fmt::format("{}.original_module", name)));
    ET_ASSIGN(module.state, archiveOf(root, "original_state_dict", name));
    ET_ASSIGN(module.constants, archiveOf(root, "original_constants", name));
    return module;
}

}  // namespace et::etrecord

#include "etdump/detail/layout.h"

#include "etdump/schema/etdump_generated.h"
#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <string_view>

namespace et::etdump::detail {
namespace {

constexpr std::size_t identifierSize = flatbuffers::kFileIdentifierLength;
constexpr std::size_t prefixSize = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t plainIdentifierAt = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t prefixedIdentifierAt = prefixSize + plainIdentifierAt;

/// The four characters at `offset`, or fewer at the end of the file.
std::string_view textAt(core::Bytes file, std::size_t offset) {
    if (offset >= file.size()) {
        return {};
    }
    const core::Bytes rest = file.subspan(offset);
    return {reinterpret_cast<const char*>(rest.data()), std::min(rest.size(), identifierSize)};
}

/// The flatbuffer after a size prefix, which must not exceed the file.
core::Result<Layout> locatePrefixed(core::Bytes file) {
    constexpr std::string_view field = "size prefix";
    core::ByteReader reader(file);
    ET_ASSIGN(const auto size, reader.read<std::uint32_t>(field));
    if (size > reader.remaining()) {
        return core::fail(
            core::ErrorCode::Format,
            fmt::format("expected at most the {} bytes that follow, got {}: the file is truncated",
                        reader.remaining(), size),
            {.file = {}, .field = std::string(field), .offset = 0});
    }
    return Layout{.bytes = file.first(prefixSize + size), .rootField = prefixSize};
}

}  // namespace

core::Result<Layout> locate(core::Bytes file) {
    if (file.empty()) {
        return core::fail(core::ErrorCode::Format, "expected an ETDump, got an empty file");
    }
    if (file.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
        return core::fail(core::ErrorCode::Limit, fmt::format("expected less than {} bytes, got {}",
                                                              FLATBUFFERS_MAX_BUFFER_SIZE, file.size()));
    }
    // Check the plain layout first: in it, the bytes that the other layout would read as a root offset are
    // the identifier.
    const std::string_view identifier = fb::ETDumpIdentifier();
    if (textAt(file, plainIdentifierAt) == identifier) {
        return Layout{.bytes = file, .rootField = 0};
    }
    if (textAt(file, prefixedIdentifierAt) == identifier) {
        return locatePrefixed(file);
    }
    return core::fail(
        core::ErrorCode::Format,
        fmt::format("expected \"{}\" here (or at offset {} of a plain flatbuffer), got \"{}\" (and \"{}\")",
                    identifier, plainIdentifierAt, textAt(file, prefixedIdentifierAt),
                    textAt(file, plainIdentifierAt)),
        {.file = {}, .field = "identifier", .offset = prefixedIdentifierAt});
}

}  // namespace et::etdump::detail

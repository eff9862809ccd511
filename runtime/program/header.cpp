#include "runtime/program/header.h"

#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>

namespace et::program {
namespace {

using core::ByteReader;
using core::Bytes;
using core::ErrorCode;
using core::Result;

constexpr std::size_t headerAt = 8;
constexpr std::size_t magicSize = 4;
constexpr std::string_view programMagic = "eh00";
constexpr std::string_view tensorDataMagic = "FH01";

/// Length in bytes of the first version of the program header, without the segment data size.
constexpr std::uint32_t shortProgramHeader = 24;
constexpr std::uint32_t fullProgramHeader = 32;
constexpr std::uint32_t tensorDataHeader = 40;

bool hasMagic(Bytes bytes, std::string_view magic) {
    if (bytes.size() < headerAt + magicSize) {
        return false;
    }
    return std::string_view(reinterpret_cast<const char*>(bytes.data()) + headerAt, magicSize) == magic;
}

/// A range of bytes given in the header, by the field at `offset`.
struct HeaderRange {
    std::uint64_t start = 0;
    std::uint64_t size = 0;
    std::string_view field;
    std::uint64_t offset = 0;

    [[nodiscard]] std::uint64_t end() const { return start + size; }
};

/// Checks that the ranges end within the file.
Result<> checkEnds(std::initializer_list<HeaderRange> ranges, std::uint64_t fileSize) {
    const auto isWithin = [&](const HeaderRange& range) {
        return range.start <= fileSize && range.size <= fileSize - range.start;
    };
    const auto* const wrong = std::ranges::find_if_not(ranges, isWithin);
    if (wrong == ranges.end()) {
        return {};
    }
    // A damaged header has other sizes than a truncated file.
    constexpr std::uint64_t maxFile = std::uint64_t{1} << 40;
    const bool isCut = std::ranges::all_of(
        ranges, [](const HeaderRange& range) { return range.start <= maxFile && range.size <= maxFile; });
    const std::string cut =
        isCut ? fmt::format(": the file is cut short: {} bytes expected, {} there",
                            std::ranges::max(ranges | std::views::transform(&HeaderRange::end)), fileSize)
              : "";
    return core::fail(ErrorCode::Format,
                      fmt::format("expected at most the {} bytes of the file, got {} bytes at {}{}", fileSize,
                                  wrong->size, wrong->start, cut),
                      {.file = {}, .field = std::string(wrong->field), .offset = wrong->offset});
}

/// Reads and checks the length, which is counted from the magic.
Result<std::uint32_t> readLength(ByteReader& reader, std::uint32_t min, std::uint64_t base) {
    constexpr std::string_view field = "header.length";
    const std::uint64_t offset = base + reader.position();
    ET_ASSIGN(const auto length, reader.read<std::uint32_t>(field));
    if (length < min || length - magicSize - sizeof length > reader.remaining()) {
        return core::fail(ErrorCode::Format,
                          fmt::format("expected {} to {} bytes, got {}", min,
                                      reader.remaining() + magicSize + sizeof length, length),
                          {.file = {}, .field = std::string(field), .offset = offset});
    }
    return length;
}

}  // namespace

Result<std::optional<ExtendedHeader>> readProgramHeader(Bytes bytes, std::uint64_t base) {
    if (!hasMagic(bytes, programMagic)) {
        return std::nullopt;
    }
    ByteReader reader(bytes, base);
    ET_TRY(reader.seek(headerAt + magicSize, "header.length"));
    ExtendedHeader header;
    ET_ASSIGN(header.length, readLength(reader, shortProgramHeader, base));
    const std::uint64_t sizeAt = base + reader.position();
    ET_ASSIGN(header.programSize, reader.read<std::uint64_t>("header.program_size"));
    const std::uint64_t baseAt = base + reader.position();
    ET_ASSIGN(header.segmentBase, reader.read<std::uint64_t>("header.segment_base_offset"));
    if (header.length >= fullProgramHeader) {
        ET_ASSIGN(header.segmentDataSize, reader.read<std::uint64_t>("header.segment_data_size"));
    }
    ET_TRY(checkEnds({{.size = header.programSize, .field = "header.program_size", .offset = sizeAt},
                      {.start = header.segmentBase,
                       .size = header.segmentDataSize,
                       .field = "header.segment_base_offset",
                       .offset = baseAt}},
                     bytes.size()));
    return header;
}

Result<TensorDataHeader> readTensorDataHeader(Bytes bytes) {
    if (!hasMagic(bytes, tensorDataMagic)) {
        return core::fail(ErrorCode::Format, fmt::format("expected \"{}\"", tensorDataMagic),
                          {.file = {}, .field = "header.magic", .offset = headerAt});
    }
    ByteReader reader(bytes);
    ET_TRY(reader.seek(headerAt + magicSize, "header.length"));
    TensorDataHeader header;
    ET_ASSIGN(header.length, readLength(reader, tensorDataHeader, 0));
    ET_ASSIGN(header.flatbufferOffset, reader.read<std::uint64_t>("header.flatbuffer_offset"));
    const std::uint64_t sizeAt = reader.position();
    ET_ASSIGN(header.flatbufferSize, reader.read<std::uint64_t>("header.flatbuffer_size"));
    const std::uint64_t baseAt = reader.position();
    ET_ASSIGN(header.segmentBase, reader.read<std::uint64_t>("header.segment_base_offset"));
    ET_ASSIGN(header.segmentDataSize, reader.read<std::uint64_t>("header.segment_data_size"));
    ET_TRY(checkEnds({{.size = header.flatbufferSize, .field = "header.flatbuffer_size", .offset = sizeAt},
                      {.start = header.segmentBase,
                       .size = header.segmentDataSize,
                       .field = "header.segment_base_offset",
                       .offset = baseAt}},
                     bytes.size()));
    return header;
}

}  // namespace et::program

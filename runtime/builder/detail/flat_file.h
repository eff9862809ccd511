#pragma once

#include "runtime/core/mapped_file.h"

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

// What program and tensor data files have in common: a flatbuffer with a header put in, and segments behind
// it.
namespace et::builder::detail {

[[nodiscard]] constexpr std::uint64_t alignedUp(std::uint64_t offset, std::uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/// Segments start at multiples of it, as exporters have them: a cache line pair.
inline constexpr std::uint64_t segmentAlignment = 128;

/// The segments of a file in their order. Borrows the bytes.
class SegmentList {
  public:
    struct Place {
        std::uint64_t offset = 0;  ///< from the segment base
        std::uint64_t size = 0;
    };

    /// Position of a new segment.
    std::uint32_t add(core::Bytes bytes);
    /// Position of the segment with these bytes, a new one where there is none that addShared() made.
    std::uint32_t addShared(core::Bytes bytes);

    [[nodiscard]] const std::vector<Place>& places() const { return all; }
    [[nodiscard]] std::uint64_t bytes() const { return size; }  ///< with padding between them
    void appendTo(std::vector<std::byte>& file) const;

  private:
    std::unordered_map<std::string_view, std::uint32_t> shared;
    std::vector<Place> all;
    std::vector<core::Bytes> contents;
    std::uint64_t size = 0;
};

/// The finished flatbuffer of a builder.
[[nodiscard]] core::Bytes finished(const flatbuffers::FlatBufferBuilder& builder);

/// `values` as a vector of tables; `write` makes the table of one.
template <class Table, class Values, class Write>
[[nodiscard]] auto createTables(flatbuffers::FlatBufferBuilder& builder, const Values& values, Write write) {
    std::vector<flatbuffers::Offset<Table>> tables;
    tables.reserve(values.size());
    for (const auto& value : values) {
        tables.push_back(write(value));
    }
    return builder.CreateVector(tables);
}

/// Bytes as a vector whose data start at a multiple of `alignment`.
[[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> createBlob(
    flatbuffers::FlatBufferBuilder& builder, core::Bytes bytes, std::size_t alignment = 1);

/// The header that stands at byte 8 of a file.
class Header {
  public:
    explicit Header(std::string_view magic);
    Header& add(std::uint32_t number);
    Header& add(std::uint64_t number);
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return content; }

  private:
    std::vector<std::byte> content;
};

/// A file of a flatbuffer with `header` put in behind its identifier, and the segments.
[[nodiscard]] std::vector<std::byte> assemble(core::Bytes flatbuffer, const Header& header,
                                              const SegmentList& segments);

/// Where the segments of such a file start.
[[nodiscard]] std::uint64_t segmentBase(std::uint64_t flatbufferSize, std::uint64_t headerSize);

}  // namespace et::builder::detail

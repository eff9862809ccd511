#pragma once

#include "runtime/builder/detail/data_pool.h"
#include "runtime/core/file_content.h"
#include "runtime/core/mapped_file.h"

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

// Common structure of program and tensor data files: a flatbuffer with an inserted header, followed by
// segments.
namespace et::builder::detail {

/// Alignment of segments, as in exporters: a cache line pair.
inline constexpr std::uint64_t segmentAlignment = 128;

/// The segments of a file in order. Borrows the bytes.
class SegmentList {
  public:
    struct Place {
        std::uint64_t offset = 0;  ///< relative to the segment base
        std::uint64_t size = 0;
    };

    /// Adds a segment and returns its index.
    std::uint32_t add(core::Bytes bytes);
    /// Adds a segment of all entries of a pool, at its offsets.
    std::uint32_t add(const DataPool& pool);
    /// Returns the index of the segment with these bytes that addShared() added, or adds a new one.
    std::uint32_t addShared(core::Bytes bytes);

    [[nodiscard]] const std::vector<Place>& places() const { return all; }
    [[nodiscard]] std::uint64_t bytes() const { return size; }  ///< including padding
    /// Appends the segments; the file borrows their bytes.
    void appendTo(core::FileContent& file) const;

  private:
    /// Bytes at an offset from the segment base.
    struct Piece {
        std::uint64_t offset = 0;
        core::Bytes bytes;
    };

    std::uint32_t addPlace(std::uint64_t bytes);

    std::unordered_map<std::string_view, std::uint32_t> shared;
    std::vector<Place> all;
    std::vector<Piece> contents;  ///< by offset
    std::uint64_t size = 0;
};

/// A file of only a flatbuffer.
[[nodiscard]] core::FileContent contentOf(flatbuffers::DetachedBuffer flatbuffer);

/// Creates a vector of tables from `values`; `write` creates the table of a value.
template <class Table, class Values, class Write>
[[nodiscard]] auto createTables(flatbuffers::FlatBufferBuilder& builder, const Values& values, Write write) {
    std::vector<flatbuffers::Offset<Table>> tables;
    tables.reserve(values.size());
    for (const auto& value : values) {
        tables.push_back(write(value));
    }
    return builder.CreateVector(tables);
}

/// Creates a vector of bytes whose data start at a multiple of `alignment`.
[[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> createBlob(
    flatbuffers::FlatBufferBuilder& builder, core::Bytes bytes, std::size_t alignment = 1);

/// The header at byte 8 of a file.
class Header {
  public:
    explicit Header(std::string_view magic);
    Header& add(std::uint32_t number);
    Header& add(std::uint64_t number);
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return content; }

  private:
    std::vector<std::byte> content;
};

/// Assembles a file: the flatbuffer with `header` inserted after its identifier, and the segments, whose
/// bytes are borrowed.
[[nodiscard]] core::FileContent assemble(flatbuffers::DetachedBuffer flatbuffer, const Header& header,
                                         const SegmentList& segments);

/// Offset of the first segment of such a file.
[[nodiscard]] std::uint64_t segmentBase(std::uint64_t flatbufferSize, std::uint64_t headerSize);

}  // namespace et::builder::detail

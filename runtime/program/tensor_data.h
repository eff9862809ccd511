#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/header.h"
#include "runtime/program/segment.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::program {

/// Layout of a blob of a tensor data file as a tensor.
struct TensorLayout {
    std::int8_t scalarType = 0;          ///< core::scalarType() code as read from the file; may be unknown
    std::vector<std::int64_t> sizes;     ///< in elements, nonnegative
    std::vector<std::uint8_t> dimOrder;  ///< a permutation: dimensions from outermost to innermost in memory
    std::optional<std::int64_t>
        byteSize;  ///< of the dense tensor, at most the blob; empty for an unknown dtype
};

/// A named blob. Several names may share one segment.
struct TensorDataEntry {
    std::string_view name;
    SegmentId segment;
    core::Bytes data;                    ///< the whole segment
    std::optional<TensorLayout> layout;  ///< empty for opaque bytes (a delegate's own format)
};

/// A tensor data file (.ptd): weights that a program names but does not contain. Verified; names and data
/// stay in the mapped file. Format: flatbuffer `FT01` with header `FH01`, see docs/reference/formats.md.
/// Immutable.
struct TensorData {
    std::shared_ptr<const core::MappedFile> file;
    std::uint32_t version = 0;
    TensorDataHeader header;
    std::vector<Segment> segments;  ///< use is NamedData or Unused
    std::vector<TensorDataEntry> entries;

    /// Errors: Io; Format (not tensor data, damaged); Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const TensorData>> open(
        const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const TensorData>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// The first entry of that name; null if there is none.
    [[nodiscard]] const TensorDataEntry* find(std::string_view name) const;
};

}  // namespace et::program

#pragma once

#include "runtime/core/flat_view.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/segment.h"

#include <cstdint>
#include <vector>

namespace et::program::schema {
struct Program;
struct SubsegmentOffsets;
}  // namespace et::program::schema

namespace et::program::detail {

/// Tensors of one segment: start offsets by data index. Entry 0 means "no data".
struct OffsetTable {
    core::Bytes segment;
    std::vector<std::uint64_t> offsets;  ///< each at most the segment's size
};

/// Tensor data by data index.
class TensorSource {
  public:
    /// Reads the program's tables and marks the segments it uses. Errors: Format (a segment or an offset out
    /// of range), Limit.
    [[nodiscard]] static core::Result<TensorSource> read(core::FlatView& view, const schema::Program& program,
                                                         std::vector<Segment>& segments);

    /// Constants stored in the flatbuffer itself, as in files before September 2024.
    [[nodiscard]] const std::vector<core::Bytes>& inlineConstants() const { return inlined; }

    /// Returns the bytes from the tensor's start to the end of its segment or buffer. Errors: Format (no such
    /// index).
    [[nodiscard]] core::Result<core::Bytes> constant(std::uint32_t index, const core::FlatView& view,
                                                     const core::FieldPath& path, const void* place) const;
    [[nodiscard]] core::Result<core::Bytes> mutableState(std::uint64_t table, std::uint32_t index,
                                                         const core::FlatView& view,
                                                         const core::FieldPath& path,
                                                         const void* place) const;

  private:
    OffsetTable constants;
    std::vector<OffsetTable> states;
    std::vector<core::Bytes> inlined;
};

}  // namespace et::program::detail

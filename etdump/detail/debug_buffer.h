#pragma once

#include "runtime/core/file_replacement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace et::etdump::detail {

/// The bytes of logged tensors, appended at offsets aligned to 64. Written to a file or kept in memory. One
/// thread appends; another may publish.
class DebugBuffer {
  public:
    explicit DebugBuffer(std::uint64_t limitBytes) : limit(limitBytes) {}
    /// Call before the first tensor.
    void keepIn(core::FileReplacement target) { file = std::move(target); }

    /// Returns the offset of the tensor's bytes; -1 if it has none or they exceed the limit, which is
    /// counted. Errors: Io (an earlier write failed; nothing more is written).
    [[nodiscard]] core::Result<std::int64_t> append(const core::Tensor& tensor);

    /// Makes all offsets so far valid for readers that open the file by name. Errors: Io; permanent once it
    /// occurs.
    [[nodiscard]] core::Result<> publish();

    /// Publishes and syncs to disk; must be the last call. Errors: Io.
    [[nodiscard]] core::Result<> finish();

    [[nodiscard]] std::uint64_t bytes() const { return end; }
    [[nodiscard]] std::uint64_t leftOut() const { return dropped; }
    /// All bytes, if there is no file.
    [[nodiscard]] core::Bytes content() const { return waiting; }

  private:
    [[nodiscard]] core::Result<> flush();

    std::uint64_t limit;
    std::uint64_t end = 0;
    std::uint64_t dropped = 0;
    std::optional<core::Error> broken;  ///< the first error; nothing is written to the file after it
    std::optional<core::FileReplacement> file;
    std::vector<std::byte> waiting;  ///< not yet in the file
    std::mutex guard;                ///< protects everything except the limit
};

}  // namespace et::etdump::detail

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

/// The bytes of logged tensors, one behind the other from multiples of 64 on, as they come. They go to a
/// file, or stay in memory. One thread appends; another may publish.
class DebugBuffer {
  public:
    explicit DebugBuffer(std::uint64_t limitBytes) : limit(limitBytes) {}
    /// Before the first tensor.
    void keepIn(core::FileReplacement target) { file = std::move(target); }

    /// Offset of the tensor's bytes; -1 where it has none or they found no room, which is counted. Errors: Io
    /// (the file is not written to any more).
    [[nodiscard]] core::Result<std::int64_t> append(const core::Tensor& tensor);

    /// Makes all offsets so far true for what opens the file by its name. Errors: Io, from then on always.
    [[nodiscard]] core::Result<> publish();

    /// The same, once all of it is on the disk; the last call. Errors: Io.
    [[nodiscard]] core::Result<> finish();

    [[nodiscard]] std::uint64_t bytes() const { return end; }
    [[nodiscard]] std::uint64_t leftOut() const { return dropped; }
    /// Without a file: all there is.
    [[nodiscard]] core::Bytes content() const { return waiting; }

  private:
    [[nodiscard]] core::Result<> flush();

    std::uint64_t limit;
    std::uint64_t end = 0;
    std::uint64_t dropped = 0;
    std::optional<core::Error> broken;  ///< the first error; the file is not written to any more
    std::optional<core::FileReplacement> file;
    std::vector<std::byte> waiting;  ///< not in the file yet
    std::mutex guard;                ///< of all but the limit
};

}  // namespace et::etdump::detail

#pragma once

#include "backends/reference/reference_value.h"

#include <cstdint>
#include <memory>

namespace et::inspector {

/// Moves tensors to an unlinked temporary file, whose pages the system can drop: together, the values of a
/// run may be larger than the weights. Small tensors, the first few large ones, and those that the file
/// cannot take stay in memory. Not thread-safe.
class ValueStore {
  public:
    /// Opens the file in $TMPDIR, /var/tmp or /tmp. If none is possible, everything stays in memory.
    ValueStore();

    /// The tensor with its elements in the file, where nothing may write to them. They stay valid without the
    /// store.
    [[nodiscard]] backends::reference::ReferenceTensor keep(backends::reference::ReferenceTensor tensor);
    [[nodiscard]] backends::reference::ReferenceValue keep(backends::reference::ReferenceValue value);

    /// Releases the pages that were read; the next reads fault them in again.
    void release() const;

    /// Whether there is a file.
    [[nodiscard]] explicit operator bool() const { return file != nullptr; }
    /// Bytes moved to the file.
    [[nodiscard]] std::uint64_t storedBytes() const { return stored; }

  private:
    class File;

    std::shared_ptr<File> file;
    std::uint64_t inMemory = 0;  ///< bytes of large tensors
    std::uint64_t stored = 0;
};

}  // namespace et::inspector

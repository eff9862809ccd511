#pragma once

#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace et::inspector::join::detail {

/// Compares logged values of different runs bitwise; without a debug buffer, tensors are compared by dtype
/// and sizes only.
class DebugComparison {
  public:
    DebugComparison(const etdump::Trace& source, const core::MappedFile* debugBuffer);

    /// True if the two lists of debug events contain the same values in the same order.
    [[nodiscard]] bool same(std::span<const etdump::EventIndex> a, std::span<const etdump::EventIndex> b);

    /// Describes the problem with the debug buffer in one line; empty if it contains every value compared so
    /// far.
    [[nodiscard]] std::optional<std::string> complaint() const;

  private:
    [[nodiscard]] bool sameValue(const etdump::DebugValue& a, const etdump::DebugValue& b);
    [[nodiscard]] bool sameTensor(const etdump::DebugTensor& a, const etdump::DebugTensor& b);
    [[nodiscard]] std::optional<core::Bytes> bytesOf(const etdump::DebugTensor& tensor);

    const etdump::Trace& trace;
    const core::MappedFile* buffer;
    std::uint64_t budget = 0;       ///< remaining bytes that may be compared
    std::size_t outside = 0;        ///< tensors outside the buffer
    std::int64_t firstOutside = 0;  ///< offset of the first of them
};

}  // namespace et::inspector::join::detail

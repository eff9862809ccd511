#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Whether the library may read `bytes` and the few bytes beyond that its kernels load.
[[nodiscard]] bool isReadable(core::Bytes bytes);

/// Constants of a payload in memory that the library can read: in the program's own memory where possible.
class ConstantData {
  public:
    /// `payload` must outlive it, since scales in its tables are borrowed. Errors: NotFound (an unknown
    /// name), Format (fewer bytes than the value's shape needs, a scale that is not a positive number).
    [[nodiscard]] static core::Result<ConstantData> find(const Payload& payload,
                                                         const executor::NamedDataSource& named);

    /// Null for a value that is not a constant.
    [[nodiscard]] const void* data(ValueIndex value) const { return entry(value).data; }
    /// Per-channel scales of a value.
    [[nodiscard]] std::span<const float> channelScales(ValueIndex value) const {
        return entry(value).channelScales;
    }
    /// Blockwise scales of a value, as bfloat16.
    [[nodiscard]] std::span<const std::uint16_t> blockScales(ValueIndex value) const {
        return entry(value).blockScales;
    }

    /// Converts half-precision constants to fp32: values that are computed in fp32, and in addition to the
    /// fp16 data for nodes computed in fp32 (see node_path.h).
    void widen(const Payload& payload, bool widenHalf);

    /// An fp16 constant as fp32; null if no node needs it.
    [[nodiscard]] const void* wideData(ValueIndex value) const { return entry(value).wide.get(); }

  private:
    struct Entry {
        const void* data = nullptr;
        std::span<const float> channelScales;
        std::span<const std::uint16_t> blockScales;
        std::unique_ptr<std::byte[]> ownScales;  ///< copy of scales at an unaligned address in the file
        std::unique_ptr<std::byte[]> own;        ///< owned copy that `data` points to
        std::unique_ptr<std::byte[]> wide;       ///< as fp32, in addition to `data`
    };

    core::Result<> findValue(const Payload& payload, ValueIndex index,
                             const executor::NamedDataSource& named);
    [[nodiscard]] const Entry& entry(ValueIndex value) const { return entries[entryOf[value]]; }
    Entry& entry(ValueIndex value) { return entries[entryOf[value]]; }

    std::vector<Entry> entries;  ///< entries of constants; the first one is shared by all other values
    std::vector<std::uint32_t> entryOf;  ///< by ValueIndex
};

/// Converts `count` half-precision numbers to fp32. `type` is Fp16 or BFloat16.
void widenNumbers(Datatype type, const std::byte* from, float* to, std::size_t count);
/// Converts fp32 to half precision.
void narrowNumbers(Datatype type, const float* from, std::byte* to, std::size_t count);

}  // namespace et::backends::xnnpack

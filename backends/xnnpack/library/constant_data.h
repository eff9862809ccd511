#pragma once

#include "backends/xnnpack/nodes/shapes.h"
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

/// Whether the library may read `bytes` and the few bytes behind them that its kernels load with them.
[[nodiscard]] bool isReadable(core::Bytes bytes);

/// Whether values are of fp16.
[[nodiscard]] bool hasHalf(const Payload& payload);

/// As which datatype a value is computed: the library has no bfloat16, and fp16 not on every CPU; then they
/// are fp32.
[[nodiscard]] Datatype computedAs(Datatype type, bool widenHalf);

/// As which datatype a value lies in memory outside of the library: as it is computed, and a dynamically
/// quantized one as the fp32 numbers that its quantized ones stand for.
[[nodiscard]] Datatype storedAs(Datatype type, bool widenHalf);

/// Bytes of a value of these sizes that lies there.
[[nodiscard]] std::size_t storedBytes(const Payload& payload, ValueIndex value, const ValueSizes& sizes,
                                      bool widenHalf);

/// The constants of a payload where the library can read them: in the program's own memory where that is
/// possible.
class ConstantData {
  public:
    /// `payload` must outlive it: scales that its tables have are read there. Errors: NotFound (an unknown
    /// name), Format (fewer bytes than the value's shape needs, a scale that is no positive number).
    [[nodiscard]] static core::Result<ConstantData> find(const Payload& payload,
                                                         const executor::NamedDataSource& named);

    /// Null for a value that is no constant.
    [[nodiscard]] const void* data(ValueIndex value) const { return entry(value).data; }
    /// Per-channel scales of a value.
    [[nodiscard]] std::span<const float> channelScales(ValueIndex value) const {
        return entry(value).channelScales;
    }
    /// Blockwise scales of a value, as bfloat16.
    [[nodiscard]] std::span<const std::uint16_t> blockScales(ValueIndex value) const {
        return entry(value).blockScales;
    }

    /// Half-precision constants as fp32, from now on: of values that are computed so, and beside the fp16
    /// ones for nodes that are (see node_path.h).
    void widen(const Payload& payload, bool widenHalf);

    /// An fp16 constant as fp32; null where no node wants it so.
    [[nodiscard]] const void* wideData(ValueIndex value) const { return entry(value).wide.get(); }

  private:
    struct Entry {
        const void* data = nullptr;
        std::span<const float> channelScales;
        std::span<const std::uint16_t> blockScales;
        std::unique_ptr<std::byte[]> ownScales;  ///< where they lie at an odd address in the file
        std::unique_ptr<std::byte[]> own;        ///< a copy that `data` points to
        std::unique_ptr<std::byte[]> wide;       ///< as fp32, beside `data`
    };

    core::Result<> findValue(const Payload& payload, ValueIndex index,
                             const executor::NamedDataSource& named);
    [[nodiscard]] const Entry& entry(ValueIndex value) const { return entries[entryOf[value]]; }
    Entry& entry(ValueIndex value) { return entries[entryOf[value]]; }

    std::vector<Entry> entries;          ///< of constants; the first one is that of all other values
    std::vector<std::uint32_t> entryOf;  ///< by ValueIndex
};

/// `count` half-precision numbers as fp32. `type` is Fp16 or BFloat16.
void widenNumbers(Datatype type, const std::byte* from, float* to, std::size_t count);
/// The other way.
void narrowNumbers(Datatype type, const float* from, std::byte* to, std::size_t count);

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/library/constant_data.h"

#include "backends/xnnpack/nodes/node_path.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace et::backends::xnnpack {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::Result;

std::size_t elementsOf(const PayloadValue& value) {
    std::size_t count = 1;
    for (const std::uint32_t size : value.sizes) {
        count *= size;
    }
    return count;
}

/// Rows of 4-bit elements are padded to whole bytes.
std::size_t valueBytes(const PayloadValue& value) {
    const std::size_t bits = datatypeInfo(value.datatype)->bits;
    const std::size_t count = elementsOf(value);
    if (bits >= 8 || value.sizes.empty() || value.sizes.back() == 0) {
        return count * bits / 8;
    }
    return count / value.sizes.back() * ((value.sizes.back() * bits + 7) / 8);
}

std::unexpected<core::Error> failAt(ErrorCode code, std::string list, std::size_t index,
                                    std::string message) {
    return core::fail(code, std::move(message),
                      {.file = {}, .field = fmt::format("{}[{}]", list, index), .offset = {}});
}

Result<Bytes> bytesOfConstant(const Payload& payload, std::size_t index,
                              const executor::NamedDataSource& named) {
    const PayloadConstant& constant = payload.constants[index];
    if (constant.name.empty()) {
        return constant.data;
    }
    const auto found = named.find(constant.name);
    if (!found) {
        return failAt(ErrorCode::NotFound, "constant_data", index,
                      fmt::format("no data named \"{}\": give the tensor data file that contains it",
                                  core::printable(constant.name)));
    }
    return *found;
}

/// Scales in constant `constant`; 0: those in the payload's tables. `copy` owns scales stored at an unaligned
/// address.
template <class T>
Result<std::span<const T>> scalesOf(const Payload& payload, const std::vector<T>& inTables,
                                    std::uint32_t constant, std::uint32_t count,
                                    const executor::NamedDataSource& named,
                                    std::unique_ptr<std::byte[]>& copy) {
    if (constant == 0) {
        return std::span<const T>(inTables);
    }
    ET_ASSIGN(const Bytes bytes, bytesOfConstant(payload, constant, named));
    if (bytes.size() / sizeof(T) < count) {
        return failAt(ErrorCode::Format, "constant_data", constant,
                      fmt::format("expected {} scales, got {} bytes", count, bytes.size()));
    }
    const std::byte* from = bytes.data();
    if (reinterpret_cast<std::uintptr_t>(from) % sizeof(T) != 0) {
        copy = std::make_unique<std::byte[]>(count * sizeof(T));
        std::memcpy(copy.get(), from, count * sizeof(T));
        from = copy.get();
    }
    return std::span(reinterpret_cast<const T*>(from), count);
}

float scaleOf(float scale) {
    return scale;
}
float scaleOf(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16U);
}

/// True if positive and normal: not subnormal, infinite or NaN.
bool isScale(float scale) {
    return scale >= std::numeric_limits<float>::min() && scale <= std::numeric_limits<float>::max();
}

template <class T>
Result<> checkScales(std::span<const T> scales, std::size_t value) {
    // A model has tens of thousands of scales; a loop without branches can be vectorized.
    bool all = true;
    for (const T scale : scales) {
        all &= isScale(scaleOf(scale));
    }
    if (all) {
        return {};
    }
    const T wrong = *std::ranges::find_if_not(scales, [](T scale) { return isScale(scaleOf(scale)); });
    return failAt(ErrorCode::Format, "values", value,
                  fmt::format("expected a positive scale, got {}", scaleOf(wrong)));
}

template <class T>
void widenAll(const std::byte* from, float* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        T number;
        std::memcpy(&number, from + i * sizeof(T), sizeof(T));
        to[i] = static_cast<float>(number);
    }
}

template <class T>
void narrowAll(const float* from, std::byte* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const T number = static_cast<T>(from[i]);
        std::memcpy(to + i * sizeof(T), &number, sizeof(T));
    }
}

}  // namespace

bool isReadable(Bytes bytes) {
    // Page sizes are multiples of 4096 bytes.
    constexpr std::uintptr_t page = 4096;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
    return !bytes.empty() && (end - 1) / page == (end - 1 + XNN_EXTRA_BYTES) / page;
}

void widenNumbers(Datatype type, const std::byte* from, float* to, std::size_t count) {
    type == Datatype::Fp16 ? widenAll<core::Half>(from, to, count)
                           : widenAll<core::BFloat16>(from, to, count);
}

void narrowNumbers(Datatype type, const float* from, std::byte* to, std::size_t count) {
    type == Datatype::Fp16 ? narrowAll<core::Half>(from, to, count)
                           : narrowAll<core::BFloat16>(from, to, count);
}

Result<ConstantData> ConstantData::find(const Payload& payload, const executor::NamedDataSource& named) {
    ConstantData data;
    const auto isConstant = [](const PayloadValue& value) { return value.constant != 0; };
    data.entries.reserve(1 + static_cast<std::size_t>(std::ranges::count_if(payload.values, isConstant)));
    data.entries.emplace_back();
    data.entryOf.resize(payload.values.size());
    for (ValueIndex i = 0; i < payload.values.size(); ++i) {
        if (isConstant(payload.values[i])) {
            data.entryOf[i] = static_cast<std::uint32_t>(data.entries.size());
            data.entries.emplace_back();
            ET_TRY(data.findValue(payload, i, named));
        }
    }
    return data;
}

Result<> ConstantData::findValue(const Payload& payload, ValueIndex index,
                                 const executor::NamedDataSource& named) {
    const PayloadValue& value = payload.value(index);
    Entry& found = entry(index);
    ET_ASSIGN(const Bytes bytes, bytesOfConstant(payload, value.constant, named));
    const std::size_t needed = valueBytes(value);
    if (bytes.size() < needed || needed == 0) {
        return failAt(ErrorCode::Format, "values", index,
                      fmt::format("expected {} bytes of constant data, got {}", needed, bytes.size()));
    }
    const std::size_t width = std::max<std::size_t>(datatypeInfo(value.datatype)->bits / 8, 1);
    if (isReadable(bytes.first(needed)) && reinterpret_cast<std::uintptr_t>(bytes.data()) % width == 0) {
        found.data = bytes.data();
    } else {
        found.own = std::make_unique<std::byte[]>(needed + XNN_EXTRA_BYTES);
        std::memcpy(found.own.get(), bytes.data(), needed);
        found.data = found.own.get();
    }
    if (const auto* channels = std::get_if<PerChannelQuantization>(&value.quantization)) {
        ET_ASSIGN(found.channelScales, scalesOf(payload, channels->scales, channels->scaleConstant,
                                                channels->scaleCount, named, found.ownScales));
    }
    if (const auto* blocks = std::get_if<BlockwiseQuantization>(&value.quantization)) {
        ET_ASSIGN(found.blockScales, scalesOf(payload, blocks->scales, blocks->scaleConstant,
                                              blocks->scaleCount, named, found.ownScales));
    }
    ET_TRY(checkScales(found.channelScales, index));
    return checkScales(found.blockScales, index);
}

namespace {

/// Copies a half-precision constant to fp32, in memory that the library can read.
std::unique_ptr<std::byte[]> wideCopy(const PayloadValue& value, const void* data) {
    const std::size_t count = elementsOf(value);
    auto wide = std::make_unique<std::byte[]>(count * sizeof(float) + XNN_EXTRA_BYTES);
    widenNumbers(value.datatype, static_cast<const std::byte*>(data), reinterpret_cast<float*>(wide.get()),
                 count);
    return wide;
}

bool isHalfConstant(const Payload& payload, ValueIndex value) {
    return value != noValue && payload.value(value).constant != 0 &&
           payload.value(value).datatype == Datatype::Fp16;
}

}  // namespace

void ConstantData::widen(const Payload& payload, bool widenHalf) {
    for (ValueIndex i = 0; i < payload.values.size(); ++i) {
        const PayloadValue& value = payload.value(i);
        Entry& narrow = entry(i);
        if (narrow.data == nullptr || computedAs(value.datatype, widenHalf) == value.datatype) {
            continue;
        }
        narrow.own = wideCopy(value, narrow.data);
        narrow.data = narrow.own.get();
    }
    if (!hasHalf(payload)) {
        return;
    }
    const std::vector<NodePath> paths = pathsOf(payload, widenHalf);
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        if (paths[i] != NodePath::LibraryInFloat) {
            continue;
        }
        for (const ValueIndex input : payload.nodes[i].inputs) {
            if (isHalfConstant(payload, input) && entry(input).wide == nullptr) {
                entry(input).wide = wideCopy(payload.value(input), entry(input).data);
            }
        }
    }
}

}  // namespace et::backends::xnnpack

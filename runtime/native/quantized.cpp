#include "runtime/native/quantized.h"

#include "runtime/core/bit_fields.h"
#include "runtime/core/element_types.h"
#include "runtime/core/gguf_blocks.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

// Compiled without FMA: products are rounded before the sum.
namespace et::native {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::uint64_t bitsPerByte = 8;
constexpr std::string_view ggufPrefix = "gguf:";

const core::GgufLayout* layoutOf(const PackedCodec& packed) {
    return packed.codec.starts_with(ggufPrefix)
               ? core::ggufLayout(std::string_view(packed.codec).substr(ggufPrefix.size()))
               : nullptr;
}

/// Number of values; nothing if it does not fit.
std::optional<std::uint64_t> countOf(const std::vector<std::int64_t>& sizes) {
    const auto bytes = core::tensorBytes(static_cast<std::int64_t>(core::ScalarType::Byte), sizes);
    return bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

std::uint64_t lastSize(const std::vector<std::int64_t>& sizes) {
    return sizes.empty() ? 1 : static_cast<std::uint64_t>(sizes.back());
}

/// At most `count` elements; none for other dtypes than real ones.
template <class Number>
std::vector<Number> elementsAs(std::int8_t type, core::Bytes data, std::size_t count) {
    std::vector<Number> numbers;
    core::visitRealType(
        static_cast<core::ScalarType>(type),
        [&](auto identity) {
            using Element = typename decltype(identity)::type;
            numbers.resize(std::min(count, data.size() / sizeof(Element)));
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                Element element{};
                std::memcpy(&element, data.data() + i * sizeof element, sizeof element);
                numbers[i] = static_cast<Number>(element);
            }
        },
        [] {});
    return numbers;
}

Result<std::vector<std::int64_t>> requireFixed(const TensorMeta& meta) {
    auto sizes = fixedSizes(meta);
    if (!sizes) {
        return fail(ErrorCode::Format, "expected fixed sizes of stored data, got dynamic ones");
    }
    return *std::move(sizes);
}

Result<std::optional<std::uint64_t>> packedBytes(const PackedCodec& packed,
                                                 const std::vector<std::int64_t>& sizes) {
    const core::GgufLayout* const layout = layoutOf(packed);
    const auto count = countOf(sizes);
    if (layout == nullptr || !count) {
        return std::nullopt;
    }
    if (lastSize(sizes) % layout->elements != 0) {
        return fail(ErrorCode::Format, fmt::format("expected rows of a multiple of {} values for {}, got {}",
                                                   layout->elements, packed.codec, lastSize(sizes)));
    }
    return *count / layout->elements * layout->bytes;
}

/// The elements of a stored tensor as float.
Result<std::vector<float>> numbersOf(const std::string& key, std::int8_t type, std::uint64_t count,
                                     const FindTensor& find) {
    const auto stored = find(key);
    if (!stored) {
        return fail(ErrorCode::NotFound, fmt::format("\"{}\" is not stored", core::printable(key)));
    }
    std::vector<float> numbers =
        elementsAs<float>(type, stored->data, std::numeric_limits<std::size_t>::max());
    if (numbers.size() != count) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} numbers of {} in \"{}\", got {} bytes", count,
                                core::scalarTypeName(type), core::printable(key), stored->data.size()));
    }
    return numbers;
}

Result<std::vector<float>> dequantizeGroups(const AffineGroups& groups,
                                            const std::vector<std::int64_t>& sizes, core::Bytes data,
                                            const FindTensor& find) {
    const std::vector<std::int64_t> scaleSizes = groupSizes(groups, sizes);
    const auto scaleCount = countOf(scaleSizes);
    const std::uint64_t count = countOf(sizes).value_or(0);
    const unsigned bits = bitsOf(groups);
    if (!scaleCount || data.size() * bitsPerByte / bits < count) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} integers of {} bits, got {} bytes", count, bits, data.size()));
    }
    ET_ASSIGN(const auto scales, numbersOf(groups.scaleKey, groups.scaleType, *scaleCount, find));
    std::vector<float> zeroPoints(static_cast<std::size_t>(*scaleCount));
    if (!groups.zeroPointKey.empty()) {
        ET_ASSIGN(zeroPoints, numbersOf(groups.zeroPointKey, groups.zeroPointType, *scaleCount, find));
    }
    const std::uint64_t columns = lastSize(sizes);
    const std::uint64_t perRow = lastSize(scaleSizes);
    const std::uint64_t groupSize =
        groups.groupSize == 0 ? columns : static_cast<std::uint64_t>(groups.groupSize);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto group = static_cast<std::size_t>(i / columns * perRow + i % columns / groupSize);
        const auto stored = static_cast<std::int64_t>(core::bitsAt(data.data(), i * bits, bits));
        values[static_cast<std::size_t>(i)] =
            scales[group] * (static_cast<float>(stored + groups.minimum) - zeroPoints[group]);
    }
    return values;
}

}  // namespace

std::optional<std::vector<std::int64_t>> fixedSizes(const TensorMeta& meta) {
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : meta.sizes) {
        if (dim.isDynamic()) {
            return std::nullopt;
        }
        sizes.push_back(dim.minimum);
    }
    return sizes;
}

unsigned bitsOf(const AffineGroups& groups) {
    return static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(std::int64_t{groups.maximum} - groups.minimum)));
}

std::vector<std::int64_t> groupSizes(const AffineGroups& groups, std::vector<std::int64_t> sizes) {
    if (!sizes.empty()) {
        const std::int64_t last = sizes.back();
        sizes.back() = groups.groupSize == 0
                           ? std::min<std::int64_t>(last, 1)
                           : last / groups.groupSize + (last % groups.groupSize == 0 ? 0 : 1);
    }
    return sizes;
}

Result<std::optional<std::uint64_t>> storedBytes(const TensorMeta& meta) {
    ET_ASSIGN(const auto sizes, requireFixed(meta));
    const auto count = countOf(sizes);
    const auto dense = core::tensorBytes(meta.scalarType, sizes);
    if (!count || !dense || *count > std::numeric_limits<std::uint64_t>::max() / 64) {
        return fail(ErrorCode::Limit, "the sizes do not fit 63 bits");
    }
    if (const auto* groups = std::get_if<AffineGroups>(&meta.quantization)) {
        const std::uint64_t bits = *count * bitsOf(*groups);
        return bits / bitsPerByte + (bits % bitsPerByte == 0 ? 0 : 1);
    }
    if (const auto* packed = std::get_if<PackedCodec>(&meta.quantization)) {
        return packedBytes(*packed, sizes);
    }
    return static_cast<std::uint64_t>(*dense);
}

std::string quantizationText(const Quantization& quantization) {
    if (const auto* packed = std::get_if<PackedCodec>(&quantization)) {
        return core::printable(packed->codec);
    }
    const auto* groups = std::get_if<AffineGroups>(&quantization);
    if (groups == nullptr) {
        return {};
    }
    return fmt::format(
        "{}-bit {}{}", bitsOf(*groups),
        groups->groupSize == 0 ? std::string("per row") : fmt::format("in groups of {}", groups->groupSize),
        groups->zeroPointKey.empty() ? "" : " with zero points");
}

bool canDequantize(const Quantization& quantization) {
    const auto* packed = std::get_if<PackedCodec>(&quantization);
    return std::holds_alternative<AffineGroups>(quantization) ||
           (packed != nullptr && layoutOf(*packed) != nullptr);
}

Result<std::vector<float>> dequantize(const TensorMeta& meta, core::Bytes data, const FindTensor& find) {
    ET_ASSIGN(const auto expected, storedBytes(meta));
    if (const auto* packed = std::get_if<PackedCodec>(&meta.quantization); packed != nullptr && !expected) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("codec \"{}\" has no public layout: its values cannot be computed",
                                core::printable(packed->codec)));
    }
    if (*expected != data.size()) {
        return fail(ErrorCode::Format, fmt::format("expected {} bytes, got {}", *expected, data.size()));
    }
    const std::vector<std::int64_t> sizes = fixedSizes(meta).value_or(std::vector<std::int64_t>());
    if (const auto* groups = std::get_if<AffineGroups>(&meta.quantization)) {
        return dequantizeGroups(*groups, sizes, data, find);
    }
    const auto* packed = std::get_if<PackedCodec>(&meta.quantization);
    if (packed == nullptr) {
        return fail(ErrorCode::Unsupported, "the tensor is not quantized");
    }
    const core::GgufLayout& layout = *layoutOf(*packed);
    std::vector<float> values(data.size() / layout.bytes * layout.elements);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data.data());
    for (std::size_t block = 0; block * layout.bytes < data.size(); ++block) {
        layout.dequantize(bytes + block * layout.bytes, values.data() + block * layout.elements);
    }
    return values;
}

Result<std::vector<std::int32_t>> quantizedIntegers(const TensorMeta& meta, core::Bytes data) {
    const auto* groups = std::get_if<AffineGroups>(&meta.quantization);
    ET_ASSIGN(const auto expected, storedBytes(meta));
    if (groups == nullptr || expected != data.size()) {
        return fail(ErrorCode::Format, "expected integers in groups, got other data");
    }
    const unsigned bits = bitsOf(*groups);
    const auto count = countOf(fixedSizes(meta).value_or(std::vector<std::int64_t>())).value_or(0);
    std::vector<std::int32_t> integers(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < integers.size(); ++i) {
        integers[i] = static_cast<std::int32_t>(
            std::int64_t{core::bitsAt(data.data(), std::uint64_t{i} * bits, bits)} + groups->minimum);
    }
    return integers;
}

std::vector<double> firstNumbers(std::int8_t scalarType, core::Bytes data, std::size_t count) {
    return elementsAs<double>(scalarType, data, count);
}

}  // namespace et::native

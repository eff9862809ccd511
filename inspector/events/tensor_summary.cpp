#include "inspector/events/tensor_summary.h"

#include "inspector/tensor_files/debug_tensor.h"
#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <iterator>
#include <limits>

namespace et::inspector::events {
namespace {

/// Reads the element at `bytes` (of the dtype's size) as a number.
using ReadElement = double (*)(const std::byte* bytes);

template <class T>
double readAs(const std::byte* bytes) {
    T value{};
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
}

/// IEEE 754 binary16.
double readHalf(const std::byte* bytes) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    const int exponent = (bits >> 10U) & 0x1F;
    const int fraction = bits & 0x3FF;
    if (exponent == 0x1F) {
        return fraction == 0 ? sign * HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    }
    return exponent == 0 ? sign * std::ldexp(fraction, -24)
                         : sign * std::ldexp(fraction + 0x400, exponent - 25);
}

/// The upper half of an IEEE 754 binary32.
double readBrainFloat(const std::byte* bytes) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

struct Reader {
    std::string_view dtype;  ///< core::ScalarTypeInfo::name
    ReadElement read;
};
constexpr std::array readers{
    Reader{"BYTE", readAs<std::uint8_t>},    Reader{"CHAR", readAs<std::int8_t>},
    Reader{"SHORT", readAs<std::int16_t>},   Reader{"INT", readAs<std::int32_t>},
    Reader{"LONG", readAs<std::int64_t>},    Reader{"HALF", readHalf},
    Reader{"FLOAT", readAs<float>},          Reader{"DOUBLE", readAs<double>},
    Reader{"BOOL", readAs<std::uint8_t>},    Reader{"QINT8", readAs<std::int8_t>},
    Reader{"QUINT8", readAs<std::uint8_t>},  Reader{"QINT32", readAs<std::int32_t>},
    Reader{"BFLOAT16", readBrainFloat},      Reader{"BITS16", readAs<std::uint16_t>},
    Reader{"UINT16", readAs<std::uint16_t>}, Reader{"UINT32", readAs<std::uint32_t>},
    Reader{"UINT64", readAs<std::uint64_t>},
};

ReadElement readerOf(std::string_view dtype) {
    const auto* found = std::ranges::find(readers, dtype, &Reader::dtype);
    return found == readers.end() ? nullptr : found->read;
}

void addStatistics(format::Dict& out, core::Bytes bytes, std::size_t elementSize, ReadElement read) {
    constexpr std::size_t listed = 8;
    const std::size_t count = bytes.size() / elementSize;
    double min = HUGE_VAL;
    double max = -HUGE_VAL;
    double sum = 0;
    std::int64_t nonFinite = 0;
    std::vector<double> first;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = read(bytes.data() + i * elementSize);
        if (i < listed) {
            first.push_back(value);
        }
        if (!std::isfinite(value)) {
            ++nonFinite;
            continue;
        }
        min = std::min(min, value);
        max = std::max(max, value);
        sum += value;
    }
    const auto finite = static_cast<double>(static_cast<std::int64_t>(count) - nonFinite);
    const auto orNothing = [&](double value) { return finite > 0 ? format::Cell(value) : format::Cell(); };
    out.emplace_back("count", static_cast<std::int64_t>(count));
    out.emplace_back("nonfinite", nonFinite);
    out.emplace_back("min", orNothing(min));
    out.emplace_back("max", orNothing(max));
    out.emplace_back("mean", orNothing(sum / finite));
    out.emplace_back("first", std::move(first));
}

format::Cell tensorSummary(const etdump::DebugTensor& tensor, const core::MappedFile* buffer) {
    format::Dict out;
    out.emplace_back("dtype", core::scalarTypeName(tensor.scalarType));
    out.emplace_back("shape", tensor.sizes);
    if (buffer == nullptr) {
        return out;
    }
    const auto bytes = debugTensorBytes(tensor, *buffer);
    if (!bytes) {
        out.emplace_back("error", bytes.error());
        return out;
    }
    std::ranges::move(elementStatistics(tensor.scalarType, *bytes), std::back_inserter(out));
    return out;
}

struct Summary {
    const core::MappedFile* buffer;

    format::Cell operator()(std::monostate) const { return {}; }
    format::Cell operator()(std::int64_t value) const { return value; }
    format::Cell operator()(bool value) const { return value; }
    format::Cell operator()(float value) const { return static_cast<double>(value); }
    format::Cell operator()(double value) const { return value; }
    format::Cell operator()(std::string_view value) const { return std::string(value); }
    format::Cell operator()(const etdump::DebugTensor& tensor) const { return tensorSummary(tensor, buffer); }
    format::Cell operator()(const std::vector<etdump::DebugTensor>& tensors) const {
        format::List out;
        for (const etdump::DebugTensor& tensor : tensors) {
            out.push_back(tensorSummary(tensor, buffer));
        }
        return out;
    }
};

}  // namespace

format::Dict elementStatistics(std::int8_t scalarType, core::Bytes bytes) {
    const auto info = core::scalarType(scalarType);
    const ReadElement read = info ? readerOf(info->name) : nullptr;
    format::Dict out;
    if (read == nullptr) {
        out.emplace_back("error", std::string("values of this dtype are not supported"));
    } else {
        addStatistics(out, bytes, info->bytes, read);
    }
    return out;
}

format::Cell debugValueSummary(const etdump::DebugValue& value, const core::MappedFile* buffer) {
    return std::visit(Summary{buffer}, value.value);
}

}  // namespace et::inspector::events

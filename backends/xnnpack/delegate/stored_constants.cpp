#include "backends/xnnpack/delegate/stored_constants.h"

#include "backends/payload_data.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/payload/payload.h"

#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using core::Bytes;
using core::ScalarType;

/// Element dtype of a datatype in memory; nothing if it is not a plain number.
std::optional<ScalarType> elementType(Datatype type) {
    switch (type) {
        case Datatype::Fp32:
            return ScalarType::Float;
        case Datatype::Fp16:
            return ScalarType::Half;
        case Datatype::BFloat16:
            return ScalarType::BFloat16;
        case Datatype::QInt8:
        case Datatype::QCInt8:
        case Datatype::QCInt4:
        case Datatype::QBInt4:
            return ScalarType::Char;
        case Datatype::QUInt8:
            return ScalarType::Byte;
        case Datatype::QInt32:
        case Datatype::QCInt32:
        case Datatype::Int32:
            return ScalarType::Int;
        default:
            return std::nullopt;
    }
}

std::optional<Bytes> bytesOf(const Payload& payload, std::size_t constant,
                             const executor::NamedDataSource& named) {
    if (constant >= payload.constants.size()) {
        return std::nullopt;
    }
    const PayloadConstant& found = payload.constants[constant];
    return found.name.empty() ? std::optional(found.data) : named.find(found.name);
}

template <class T>
std::vector<T> numbersIn(Bytes bytes, std::size_t count) {
    std::vector<T> numbers;
    if (bytes.size() / sizeof(T) >= count) {
        numbers.resize(count);
        std::memcpy(numbers.data(), bytes.data(), count * sizeof(T));
    }
    return numbers;
}

/// Scales of a value, from its tables or from its scale constant; empty if missing.
template <class How>
auto scalesOf(const How& how, const Payload& payload, const executor::NamedDataSource& named) {
    auto scales = how.scales;
    if (how.scaleConstant != 0) {
        using Scale = typename decltype(scales)::value_type;
        const auto bytes = bytesOf(payload, how.scaleConstant, named);
        scales = bytes ? numbersIn<Scale>(*bytes, how.scaleCount) : std::vector<Scale>();
    }
    return scales;
}

struct ReadScales {
    const Payload& payload;
    const executor::NamedDataSource& named;
    StoredElements& into;

    void operator()(std::monostate) const {}
    void operator()(const PerTokenQuantization&) const {}
    void operator()(const PerTensorQuantization& how) const {
        into.scales = {how.scale};
        into.zeroPoint = how.zeroPoint;
    }
    void operator()(const PerChannelQuantization& how) const {
        into.scales = scalesOf(how, payload, named);
        into.channelDim = how.channelDim;
    }
    void operator()(const BlockwiseQuantization& how) const {
        into.channelDim = how.channelDim;
        into.blockSize = how.blockSize;
        for (const std::uint16_t half : scalesOf(how, payload, named)) {
            // A bfloat16 is the upper half of a float.
            into.scales.push_back(std::bit_cast<float>(std::uint32_t{half} << 16U));
        }
    }
};

/// Bytes of the elements; nothing on overflow.
std::optional<std::uint64_t> bytesOf(const StoredElements& elements) {
    std::vector<std::int64_t> sizes = elements.sizes;
    if (elements.packed && !sizes.empty()) {
        sizes.back() = (sizes.back() + 1) / 2;
    }
    const std::uint64_t bytes = denseBytes(core::elementBytes(elements.dtype) * 8, sizes);
    return bytes == 0 ? std::nullopt : std::optional(bytes);
}

/// Tables at an unaligned address are read from a temporary copy, which must not be borrowed.
bool liesIn(Bytes whole, Bytes part) {
    return !part.empty() && std::less_equal<>()(whole.data(), part.data()) &&
           std::less_equal<>()(part.data() + part.size(), whole.data() + whole.size());
}

/// Bytes of a constant that may be borrowed: named data, or part of the payload.
Bytes borrowable(const Payload& payload, std::size_t constant, Bytes whole,
                 const executor::NamedDataSource& named) {
    const auto data = bytesOf(payload, constant, named);
    return data && (!payload.constants[constant].name.empty() || liesIn(whole, *data)) ? *data : Bytes();
}

struct FindScaleConstant {
    template <class How>
    std::uint32_t operator()(const How& how) const {
        if constexpr (requires { how.scaleConstant; }) {
            return how.scaleConstant;
        } else {
            return 0;
        }
    }
};

}  // namespace

std::vector<StoredConstant> storedConstants(Bytes bytes, const executor::NamedDataSource& named) {
    std::vector<StoredConstant> out;
    const auto payload = readPayload(bytes);
    for (std::size_t i = 0; payload && i < payload->values.size(); ++i) {
        const PayloadValue& value = payload->values[i];
        const auto dtype = elementType(value.datatype);
        const Bytes data = value.constant == 0 ? Bytes() : borrowable(*payload, value.constant, bytes, named);
        if (!dtype || data.empty()) {
            continue;
        }
        StoredConstant constant{
            .value = i,
            .data = data,
            .elements = {.dtype = *dtype,
                         .sizes = {value.sizes.begin(), value.sizes.end()},
                         .packed = value.datatype == Datatype::QCInt4 || value.datatype == Datatype::QBInt4}};
        std::visit(ReadScales{*payload, named, constant.elements}, value.quantization);
        if (const std::uint32_t scales = std::visit(FindScaleConstant(), value.quantization); scales != 0) {
            constant.scaleData = borrowable(*payload, scales, bytes, named);
        }
        const auto needed = bytesOf(constant.elements);
        if (needed && *needed <= data.size()) {
            out.push_back(std::move(constant));
        }
    }
    return out;
}

}  // namespace et::backends::xnnpack

#include "backends/coreml/protobuf.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace et::backends::coreml {
namespace {

using core::ErrorCode;

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, LengthDelimited = 2, Fixed32 = 5 };

template <class T>
std::uint64_t fixedNumber(core::Bytes bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

}  // namespace

core::Result<core::Bytes> ProtobufReader::take(std::uint64_t size) {
    if (size > rest.size()) {
        return core::fail(ErrorCode::Format,
                          fmt::format("expected {} bytes of a message, got {}", size, rest.size()));
    }
    const core::Bytes taken = rest.first(static_cast<std::size_t>(size));
    rest = rest.subspan(taken.size());
    return taken;
}

core::Result<std::uint64_t> ProtobufReader::varint() {
    constexpr unsigned bitsPerByte = 7;
    constexpr unsigned allBits = 64;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < allBits; shift += bitsPerByte) {
        ET_ASSIGN(const core::Bytes byte, take(1));
        const auto bits = std::to_integer<std::uint64_t>(byte.front());
        value |= (bits & 0x7FU) << shift;
        if ((bits & 0x80U) == 0) {
            return value;
        }
    }
    return core::fail(ErrorCode::Format, "expected a number of at most 10 bytes");
}

core::Result<ProtobufField> ProtobufReader::next() {
    constexpr unsigned typeBits = 3;
    ET_ASSIGN(const std::uint64_t key, varint());
    const std::uint64_t number = key >> typeBits;
    if (number == 0 || number > std::numeric_limits<std::uint32_t>::max()) {
        return core::fail(ErrorCode::Format, fmt::format("expected a field number, got {}", number));
    }
    ProtobufField field{.number = static_cast<std::uint32_t>(number)};
    switch (static_cast<WireType>(key & 7U)) {
        case WireType::Varint: {
            ET_ASSIGN(field.value, varint());
            return field;
        }
        case WireType::Fixed64: {
            ET_ASSIGN(const core::Bytes bytes, take(sizeof(std::uint64_t)));
            field.value = fixedNumber<std::uint64_t>(bytes);
            return field;
        }
        case WireType::Fixed32: {
            ET_ASSIGN(const core::Bytes bytes, take(sizeof(std::uint32_t)));
            field.value = fixedNumber<std::uint32_t>(bytes);
            return field;
        }
        case WireType::LengthDelimited: {
            ET_ASSIGN(const std::uint64_t size, varint());
            ET_ASSIGN(field.bytes, take(size));
            field.isLengthDelimited = true;
            return field;
        }
    }
    return core::fail(ErrorCode::Format,
                      fmt::format("field {}: wire type {} is not supported", number, key & 7U));
}

}  // namespace et::backends::coreml

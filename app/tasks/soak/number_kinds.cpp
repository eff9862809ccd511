#include "app/tasks/soak/number_kinds.h"

#include <cstring>
#include <limits>
#include <span>

namespace et::tasks {
namespace {

using core::ScalarType;

constexpr std::array<std::string_view, numberKinds> names{"nan", "inf", "denormal", "saturated"};

void count(KindCounts& counts, NumberKind kind, bool is) {
    counts.counts[static_cast<std::size_t>(kind)] += is ? 1 : 0;
}

/// Decodes binary floating point from bits: sign, exponent, mantissa.
template <class Bits>
void countFloats(std::span<const std::byte> bytes, int mantissaBits, KindCounts& counts) {
    constexpr int width = std::numeric_limits<Bits>::digits;
    const auto mantissaMask = static_cast<Bits>((Bits{1} << mantissaBits) - 1);
    const auto exponentMask = static_cast<Bits>(((Bits{1} << (width - 1)) - 1) & ~mantissaMask);
    for (std::size_t at = 0; at + sizeof(Bits) <= bytes.size(); at += sizeof(Bits)) {
        Bits bits{};
        std::memcpy(&bits, bytes.data() + at, sizeof(Bits));
        const bool highest = (bits & exponentMask) == exponentMask;
        const bool lowest = (bits & exponentMask) == 0;
        const bool fraction = (bits & mantissaMask) != 0;
        count(counts, NumberKind::Nan, highest && fraction);
        count(counts, NumberKind::Infinite, highest && !fraction);
        count(counts, NumberKind::Denormal, lowest && fraction);
    }
}

template <class Number>
void countIntegers(std::span<const std::byte> bytes, KindCounts& counts) {
    for (const std::byte each : bytes) {
        const auto number = static_cast<Number>(each);
        count(counts, NumberKind::Saturated,
              number == std::numeric_limits<Number>::min() || number == std::numeric_limits<Number>::max());
    }
}

}  // namespace

std::string_view nameOf(NumberKind kind) {
    return names[static_cast<std::size_t>(kind)];
}

KindCounts countKinds(const core::Tensor& tensor) {
    constexpr int halfMantissa = 10;
    constexpr int bfloatMantissa = 7;
    constexpr int floatMantissa = 23;
    constexpr int doubleMantissa = 52;
    KindCounts counts{.elements = static_cast<std::uint64_t>(tensor.numel())};
    const std::span<const std::byte> bytes(tensor.raw(), tensor.bytes());
    switch (tensor.dtype()) {
        case ScalarType::Half:
            countFloats<std::uint16_t>(bytes, halfMantissa, counts);
            break;
        case ScalarType::BFloat16:
            countFloats<std::uint16_t>(bytes, bfloatMantissa, counts);
            break;
        case ScalarType::Float:
            countFloats<std::uint32_t>(bytes, floatMantissa, counts);
            break;
        case ScalarType::Double:
            countFloats<std::uint64_t>(bytes, doubleMantissa, counts);
            break;
        case ScalarType::Char:
            countIntegers<std::int8_t>(bytes, counts);
            break;
        case ScalarType::Byte:
            countIntegers<std::uint8_t>(bytes, counts);
            break;
        default:
            break;
    }
    return counts;
}

}  // namespace et::tasks

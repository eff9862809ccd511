#include "runtime/kernels/quantized/byte_arithmetic.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/quantized/byte_arithmetic.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::quantized::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<std::uint8_t>;
using Shorts = hn::Repartition<std::int16_t, Bytes>;
using Words = hn::Repartition<std::int32_t, Bytes>;
using Floats = hn::Repartition<float, Bytes>;

/// Kept as aggregates: a compiler-generated default constructor would not be compiled for the instructions
/// that its vectors need.
struct Halves {
    hn::Vec<Words> lower;
    hn::Vec<Words> upper;
};

/// A vector of words for each quarter of a vector of bytes. The assignment of bytes follows from the
/// instructions, per block of 128 bits; packing restores their order.
struct Quarters {
    hn::Vec<Words> lowerLower;
    hn::Vec<Words> lowerUpper;
    hn::Vec<Words> upperLower;
    hn::Vec<Words> upperUpper;
};

class Packer {
  public:
    HWY_INLINE explicit Packer(const ByteOutput& output)
        : zeroPoint(hn::Set(Shorts(), static_cast<std::int16_t>(output.zeroPoint))),
          low(hn::Set(Bytes(), output.low)),
          high(hn::Set(Bytes(), output.high)) {}

    HWY_INLINE hn::Vec<Bytes> pack(const Quarters& numbers) const {
        const Shorts shorts;
        const auto lower = hn::ReorderDemote2To(shorts, numbers.lowerLower, numbers.lowerUpper);
        const auto upper = hn::ReorderDemote2To(shorts, numbers.upperLower, numbers.upperUpper);
        const auto bytes = hn::ReorderDemote2To(Bytes(), hn::SaturatedAdd(lower, zeroPoint),
                                                hn::SaturatedAdd(upper, zeroPoint));
        return hn::Clamp(bytes, low, high);
    }

  private:
    hn::Vec<Shorts> zeroPoint;
    hn::Vec<Bytes> low;
    hn::Vec<Bytes> high;
};

class Product {
  public:
    HWY_INLINE explicit Product(const ByteProduct& product)
        : packer(product.output),
          leftZero(hn::Set(Shorts(), static_cast<std::int16_t>(product.leftZero))),
          rightZero(hn::Set(Shorts(), static_cast<std::int16_t>(product.rightZero))),
          scale(hn::Set(Floats(), product.scale)) {}

    HWY_INLINE hn::Vec<Bytes> operator()(hn::Vec<Bytes> left, hn::Vec<Bytes> right) const {
        const Bytes bytes;
        const auto zero = hn::Zero(bytes);
        const Shorts shorts;
        const Halves lower = multiply(hn::BitCast(shorts, hn::InterleaveLower(bytes, left, zero)),
                                      hn::BitCast(shorts, hn::InterleaveLower(bytes, right, zero)));
        const Halves upper = multiply(hn::BitCast(shorts, hn::InterleaveUpper(bytes, left, zero)),
                                      hn::BitCast(shorts, hn::InterleaveUpper(bytes, right, zero)));
        return packer.pack({.lowerLower = lower.lower,
                            .lowerUpper = lower.upper,
                            .upperLower = upper.lower,
                            .upperUpper = upper.upper});
    }

  private:
    HWY_INLINE Halves multiply(hn::Vec<Shorts> left, hn::Vec<Shorts> right) const {
        left = hn::Sub(left, leftZero);
        right = hn::Sub(right, rightZero);
        const auto low = hn::Mul(left, right);
        const auto high = hn::MulHigh(left, right);
        return {.lower = scaled(hn::BitCast(Words(), hn::InterleaveLower(Shorts(), low, high))),
                .upper = scaled(hn::BitCast(Words(), hn::InterleaveUpper(Shorts(), low, high)))};
    }
    /// Adding 1.5 * 2^23 rounds numbers below 2^22. The multiplication before it also rounds, so the two must
    /// not be contracted into one instruction (runtime/CMakeLists.txt).
    HWY_INLINE hn::Vec<Words> scaled(hn::Vec<Words> product) const {
        const auto magic = hn::Set(Floats(), 0x1.8p23F);
        const auto number = hn::Mul(hn::ConvertTo(Floats(), product), scale);
        return hn::Sub(hn::BitCast(Words(), hn::Add(number, magic)), hn::BitCast(Words(), magic));
    }

    Packer packer;
    hn::Vec<Shorts> leftZero;
    hn::Vec<Shorts> rightZero;
    hn::Vec<Floats> scale;
};

/// One instruction adds products of pairs of 16 bits, so multipliers are split in two parts.
class Sum {
  public:
    HWY_INLINE explicit Sum(const ByteSum& sum)
        : packer(sum.output),
          lowParts(pairs(sum.leftMultiplier & lowMask, sum.rightMultiplier & lowMask)),
          highParts(pairs(sum.leftMultiplier >> lowBits, sum.rightMultiplier >> lowBits)),
          bias(hn::Set(Words(), sum.bias)),
          shift(sum.shift) {}

    HWY_INLINE hn::Vec<Bytes> operator()(hn::Vec<Bytes> left, hn::Vec<Bytes> right) const {
        const Bytes bytes;
        const auto lower = hn::InterleaveLower(bytes, left, right);
        const auto upper = hn::InterleaveUpper(bytes, left, right);
        const auto zero = hn::Zero(bytes);
        return packer.pack({.lowerLower = add(hn::InterleaveLower(bytes, lower, zero)),
                            .lowerUpper = add(hn::InterleaveUpper(bytes, lower, zero)),
                            .upperLower = add(hn::InterleaveLower(bytes, upper, zero)),
                            .upperUpper = add(hn::InterleaveUpper(bytes, upper, zero))});
    }

  private:
    static constexpr int lowBits = 15;
    static constexpr std::int32_t lowMask = (1 << lowBits) - 1;

    static HWY_INLINE hn::Vec<Shorts> pairs(std::int32_t left, std::int32_t right) {
        const std::uint32_t both =
            (static_cast<std::uint32_t>(left) & 0xFFFFU) | static_cast<std::uint32_t>(right) << 16U;
        return hn::BitCast(Shorts(), hn::Set(Words(), static_cast<std::int32_t>(both)));
    }
    HWY_INLINE hn::Vec<Words> add(hn::Vec<Bytes> interleaved) const {
        const auto numbers = hn::BitCast(Shorts(), interleaved);
        const auto low = hn::WidenMulPairwiseAdd(Words(), numbers, lowParts);
        const auto high = hn::ShiftLeft<lowBits>(hn::WidenMulPairwiseAdd(Words(), numbers, highParts));
        return hn::ShiftRightSame(hn::Add(hn::Add(low, bias), high), shift);
    }

    Packer packer;
    hn::Vec<Shorts> lowParts;
    hn::Vec<Shorts> highParts;
    hn::Vec<Words> bias;
    int shift;
};

template <class Operation>
HWY_INLINE void forAll(const Operation& operation, std::uint8_t flip, const std::uint8_t* HWY_RESTRICT left,
                       const std::uint8_t* HWY_RESTRICT right, std::size_t count,
                       std::uint8_t* HWY_RESTRICT to) {
    const Bytes bytes;
    const std::size_t lanes = hn::Lanes(bytes);
    const auto flips = hn::Set(bytes, flip);
    const auto at = [&](const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* made) {
        const auto result =
            operation(hn::Xor(hn::LoadU(bytes, a), flips), hn::Xor(hn::LoadU(bytes, b), flips));
        hn::StoreU(hn::Xor(result, flips), bytes, made);
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        at(left + i, right + i, to + i);
    }
    if (i < count) {
        constexpr std::size_t maxLanes = 64;
        std::array<std::uint8_t, maxLanes> a{};
        std::array<std::uint8_t, maxLanes> b{};
        std::array<std::uint8_t, maxLanes> made{};
        std::copy(left + i, left + count, a.begin());
        std::copy(right + i, right + count, b.begin());
        at(a.data(), b.data(), made.data());
        std::copy_n(made.begin(), count - i, to + i);
    }
}

bool isFast() {
#if HWY_ARCH_X86_64
    return hn::Lanes(Bytes()) > 16;
#else
    return false;
#endif
}

void multiply(const ByteProduct& product, std::uint8_t flip, const std::uint8_t* left,
              const std::uint8_t* right, std::size_t count, std::uint8_t* to) {
    forAll(Product(product), flip, left, right, count, to);
}
void add(const ByteSum& sum, std::uint8_t flip, const std::uint8_t* left, const std::uint8_t* right,
         std::size_t count, std::uint8_t* to) {
    forAll(Sum(sum), flip, left, right, count, to);
}

}  // namespace
}  // namespace et::kernels::quantized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::quantized {

HWY_EXPORT(isFast);
HWY_EXPORT(multiply);
HWY_EXPORT(add);

bool hasFastByteArithmetic() {
    return HWY_DYNAMIC_DISPATCH(isFast)();
}

void multiplyBytes(const ByteProduct& product, std::uint8_t flip, const std::uint8_t* left,
                   const std::uint8_t* right, std::size_t count, std::uint8_t* to) {
    HWY_DYNAMIC_DISPATCH(multiply)(product, flip, left, right, count, to);
}
void addBytes(const ByteSum& sum, std::uint8_t flip, const std::uint8_t* left, const std::uint8_t* right,
              std::size_t count, std::uint8_t* to) {
    HWY_DYNAMIC_DISPATCH(add)(sum, flip, left, right, count, to);
}

}  // namespace et::kernels::quantized
#endif

// Tests of copies between layouts and dtypes, the basis of all layout operators.
#include "runtime/kernels/strided_copy.h"

#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace et::test {
namespace {

using core::Sizes;
using core::Tensor;
using testing::Each;
using testing::ElementsAre;

// --- The basic copy

struct Layout {
    Sizes sizes;
    core::Strides from;
    core::Strides to;
};

std::int64_t offsetOf(const Sizes& at, const core::Strides& strides) {
    return std::inner_product(at.begin(), at.end(), strides.begin(), std::int64_t{0});
}

/// Copies with elements of one width and compares with a loop over all positions.
template <class Word>
void expectCopies(const Layout& layout, std::size_t threads) {
    std::int64_t fromSpan = 1;
    std::int64_t toSpan = 1;
    for (std::size_t dim = 0; dim < layout.sizes.size(); ++dim) {
        fromSpan += (layout.sizes[dim] - 1) * layout.from[dim];
        toSpan += (layout.sizes[dim] - 1) * layout.to[dim];
    }
    std::vector<Word> source(static_cast<std::size_t>(fromSpan));
    for (std::size_t i = 0; i < source.size(); ++i) {
        source[i] = Word(static_cast<std::uint8_t>(i % 251));
    }
    std::vector<Word> target(static_cast<std::size_t>(toSpan), Word(99));
    std::vector<Word> expected = target;
    Sizes at(layout.sizes.size(), 0);
    for (bool more = true; more;) {
        expected[static_cast<std::size_t>(offsetOf(at, layout.to))] =
            source[static_cast<std::size_t>(offsetOf(at, layout.from))];
        more = false;
        for (std::size_t dim = at.size(); dim-- > 0 && !more;) {
            more = ++at[dim] < layout.sizes[dim];
            at[dim] = more ? at[dim] : 0;
        }
    }
    const kernels::CopyPlan plan(sizeof(Word), layout.sizes, layout.from, layout.to);
    plan.run(kernels::ThreadPool(threads), reinterpret_cast<const std::byte*>(source.data()),
             reinterpret_cast<std::byte*>(target.data()));
    EXPECT_EQ(target, expected);
}

TEST(StridedCopy, MovesEveryElementOfEveryWidthOnce) {
    const std::vector<Layout> layouts{
        {{}, {}, {}},
        {{7}, {1}, {1}},
        {{7}, {3}, {1}},
        {{7}, {0}, {1}},
        {{7}, {1}, {2}},
        {{3, 50}, {1, 3}, {50, 1}},  // 3 channels, last to first
        {{50, 3}, {1, 50}, {3, 1}},  // and back
        {{45, 70}, {1, 45}, {70, 1}},
        {{70, 45}, {1, 70}, {45, 1}},                      // whole blocks and remainders in both dimensions
        {{2, 9, 5, 6}, {270, 1, 54, 9}, {270, 30, 6, 1}},  // channels last to first
        {{2, 5, 6, 9}, {270, 6, 1, 30}, {270, 54, 9, 1}},  // and back
        {{4, 6, 5}, {0, 1, 6}, {60, 10, 2}},               // repeated, into a tensor with gaps
        {{2, 3, 4, 5}, {1, 2, 6, 24}, {60, 20, 5, 1}},     // all dimensions reversed
    };
    for (const Layout& layout : layouts) {
        for (const std::size_t threads : {1, 3}) {
            SCOPED_TRACE(core::sizesText(layout.sizes));
            expectCopies<std::uint8_t>(layout, threads);
            expectCopies<std::uint16_t>(layout, threads);
            expectCopies<std::uint32_t>(layout, threads);
            expectCopies<std::uint64_t>(layout, threads);
            expectCopies<std::complex<double>>(layout, threads);
        }
    }
}

TEST(StridedCopy, SharesLargeTransposesAmongThreads) {
    expectCopies<std::uint32_t>({{300, 500}, {1, 300}, {500, 1}}, 3);
    expectCopies<std::uint32_t>({{300 * 500}, {1}, {1}}, 3);
    expectCopies<std::uint32_t>({{300, 500}, {600, 1}, {500, 1}}, 3);
}

// --- Dtypes

template <class From, class To>
std::vector<To> converted(const std::vector<From>& numbers) {
    KernelCall call;
    const auto count = static_cast<std::int64_t>(numbers.size());
    call.tensor<From>({count}, numbers);
    call.add(false);
    call.none();
    Tensor& out = call.emptyTensor<To>({count});
    const auto done = call.run("aten::_to_copy.out");
    EXPECT_TRUE(done) << done.error().toString();
    return elements<To>(out);
}

TEST(Conversion, IntegersWrapAndFloatsLoseTheirFraction) {
    EXPECT_THAT((converted<std::int64_t, std::uint8_t>({-1, 256, 255})), ElementsAre(255, 0, 255));
    EXPECT_THAT((converted<float, std::int32_t>({-1.9F, 2.9F})), ElementsAre(-1, 2));
    EXPECT_THAT((converted<double, std::int8_t>({-1.0, 300.0})), ElementsAre(-1, 44));
    EXPECT_THAT((converted<std::int64_t, double>({max, -7})), ElementsAre(9223372036854775807.0, -7.0));
}

TEST(Conversion, OutOfRangeFloatsConvertAsOnX86) {
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
    const std::vector<float> numbers{1e10F, -1e10F, infinity, std::numeric_limits<float>::quiet_NaN(),
                                     -2147483648.0F};
    EXPECT_THAT((converted<float, std::int32_t>(numbers)), Each(lowest));
    EXPECT_THAT((converted<float, std::int16_t>(numbers)), Each(0));
    EXPECT_THAT((converted<double, std::int32_t>({2147483647.5, -2147483648.5})),
                ElementsAre(2147483647, lowest));
}

TEST(Conversion, RoundsOnce) {
    // 2^24 + 1 and 2^53 + 2^29 + 1: if rounded to double first, the second would be a tie and round the other
    // way.
    EXPECT_THAT((converted<std::int64_t, float>({16777217, 9007199791611905})),
                ElementsAre(16777216.0F, 9007200328482816.0F));
    EXPECT_THAT((converted<std::uint64_t, float>({std::uint64_t{1} << 63})),
                ElementsAre(9223372036854775808.0F));
}

TEST(Conversion, AnythingButZeroIsTrue) {
    EXPECT_THAT((converted<float, bool>({0.0F, -0.0F, 0.5F, std::numeric_limits<float>::quiet_NaN()})),
                ElementsAre(false, false, true, true));
    EXPECT_THAT((converted<std::complex<float>, bool>({{0, 0}, {0, 1}, {1, 0}})),
                ElementsAre(false, true, true));
}

TEST(Conversion, ComplexNumbersLoseOrGainAnImaginaryPart) {
    EXPECT_THAT((converted<std::complex<float>, double>({{1, 2}, {3, 4}})), ElementsAre(1.0, 3.0));
    EXPECT_THAT((converted<std::int32_t, std::complex<double>>({5})),
                ElementsAre(std::complex<double>(5, 0)));
    EXPECT_THAT((converted<std::complex<float>, std::complex<double>>({{1, -2}})),
                ElementsAre(std::complex<double>(1, -2)));
}

TEST(Conversion, ABoolOfAnyByteIsOne) {
    KernelCall call;
    Tensor& flags = call.emptyTensor<bool>({3});
    flags.raw()[0] = std::byte{2};
    flags.raw()[1] = std::byte{255};
    call.add(false);
    call.none();
    Tensor& out = call.emptyTensor<float>({3});
    ASSERT_TRUE(call.run("aten::_to_copy.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 1, 0));
}

TEST(Conversion, ConvertsLongRowsInPieces) {
    const std::vector<float> numbers = counted<float>(1000);
    EXPECT_EQ((converted<float, std::int32_t>(numbers)), counted<std::int32_t>(1000));
}

}  // namespace
}  // namespace et::test

#include "runtime/kernels/strided_copy.h"
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

// What the conformance cases cannot show: layouts that exporters do not write, and wrong arguments.
namespace et::test {
namespace {

using core::Scalar;
using core::ScalarType;
using core::Sizes;
using core::Tensor;
using kernels::ReadView;
using kernels::WriteView;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
const std::vector<std::uint8_t> channelsLast{0, 2, 3, 1};

template <class T>
std::vector<T> counted(std::size_t count) {
    std::vector<T> numbers(count);
    std::iota(numbers.begin(), numbers.end(), T{1});
    return numbers;
}

/// The elements in the order of the dimensions.
template <class T>
std::vector<T> logical(const Tensor& tensor) {
    std::vector<T> found;
    std::vector<std::int64_t> at(tensor.dim(), 0);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        std::int64_t offset = 0;
        for (std::size_t dim = 0; dim < at.size(); ++dim) {
            offset += at[dim] * tensor.stride(dim);
        }
        found.push_back(tensor.data<T>()[offset]);
        for (std::size_t dim = at.size(); dim-- > 0 && ++at[dim] == tensor.size(dim);) {
            at[dim] = 0;
        }
    }
    return found;
}

/// Sets elements in the order of the dimensions.
template <class T>
void setLogical(Tensor& tensor, const std::vector<T>& values) {
    KernelCall call;
    call.add(tensor);
    std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
    call.tensor<T>(sizes, values);
    call.add(false);
    ASSERT_TRUE(call.run("aten::copy_"));
}

// --- The copy under everything

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
        {{3, 50}, {1, 3}, {50, 1}},  // 3 channels last to first
        {{50, 3}, {1, 50}, {3, 1}},  // and back
        {{45, 70}, {1, 45}, {70, 1}},
        {{70, 45}, {1, 70}, {45, 1}},                      // whole blocks and rests of both sides
        {{2, 9, 5, 6}, {270, 1, 54, 9}, {270, 30, 6, 1}},  // channels last to first
        {{2, 5, 6, 9}, {270, 6, 1, 30}, {270, 54, 9, 1}},  // and back
        {{4, 6, 5}, {0, 1, 6}, {60, 10, 2}},               // repeated, into a tensor with gaps
        {{2, 3, 4, 5}, {1, 2, 6, 24}, {60, 20, 5, 1}},     // all dimensions the other way round
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
    EXPECT_THAT((converted<std::int64_t, double>({most, -7})), ElementsAre(9223372036854775807.0, -7.0));
}

TEST(Conversion, FloatsBeyondAnIntegerAreWhatTheyAreOnX86) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
    const std::vector<float> numbers{1e10F, -1e10F, infinity, std::numeric_limits<float>::quiet_NaN(),
                                     -2147483648.0F};
    EXPECT_THAT((converted<float, std::int32_t>(numbers)), Each(lowest));
    EXPECT_THAT((converted<float, std::int16_t>(numbers)), Each(0));
    EXPECT_THAT((converted<double, std::int32_t>({2147483647.5, -2147483648.5})),
                ElementsAre(2147483647, lowest));
}

TEST(Conversion, RoundsOnce) {
    // 2^24 + 1 and 2^53 + 2^29 + 1: rounded to double first, the second would be a tie and go the other way.
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

// --- Shapes

TEST(Shape, ViewReadsAndWritesInTheOrderOfTheDimensions) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({1, 2, 3, 4}, channelsLast);
    setLogical(self, counted<float>(24));
    call.ints({2, 3, -1, 2});
    Tensor& out = call.emptyTensor<float>({2, 3, 2, 2}, channelsLast);
    ASSERT_TRUE(call.run("aten::view_copy.out"));
    EXPECT_EQ(logical<float>(out), counted<float>(24));
}

TEST(Shape, CatConvertsAndSkipsEmptyTensors) {
    KernelCall call;
    call.tensor<std::int32_t>({1, 2}, {1, 2});
    call.tensor<float>({0}, {});
    call.tensor<float>({2, 2}, {3, 4, 5, 6});
    call.list(3);
    call.add(std::int64_t{0});
    Tensor& out = call.resizableTensor<float>({3, 2});
    ASSERT_TRUE(call.run("aten::cat.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Shape, RepeatFillsEveryDimension) {
    KernelCall call;
    call.tensor<std::int8_t>({2}, {1, 2});
    call.ints({3, 2});
    Tensor& out = call.emptyTensor<std::int8_t>({3, 4}, {1, 0});
    ASSERT_TRUE(call.run("aten::repeat.out"));
    EXPECT_THAT(logical<std::int8_t>(out), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2));
}

TEST(Shape, FlatRollOfAnotherDimOrder) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3}, {1, 0});
    setLogical<float>(self, {1, 2, 3, 4, 5, 6});
    call.ints({-2});
    call.ints({});
    Tensor& out = call.emptyTensor<float>({2, 3}, {1, 0});
    ASSERT_TRUE(call.run("aten::roll.out"));
    EXPECT_THAT(logical<float>(out), ElementsAre(3, 4, 5, 6, 1, 2));
}

TEST(Shape, PixelShuffleAndItsInverseInChannelsLast) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({1, 8, 3, 2}, channelsLast);
    setLogical(self, counted<float>(48));
    call.add(std::int64_t{2});
    Tensor& shuffled = call.emptyTensor<float>({1, 2, 6, 4});
    ASSERT_TRUE(call.run("aten::pixel_shuffle.out"));
    EXPECT_EQ(shuffled.data<float>()[0], 1);
    EXPECT_EQ(shuffled.data<float>()[1], 7);   // the next channel is right of it
    EXPECT_EQ(shuffled.data<float>()[4], 13);  // the one after next below
    KernelCall back;
    back.add(shuffled);
    back.add(std::int64_t{2});
    Tensor& out = back.emptyTensor<float>({1, 8, 3, 2}, channelsLast);
    ASSERT_TRUE(back.run("aten::pixel_unshuffle.out"));
    EXPECT_EQ(logical<float>(out), counted<float>(48));
}

TEST(Shape, ReflectionReachesCorners) {
    KernelCall call;
    call.tensor<float>({1, 2, 3}, counted<float>(6));
    call.ints({2, 1, 1, 0});
    Tensor& out = call.emptyTensor<float>({1, 3, 6});
    ASSERT_TRUE(call.run("aten::reflection_pad2d.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5));
}

TEST(Shape, ANegativePaddingCutsOff) {
    KernelCall call;
    call.tensor<float>({1, 2, 3}, counted<float>(6));
    call.ints({2, -1, 1, 0});
    Tensor& out = call.emptyTensor<float>({1, 3, 4});
    ASSERT_TRUE(call.run("aten::replication_pad2d.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 1, 1, 2, 1, 1, 1, 2, 4, 4, 4, 5));
}

// --- Indices

TEST(Index, IndicesThatAreNotSideBySideComeFirst) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3, 4}, {2, 0, 1});
    setLogical(self, counted<float>(24));
    call.tensor<std::int64_t>({2}, {1, -2});
    call.none();
    call.tensor<std::int32_t>({1}, {-1});
    call.list(3);
    Tensor& out = call.emptyTensor<float>({2, 3});
    ASSERT_TRUE(call.run("aten::index.Tensor_out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(16, 20, 24, 4, 8, 12));
}

TEST(Index, AMaskOverTwoDimensionsBetweenOthers) {
    KernelCall call;
    call.tensor<float>({2, 2, 2, 2}, counted<float>(16));
    call.none();
    call.tensor<bool>({2, 2}, {true, false, false, true});
    call.list(2);
    Tensor& out = call.resizableTensor<float>({2, 4, 2});
    ASSERT_TRUE(call.run("aten::index.Tensor_out"));
    EXPECT_EQ(core::sizesText(out.sizes()), "[2, 2, 2]");
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 7, 8, 9, 10, 15, 16));
}

TEST(Index, PutAccumulatesWhereAnIndexRepeats) {
    KernelCall call;
    call.tensor<std::int32_t>({3, 2}, {1, 2, 3, 4, 5, 6});
    call.tensor<std::int64_t>({3}, {2, 0, 2});
    call.list(1);
    call.tensor<std::int32_t>({2}, {10, 20});
    call.add(true);
    Tensor& out = call.emptyTensor<std::int32_t>({3, 2}, {1, 0});
    ASSERT_TRUE(call.run("aten::index_put.out"));
    EXPECT_THAT(logical<std::int32_t>(out), ElementsAre(11, 22, 3, 4, 25, 46));
}

TEST(Index, GatherAndScatterInAnyDimOrder) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3}, {1, 0});
    setLogical<float>(self, {1, 2, 3, 4, 5, 6});
    call.add(std::int64_t{-1});
    Tensor& index = call.emptyTensor<std::int64_t>({2, 2}, {1, 0});
    setLogical<std::int64_t>(index, {2, 0, 1, 1});
    call.add(false);
    Tensor& out = call.emptyTensor<float>({2, 2}, {1, 0});
    ASSERT_TRUE(call.run("aten::gather.out"));
    EXPECT_THAT(logical<float>(out), ElementsAre(3, 1, 5, 5));

    KernelCall add;
    add.add(self);
    add.add(std::int64_t{1});
    add.add(index);
    add.tensor<float>({2, 2}, {10, 20, 30, 40});
    Tensor& sum = add.emptyTensor<float>({2, 3});
    ASSERT_TRUE(add.run("aten::scatter_add.out"));
    EXPECT_THAT(elements<float>(sum), ElementsAre(21, 2, 13, 4, 75, 6));
}

TEST(Mask, SelectTakesRowMajorOrder) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3}, {1, 0});
    setLogical<float>(self, {1, 2, 3, 4, 5, 6});
    call.tensor<bool>({3}, {true, false, true});
    Tensor& out = call.resizableTensor<float>({6});
    ASSERT_TRUE(call.run("aten::masked_select.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 3, 4, 6));
}

TEST(Creation, RangesCountAsTheirDtypeDoes) {
    const auto range = [](Scalar start, Scalar end, Scalar step, auto zero) {
        using T = decltype(zero);
        KernelCall call;
        for (const Scalar& number : {start, end, step}) {
            number.isInt() ? call.add(number.to<std::int64_t>()) : call.add(number.to<double>());
        }
        Tensor& out = call.resizableTensor<T>({16});
        EXPECT_TRUE(call.run("aten::arange.start_out"));
        return elements<T>(out);
    };
    EXPECT_THAT(range(1.0, 2.0, 0.25, 0.0F), ElementsAre(1, 1.25, 1.5, 1.75));
    EXPECT_THAT(range(std::int64_t{5}, std::int64_t{-1}, std::int64_t{-2}, std::int64_t{}),
                ElementsAre(5, 3, 1));
    EXPECT_THAT(range(least, std::int64_t{least + 5}, std::int64_t{3}, std::int64_t{}),
                ElementsAre(least, least + 3));
}

TEST(Random, NumbersStayBelowOneAndRepeatWithTheSeed) {
    const auto draw = [] {
        KernelCall call;
        call.ints({4096});
        Tensor& out = call.emptyTensor<core::BFloat16>({4096});
        EXPECT_TRUE(call.run("aten::rand.out"));
        std::vector<float> numbers;
        for (const core::BFloat16 number : elements<core::BFloat16>(out)) {
            numbers.push_back(static_cast<float>(number));
        }
        return numbers;
    };
    const std::vector<float> numbers = draw();
    EXPECT_LT(std::ranges::max(numbers), 1.0F);
    EXPECT_GE(std::ranges::min(numbers), 0.0F);
    EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0F) / 4096, 0.5F, 0.03F);
    EXPECT_EQ(numbers, draw());
}

// --- Wrong arguments

/// One call that must fail; `arguments` adds them, the result last.
struct Refusal {
    std::string_view name;
    void (*arguments)(KernelCall&);
    std::string_view message;
};

void matrix(KernelCall& call) {
    call.tensor<float>({2, 3}, counted<float>(6));
}
void number(KernelCall& call, std::int64_t value) {
    call.add(value);
}
void result(KernelCall& call) {
    call.resizableTensor<float>({64});
}

const std::vector<Refusal> refusals{
    {"aten::view_copy.out", [](KernelCall& c) { matrix(c), c.ints({most, most}), result(c); }, "cannot be"},
    {"aten::view_copy.out", [](KernelCall& c) { matrix(c), c.ints({-1, -1}), result(c); }, "one -1 at most"},
    {"aten::view_copy.out", [](KernelCall& c) { matrix(c), c.ints({-1, 4}), result(c); },
     "6 elements do not fit"},
    {"aten::permute_copy.out", [](KernelCall& c) { matrix(c), c.ints({0, 0}), result(c); }, "named twice"},
    {"aten::permute_copy.out", [](KernelCall& c) { matrix(c), c.ints({1}), result(c); },
     "expected 2 dimensions"},
    {"aten::transpose_copy.int_out",
     [](KernelCall& c) { matrix(c), number(c, least), number(c, 0), result(c); }, "got -92"},
    {"aten::expand_copy.out", [](KernelCall& c) { matrix(c), c.ints({5, 3}), c.add(false), result(c); },
     "broadcasts"},
    {"aten::expand_copy.out", [](KernelCall& c) { matrix(c), c.ints({-1, 2, 3}), c.add(false), result(c); },
     "cannot be"},
    {"aten::slice_copy.Tensor_out",
     [](KernelCall& c) { matrix(c), number(c, 0), c.none(), c.none(), number(c, 0), result(c); },
     "step of 1"},
    {"aten::select_copy.int_out", [](KernelCall& c) { matrix(c), number(c, 1), number(c, 3), result(c); },
     "from -3 to 2, got 3"},
    {"aten::narrow_copy.out",
     [](KernelCall& c) { matrix(c), number(c, 1), number(c, most), number(c, 1), result(c); }, "3 positions"},
    {"aten::as_strided_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({2, 2}), c.ints({most, most}), c.none(), result(c); },
     "6 elements"},
    {"aten::as_strided_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({2, 2}), c.ints({1, 3}), number(c, 2), result(c); }, "6 elements"},
    {"aten::as_strided_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({2}), c.ints({-1}), number(c, 2), result(c); }, "0 or more"},
    {"aten::unfold_copy.out",
     [](KernelCall& c) { matrix(c), number(c, 1), number(c, 4), number(c, 1), result(c); }, "0 to 3"},
    {"aten::repeat.out", [](KernelCall& c) { matrix(c), c.ints({most, 2}), result(c); }, "cannot be"},
    {"aten::roll.out", [](KernelCall& c) { matrix(c), c.ints({1, 2}), c.ints({0}), result(c); }, "1 shifts"},
    {"aten::pixel_shuffle.out",
     [](KernelCall& c) { c.tensor<float>({1, 1, 1}, {1}), number(c, most), result(c); }, "cannot be"},
    {"aten::pixel_unshuffle.out",
     [](KernelCall& c) { c.tensor<float>({1, 1, 2}, {1, 2}), number(c, 0), result(c); }, "factor of 1"},
    {"aten::constant_pad_nd.out",
     [](KernelCall& c) { matrix(c), c.ints({least, 0}), number(c, 0), result(c); }, "-3 or more"},
    {"aten::constant_pad_nd.out",
     [](KernelCall& c) { matrix(c), c.ints({most, most}), number(c, 0), result(c); }, "cannot be"},
    {"aten::constant_pad_nd.out", [](KernelCall& c) { matrix(c), c.ints({-2, -2}), number(c, 0), result(c); },
     "cut off"},
    {"aten::reflection_pad1d.out", [](KernelCall& c) { matrix(c), c.ints({3, 0}), result(c); }, "at most 2"},
    {"aten::cat.out",
     [](KernelCall& c) {
         matrix(c), c.tensor<float>({2, 2}, {1, 2, 3, 4}), c.list(2), number(c, 0), result(c);
     },
     "like [2, 3]"},
    {"aten::cat.out", [](KernelCall& c) { c.list(0), number(c, 0), result(c); }, "got none"},
    {"aten::stack.out", [](KernelCall& c) { matrix(c), c.list(1), number(c, 3), result(c); }, "from -3 to 2"},
    {"aten::split_copy.Tensor_out",
     [](KernelCall& c) { matrix(c), number(c, 2), number(c, 1), result(c), c.list(1); },
     "expected 2 results"},
    {"aten::split_with_sizes_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({most}), number(c, 1), result(c), c.list(1); }, "3 positions"},
    {"aten::repeat_interleave.Tensor_out",
     [](KernelCall& c) {
         c.tensor<std::int64_t>({2}, {most, most}), c.none(), c.resizableTensor<std::int64_t>({8});
     },
     "cannot be"},
    {"aten::repeat_interleave.Tensor_out",
     [](KernelCall& c) { c.tensor<std::int64_t>({1}, {-1}), c.none(), c.resizableTensor<std::int64_t>({8}); },
     "got -1"},
    {"aten::clone.out", [](KernelCall& c) { matrix(c), c.none(), c.resizableTensor<double>({6}); },
     "expected float32, got float64"},
    {"aten::slice_scatter.out",
     [](KernelCall& c) {
         matrix(c), matrix(c), number(c, 0), number(c, 1), c.none(), number(c, 1), result(c);
     },
     "source of [1, 3]"},
    {"aten::gather.out",
     [](KernelCall& c) {
         matrix(c), number(c, 0), c.tensor<std::int64_t>({1, 1}, {2}), c.add(false), result(c);
     },
     "from 0 to 1 of dimension 0, got 2"},
    {"aten::gather.out",
     [](KernelCall& c) {
         matrix(c), number(c, 0), c.tensor<std::int64_t>({1, 4}, {0, 0, 0, 0}), c.add(false), result(c);
     },
     "leaves a tensor"},
    {"aten::scatter.value_out",
     [](KernelCall& c) {
         matrix(c), number(c, 1), c.tensor<std::int64_t>({1, 1}, {least}), number(c, 1), result(c);
     },
     "got -92"},
    {"aten::scatter_add.out",
     [](KernelCall& c) {
         matrix(c), number(c, 1), c.tensor<std::int64_t>({1, 2}, {0, 0}), c.tensor<float>({1, 1}, {1}),
             result(c);
     },
     "source"},
    {"aten::index.Tensor_out",
     [](KernelCall& c) { matrix(c), c.tensor<std::int64_t>({1}, {-3}), c.list(1), result(c); },
     "from -2 to 1"},
    {"aten::index.Tensor_out",
     [](KernelCall& c) { matrix(c), c.tensor<bool>({3}, {true, true, true}), c.list(1), result(c); },
     "mask of [2]"},
    {"aten::index.Tensor_out",
     [](KernelCall& c) { matrix(c), c.none(), c.none(), c.none(), c.list(3), result(c); }, "at most 2"},
    {"aten::index_put.out",
     [](KernelCall& c) {
         matrix(c), c.tensor<std::int64_t>({1}, {2}), c.list(1), matrix(c), c.add(false), result(c);
     },
     "from -2 to 1"},
    {"aten::index_select.out",
     [](KernelCall& c) { matrix(c), number(c, 1), c.tensor<std::int64_t>({1}, {-1}), result(c); },
     "from 0 to 2"},
    {"aten::embedding.out",
     [](KernelCall& c) {
         matrix(c), c.tensor<std::int32_t>({1}, {2}), number(c, 0), c.add(false), c.add(false), result(c);
     },
     "from 0 to 1"},
    {"aten::masked_scatter.out",
     [](KernelCall& c) { matrix(c), c.tensor<bool>({1}, {true}), c.tensor<float>({1}, {1}), result(c); },
     "6 elements or more"},
    {"aten::full.out", [](KernelCall& c) { c.ints({-1}), number(c, 1), result(c); }, "cannot be"},
    {"aten::arange.start_out", [](KernelCall& c) { number(c, 0), number(c, 5), number(c, 0), result(c); },
     "steps"},
    {"aten::arange.start_out", [](KernelCall& c) { c.add(0.0), c.add(1.0), c.add(1e-300), result(c); },
     "cannot be"},
    {"aten::rand.out", [](KernelCall& c) { c.ints({2}), c.resizableTensor<std::int32_t>({2}); }, "int32"},
};

TEST(Layout, RefusesWrongArgumentsInWords) {
    for (const Refusal& refusal : refusals) {
        SCOPED_TRACE(refusal.name);
        KernelCall call;
        refusal.arguments(call);
        const auto done = call.run(refusal.name);
        ASSERT_FALSE(done.has_value());
        EXPECT_THAT(done.error().message, HasSubstr(refusal.message));
    }
}

TEST(Layout, EmptyTensorsOfHugeShapesAreNoTrouble) {
    KernelCall call;
    call.emptyTensor<float>({std::int64_t{1} << 62, 0, std::int64_t{1} << 62});
    call.add(std::int64_t{0});
    call.add(std::int64_t{1} << 61);
    call.add(most);
    call.add(std::int64_t{1});
    Tensor& out = call.resizableTensor<float>({0});
    ASSERT_TRUE(call.run("aten::slice_copy.Tensor_out"));
    EXPECT_EQ(out.numel(), 0);
    EXPECT_EQ(out.size(0), std::int64_t{1} << 61);
}

}  // namespace
}  // namespace et::test

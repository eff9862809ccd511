// Tests single operators of TOSA, computed here, against the specification.

#include "backends/reference/interpreter.h"
#include "backends/tosa/lower/record.h"
#include "runtime/core/element_types.h"
#include "runtime/kernels/builtin.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::tosa {
namespace {

using core::Result;
using reference::ReferenceTensor;
using reference::ReferenceValue;
using testing::ElementsAre;
using testing::HasSubstr;

using Sizes = std::vector<std::int64_t>;

template <class T>
constexpr std::uint32_t codeOf() {
    return std::is_same_v<T, float>          ? 7
           : std::is_same_v<T, std::int8_t>  ? 3
           : std::is_same_v<T, std::int16_t> ? 4
           : std::is_same_v<T, std::int32_t> ? 5
                                             : 1;
}

/// A payload with one operator, its inputs and constants.
class OneOperator {
  public:
    explicit OneOperator(std::string_view kind) {
        Block& block = payload.blocks.emplace_back();
        std::uint32_t number = 1;
        while (operatorInfo(number)->name != kind) {
            ++number;
        }
        computed = {.number = number, .info = operatorInfo(number)};
        computed.fields.resize(computed.info->fields.size());
        constants = {.number = 67, .info = operatorInfo(67)};  // CONST
        block.region = "main";
    }

    template <class T>
    OneOperator& input(std::vector<T> numbers, Sizes sizes) {
        const auto kept = keep(std::move(numbers));
        payload.blocks[0].inputs.push_back(add<T>(sizes));
        computed.inputs.push_back(payload.blocks[0].inputs.back());
        given.push_back({ReferenceTensor{.view = core::Tensor::over(kept->data(), sizes), .owner = kept}});
        return *this;
    }
    template <class T>
    OneOperator& constant(std::vector<T> numbers, Sizes sizes) {
        const auto kept = keep(std::move(numbers));
        computed.inputs.push_back(add<T>(std::move(sizes)));
        payload.blocks[0].tensors.back().data = std::as_bytes(std::span(*kept));
        constants.outputs.push_back(computed.inputs.back());
        return *this;
    }
    OneOperator& field(std::string_view name, Field value) {
        const auto found = std::ranges::find(computed.info->fields, name, &FieldInfo::name);
        computed.fields[static_cast<std::size_t>(found - computed.info->fields.begin())] = std::move(value);
        return *this;
    }

    /// The numbers of the result, or an error's message.
    template <class T>
    std::vector<T> result(Sizes sizes) {
        const auto values = compute<T>(std::move(sizes));
        if (!values) {
            ADD_FAILURE() << values.error().toString();
            return {};
        }
        const ReferenceTensor* const tensor = values->front().template as<ReferenceTensor>();
        const auto* const first = tensor->view.data<T>();
        return {first, first + tensor->view.numel()};
    }
    std::string error(Sizes sizes) {
        const auto values = compute<std::int32_t>(std::move(sizes));
        return values ? std::string() : values.error().toString();
    }

  private:
    template <class T>
    std::shared_ptr<std::vector<T>> keep(std::vector<T> numbers) {
        auto kept = std::make_shared<std::vector<T>>(std::move(numbers));
        owners.push_back(kept);
        return kept;
    }
    template <class T>
    TensorIndex add(Sizes sizes) {
        payload.blocks[0].tensors.push_back({.sizes = std::move(sizes), .datatype = codeOf<T>()});
        return static_cast<TensorIndex>(payload.blocks[0].tensors.size() - 1);
    }
    template <class T>
    Result<std::vector<ReferenceValue>> compute(Sizes sizes) {
        Block& block = payload.blocks[0];
        computed.outputs = {add<T>(std::move(sizes))};
        block.outputs = computed.outputs;
        block.operators = {constants, computed};
        ET_ASSIGN(const auto record, recordOf(payload));
        const kernels::ThreadPool threads;
        ET_ASSIGN(const auto interpreter,
                  reference::Interpreter::edge(*record, "forward",
                                               {.kernels = kernels::builtin(), .threads = threads}));
        return interpreter->run(given);
    }

    Payload payload;
    Operator constants;
    Operator computed;
    std::vector<ReferenceValue> given;
    std::vector<std::shared_ptr<const void>> owners;
};

OneOperator rescale(std::vector<std::int32_t> numbers, std::vector<std::int32_t> multipliers,
                    std::vector<std::int8_t> shifts) {
    OneOperator made("RESCALE");
    const auto count = static_cast<std::int64_t>(numbers.size());
    const auto scales = static_cast<std::int64_t>(shifts.size());
    made.input(std::move(numbers), {count})
        .constant(std::move(multipliers), {scales})
        .constant(std::move(shifts), {scales})
        .constant<std::int32_t>({0}, {1});
    return made;
}

TEST(TosaOperatorsTest, RescaleRoundsHalvesUp) {
    auto made = rescale({3, -3, 2'000'000, 5, -5}, {1 << 30}, {31});
    made.constant<std::int8_t>({-1}, {1});
    EXPECT_THAT(made.result<std::int8_t>({5}), ElementsAre(1, -2, 127, 2, -3));
}

TEST(TosaOperatorsTest, RescaleMultipliesIn64Bits) {
    auto made = rescale({0x7FFF'FFFF, -0x7FFF'FFFF - 1}, {0x7FFF'FFFF}, {32});
    made.constant<std::int32_t>({0}, {1});
    EXPECT_THAT(made.result<std::int32_t>({2}), ElementsAre(1073741823, -1073741823));
}

/// Double rounding adds 2^30 to the product; single rounding gives 0 here.
TEST(TosaOperatorsTest, RescaleRoundsTwice) {
    constexpr std::int32_t multiplier = 0x7000'0000;
    auto once = rescale({4, -4}, {multiplier}, {34});
    once.constant<std::int32_t>({0}, {1}).field("rounding", std::int64_t{1});
    EXPECT_THAT(once.result<std::int32_t>({2}), ElementsAre(0, 0));
    auto twice = rescale({4, -4}, {multiplier}, {34});
    twice.constant<std::int32_t>({0}, {1}).field("rounding", std::int64_t{3});
    const std::int64_t product = std::int64_t{4} * multiplier;
    const std::int64_t half = std::int64_t{1} << 33;
    const std::int64_t extra = std::int64_t{1} << 30;
    EXPECT_THAT(twice.result<std::int32_t>({2}),
                ElementsAre((product + half + extra) >> 34, (-product + half - extra) >> 34));
}

TEST(TosaOperatorsTest, RescaleHasAScalePerChannel) {
    auto made = rescale({100, 100, 100}, {1 << 30, 1 << 30, 1 << 30}, {30, 31, 32});
    made.constant<std::int8_t>({0}, {1}).field("per channel", std::int64_t{1});
    EXPECT_THAT(made.result<std::int8_t>({3}), ElementsAre(100, 50, 25));
}

TEST(TosaOperatorsTest, RescaleReadsAndWritesUnsignedNumbers) {
    OneOperator made("RESCALE");
    made.input<std::int8_t>({-1, 0, 127, -128}, {4})  // 255, 0, 127, 128
        .constant<std::int32_t>({1 << 30}, {1})
        .constant<std::int8_t>({30}, {1})
        .constant<std::int8_t>({-128}, {1})  // 128
        .constant<std::int8_t>({0}, {1})
        .field("unsigned input", std::int64_t{1});
    EXPECT_THAT(made.result<std::int8_t>({4}), ElementsAre(127, -128, -1, 0));
    OneOperator back("RESCALE");
    back.input<std::int8_t>({127, -128, -1, 0}, {4})
        .constant<std::int32_t>({1 << 30}, {1})
        .constant<std::int8_t>({30}, {1})
        .constant<std::int8_t>({0}, {1})
        .constant<std::int8_t>({-128}, {1})
        .field("unsigned output", std::int64_t{1});
    EXPECT_THAT(back.result<std::int8_t>({4}), ElementsAre(-1, 0, 127, -128));
}

TEST(TosaOperatorsTest, RescaleRefusesShiftsOutOfRange) {
    auto made = rescale({1}, {1}, {-1});
    made.constant<std::int32_t>({0}, {1});
    EXPECT_THAT(made.error({1}), HasSubstr("node n0 (RESCALE): expected shifts from 0 to 62"));
}

TEST(TosaOperatorsTest, RightShiftsRoundIfTheFieldSaysSo) {
    const auto shifted = [](std::int64_t round) {
        OneOperator made("ARITHMETIC_RIGHT_SHIFT");
        made.input<std::int32_t>({7, -7, 6, 5}, {4})
            .constant<std::int32_t>({1, 1, 2, 0}, {4})
            .field("round", round);
        return made.result<std::int32_t>({4});
    };
    EXPECT_THAT(shifted(0), ElementsAre(3, -4, 1, 5));
    EXPECT_THAT(shifted(1), ElementsAre(4, -3, 2, 5));
}

TEST(TosaOperatorsTest, LogicalShiftsMoveZeros) {
    OneOperator right("LOGICAL_RIGHT_SHIFT");
    right.input<std::int8_t>({-128, 64}, {2}).constant<std::int8_t>({7, 1}, {2});
    EXPECT_THAT(right.result<std::int8_t>({2}), ElementsAre(1, 32));
    OneOperator left("LOGICAL_LEFT_SHIFT");
    left.input<std::int8_t>({1, 3}, {2}).constant<std::int8_t>({7, 7}, {2});
    EXPECT_THAT(left.result<std::int8_t>({2}), ElementsAre(-128, -128));
}

TEST(TosaOperatorsTest, TablesOfInt16AreInterpolated) {
    std::vector<std::int16_t> numbers(513);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<std::int16_t>(3 * i);
    }
    OneOperator made("TABLE");
    made.input<std::int16_t>({-32768, -32767, 0, 32767}, {4}).constant(std::move(numbers), {513});
    EXPECT_THAT(made.result<std::int32_t>({4}), ElementsAre(0, 3, 256 * 3 * 128, 511 * 3 * 128 + 127 * 3));
}

TEST(TosaOperatorsTest, AveragesLeaveOutThePadding) {
    OneOperator made("AVG_POOL2D");
    made.input<std::int8_t>({10, 20, 30, 41}, {1, 2, 2, 1})
        .constant<std::int8_t>({0}, {1})
        .constant<std::int8_t>({-3}, {1})
        .field("kernel", Sizes{2, 2})
        .field("stride", Sizes{1, 1})
        .field("padding", Sizes{1, 0, 0, 0});
    EXPECT_THAT(made.result<std::int8_t>({1, 2, 1, 1}), ElementsAre(12, 22));
}

TEST(TosaOperatorsTest, MaximumsOfIntegersLeaveOutThePadding) {
    OneOperator made("MAX_POOL2D");
    made.input<std::int8_t>({-10, -20, -30, -40}, {1, 2, 2, 1})
        .field("kernel", Sizes{2, 2})
        .field("stride", Sizes{2, 2})
        .field("padding", Sizes{0, 0, 1, 1});
    EXPECT_THAT(made.result<std::int8_t>({1, 1, 2, 1}), ElementsAre(-10, -20));
}

TEST(TosaOperatorsTest, TransposedConvolutionsHaveOutputPadding) {
    const auto convolved = [](Sizes padding, Sizes sizes) {
        OneOperator made("TRANSPOSE_CONV2D");
        made.input<float>({1, 2}, {1, 1, 2, 1})
            .constant<float>({1, 10}, {1, 1, 2, 1})
            .constant<float>({0.5F}, {1})
            .constant<float>({0}, {1})
            .constant<float>({0}, {1})
            .field("output padding", std::move(padding))
            .field("stride", Sizes{1, 2});
        return made.result<float>(std::move(sizes));
    };
    EXPECT_THAT(convolved({0, 0, 0, 1}, {1, 1, 5, 1}), ElementsAre(1.5F, 10.5F, 2.5F, 20.5F, 0.5F));
    EXPECT_THAT(convolved({0, 0, -1, 0}, {1, 1, 3, 1}), ElementsAre(10.5F, 2.5F, 20.5F));
}

TEST(TosaOperatorsTest, RowsAreGatheredAndScattered) {
    OneOperator gather("GATHER");
    gather.input<std::int32_t>({1, 2, 3, 4, 5, 6}, {1, 3, 2}).input<std::int32_t>({2, 0}, {1, 2});
    EXPECT_THAT(gather.result<std::int32_t>({1, 2, 2}), ElementsAre(5, 6, 1, 2));
    OneOperator scatter("SCATTER");
    scatter.input<std::int32_t>({1, 2, 3, 4, 5, 6}, {1, 3, 2})
        .input<std::int32_t>({1}, {1, 1})
        .input<std::int32_t>({8, 9}, {1, 1, 2});
    EXPECT_THAT(scatter.result<std::int32_t>({1, 3, 2}), ElementsAre(1, 2, 8, 9, 5, 6));
}

TEST(TosaOperatorsTest, ReductionsKeepTheirAxis) {
    OneOperator product("REDUCE_PRODUCT");
    product.input<float>({1, 2, 3, 4}, {2, 2}).field("axis", std::int64_t{0});
    EXPECT_THAT(product.result<float>({1, 2}), ElementsAre(3, 8));
}

TEST(TosaOperatorsTest, OtherOperatorsAreNamed) {
    OneOperator made("CLZ");
    made.input<std::int32_t>({1}, {1});
    EXPECT_THAT(made.error({1}), HasSubstr("node n0 (CLZ): it cannot be computed here"));
}

}  // namespace
}  // namespace et::backends::tosa

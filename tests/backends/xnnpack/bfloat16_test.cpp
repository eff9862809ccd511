// Tests that bfloat16 values are rounded at the end of each node.

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "backends/xnnpack/nodes/stored_types.h"

#include <gmock/gmock.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t elementCount = 1000;
constexpr std::uint64_t mostMemory = std::uint64_t{1} << 30U;

struct NoStoredData final : executor::NamedDataSource {
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

float roundedTo16(float number) {
    roundNumbers(Datatype::BFloat16, std::span(&number, 1));
    return number;
}

class BFloat16Test : public testing::Test {
  protected:
    BFloat16Test() { payload.constants.resize(1); }

    ValueIndex add(Datatype type = Datatype::BFloat16) {
        PayloadValue& value = payload.values.emplace_back();
        value.datatype = type;
        value.sizes = {elementCount};
        return static_cast<ValueIndex>(payload.values.size() - 1);
    }
    ValueIndex addNode(NodeKind kind, std::vector<ValueIndex> from, Datatype type = Datatype::BFloat16) {
        const ValueIndex to = add(type);
        payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(kind)),
                                 .inputs = std::move(from),
                                 .outputs = {to}});
        return to;
    }
    void setInput(ValueIndex value) {
        payload.values[value].isInput = true;
        payload.externals.push_back(value);
    }
    void setOutput(ValueIndex value) {
        payload.values[value].isOutput = true;
        payload.externals.push_back(value);
    }
    std::vector<float> run(std::vector<float> input) {
        const NoStoredData none;
        const auto constants = ConstantData::find(payload, none);
        Shapes shapes = exportedShapes(payload);
        EXPECT_TRUE(followShapes(payload, shapes, mostMemory));
        const kernels::ThreadPool threads(1);
        auto shared = SharedMemory::make();
        auto runtime = GraphRuntime::make(payload, *constants, shapes, *shared, threads, {}, mostMemory);
        EXPECT_TRUE(runtime) << runtime.error().toString();
        EXPECT_TRUE(runtime->reshape(shapes));
        input.resize(elementCount + XNN_EXTRA_BYTES);
        std::vector<float> output(elementCount);
        const std::array<void*, 2> places{input.data(), output.data()};
        EXPECT_TRUE(runtime->run(places));
        return output;
    }

    Payload payload;
};

std::vector<float> bfloat16Numbers() {
    std::vector<float> numbers(elementCount);
    for (std::size_t i = 0; i < elementCount; ++i) {
        numbers[i] = roundedTo16(0.003F * static_cast<float>(i) - 1.4F);
    }
    return numbers;
}

TEST_F(BFloat16Test, EveryNodeRoundsItsResult) {
    const ValueIndex x = add();
    setInput(x);
    const ValueIndex square = addNode(NodeKind::Multiply, {x, x});
    const ValueIndex sum = addNode(NodeKind::Add, {square, x});
    setOutput(addNode(NodeKind::Multiply, {sum, square}));
    const std::vector<float> numbers = bfloat16Numbers();
    const std::vector<float> made = run(numbers);
    std::size_t differs = 0;
    for (std::size_t i = 0; i < elementCount; ++i) {
        const float number = numbers[i];
        const float squared = roundedTo16(number * number);
        const float added = roundedTo16(squared + number);
        EXPECT_EQ(made[i], roundedTo16(added * squared)) << number;
        differs += made[i] != roundedTo16((number * number + number) * (number * number)) ? 1U : 0U;
    }
    EXPECT_GT(differs, 0U) << "rounding only at the end gives other numbers";
}

TEST_F(BFloat16Test, RoundsAfterAClampThatMayBeFused) {
    const ValueIndex x = add();
    setInput(x);
    const ValueIndex square = addNode(NodeKind::Multiply, {x, x});
    const ValueIndex clamped = addNode(NodeKind::Clamp, {square});
    payload.nodes.back().range = OutputRange{.min = 0.25F, .max = 1};
    setOutput(clamped);
    EXPECT_THAT(roundedValues(payload), ElementsAre(false, false, true));
    const std::vector<float> numbers = bfloat16Numbers();
    const std::vector<float> made = run(numbers);
    for (std::size_t i = 0; i < elementCount; ++i) {
        EXPECT_EQ(made[i], std::clamp(roundedTo16(numbers[i] * numbers[i]), 0.25F, 1.0F)) << numbers[i];
    }
    payload.nodes.back().range = OutputRange{.min = 0.1F, .max = 1};
    EXPECT_THAT(roundedValues(payload), ElementsAre(false, true, true)) << "0.1 is not a bfloat16";
    payload.nodes.back().range = OutputRange{.min = 0, .max = 1};
    payload.values[square].isOutput = true;
    EXPECT_THAT(roundedValues(payload), ElementsAre(false, true, false)) << "the caller reads both";
}

TEST_F(BFloat16Test, OnlyRoundsWhatIsNotExact) {
    const ValueIndex x = add();
    setInput(x);
    const ValueIndex negative = addNode(NodeKind::Negate, {x});
    const ValueIndex wide = addNode(NodeKind::Convert, {negative}, Datatype::Fp32);
    const ValueIndex narrow = addNode(NodeKind::Convert, {wide});
    setOutput(addNode(NodeKind::Maximum, {narrow, x}));
    EXPECT_THAT(roundedValues(payload), ElementsAre(false, false, false, true, false));
    for (PayloadValue& value : payload.values) {
        value.datatype = Datatype::Fp32;
    }
    EXPECT_THAT(roundedValues(payload), testing::Each(false));
}

}  // namespace
}  // namespace et::backends::xnnpack

#include "runtime/program/program.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"

#include <gtest/gtest.h>

#include <limits>

namespace et::program {
namespace {

/// Reads a method that has only these values.
class ProgramValuesTest : public testing::Test {
  protected:
    const std::vector<Value>& read(std::vector<test::ValueSpec> values) {
        const test::ProgramSpec spec{.methods = {{.values = std::move(values)}}};
        const auto parsed = test::parseBytes<Program>(test::writeProgram(spec));
        EXPECT_TRUE(parsed) << parsed.error().toString();
        program = parsed.value_or(nullptr);
        return program != nullptr ? program->methods[0].values : none;
    }

    std::vector<Value> none;
    std::shared_ptr<const Program> program;
};

TEST_F(ProgramValuesTest, ReadsScalars) {
    const auto& values =
        read({std::monostate(), std::numeric_limits<std::int64_t>::min(), true, -0.5, "sum"});
    ASSERT_EQ(values.size(), 5U);
    EXPECT_TRUE(values[0].is<std::monostate>());
    EXPECT_EQ(*values[1].as<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(*values[2].as<bool>(), true);
    EXPECT_EQ(*values[3].as<double>(), -0.5);
    EXPECT_EQ(*values[4].as<std::string_view>(), "sum");
}

TEST_F(ProgramValuesTest, ReadsLists) {
    const auto& values =
        read({std::int64_t{7}, test::TensorSpec{}, std::monostate(), test::IntListSpec{{0, 0}},
              test::DoubleListSpec{{0.5, 2}}, test::BoolListSpec{{1, 0}}, test::TensorListSpec{{1}},
              test::OptionalTensorListSpec{{1, -1, 2}}});
    ASSERT_EQ(values.size(), 8U);
    EXPECT_EQ(values[3].as<IntList>()->items, (std::vector{ValueId(0), ValueId(0)}));
    EXPECT_EQ(values[4].as<DoubleList>()->items, (std::vector{0.5, 2.0}));
    EXPECT_EQ(values[5].as<BoolList>()->items, (std::vector{true, false}));
    EXPECT_EQ(values[6].as<TensorList>()->items, std::vector{ValueId(1)});
    const auto& optional = values[7].as<OptionalTensorList>()->items;
    ASSERT_EQ(optional.size(), 3U);
    EXPECT_EQ(optional[0], ValueId(1));
    EXPECT_FALSE(optional[1]);
    EXPECT_EQ(optional[2], ValueId(2)) << "a Null value is none as well";
}

TEST_F(ProgramValuesTest, ReadsTensors) {
    const auto& values =
        read({test::TensorSpec{.scalarType = 15,
                               .sizes = {1, 4, 2, 2},
                               .dimOrder = {0, 2, 3, 1},
                               .allocation = test::AllocationSpec{.arena = 1, .offset = 64},
                               .extra = test::ExtraSpec{.name = "x", .deviceType = 1, .deviceIndex = 2},
                               .dynamism = 1}});
    const auto& tensor = *values[0].as<TensorInfo>();
    EXPECT_EQ(tensor.scalarType, 15);
    EXPECT_EQ(tensor.sizes, (std::vector<std::int64_t>{1, 4, 2, 2}));
    EXPECT_EQ(tensor.dimOrder, (std::vector<std::uint8_t>{0, 2, 3, 1}));
    EXPECT_EQ(tensor.byteSize, 32);
    EXPECT_EQ(tensor.allocation, (Allocation{.arena = ArenaId(1), .offset = 64}));
    EXPECT_EQ(tensor.dynamism, ShapeDynamism::Bounded);
    EXPECT_EQ(tensor.initialData, InitialData::None);
    EXPECT_EQ(tensor.device, (Device{.type = 1, .index = 2}));
    EXPECT_EQ(tensor.name, "x");
}

TEST_F(ProgramValuesTest, KeepsAnUnknownDtype) {
    const auto& values = read({test::TensorSpec{.scalarType = 99, .allocation = test::AllocationSpec{}}});
    const auto& tensor = *values[0].as<TensorInfo>();
    EXPECT_EQ(tensor.scalarType, 99);
    EXPECT_FALSE(tensor.byteSize);
}

TEST_F(ProgramValuesTest, AnUnboundedTensorNeedsNoRoomYet) {
    const auto& values = read({test::TensorSpec{
        .sizes = {1000, 1000}, .allocation = test::AllocationSpec{.arena = 1, .offset = 96}, .dynamism = 2}});
    EXPECT_EQ(values[0].as<TensorInfo>()->dynamism, ShapeDynamism::Unbounded);
}

TEST_F(ProgramValuesTest, NamesAllTypes) {
    const std::vector<std::string_view> names{"Null",
                                              "Int",
                                              "Bool",
                                              "Double",
                                              "Tensor",
                                              "String",
                                              "IntList",
                                              "DoubleList",
                                              "BoolList",
                                              "TensorList",
                                              "OptionalTensorList"};
    const auto& values = read({std::monostate(), std::int64_t{}, false, 0.0, test::TensorSpec{}, "",
                               test::IntListSpec{}, test::DoubleListSpec{}, test::BoolListSpec{},
                               test::TensorListSpec{}, test::OptionalTensorListSpec{}});
    ASSERT_EQ(values.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(valueTypeName(values[i]), names[i]);
    }
}

}  // namespace
}  // namespace et::program

// Tests of the inputs that --input creates for a method.
#include "app/tasks/model/inputs.h"

#include "runtime/program/value.h"
#include "tests/etrecord/zip_builder.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <numeric>

namespace et::tasks {
namespace {

using executor::TensorInput;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t room = 1 << 20;

program::TensorInfo tensor(core::ScalarType type, const std::vector<std::int64_t>& sizes) {
    program::TensorInfo info;
    info.scalarType = static_cast<std::int8_t>(type);
    info.dimOrder.resize(sizes.size());
    std::ranges::iota(info.dimOrder, std::uint8_t{0});
    info.sizes = sizes;
    return info;
}

/// Builds a method with these inputs.
program::Method method(std::vector<program::Value> values) {
    program::Method made;
    made.values = std::move(values);
    for (std::uint32_t i = 0; i < made.values.size(); ++i) {
        made.inputs.emplace_back(i);
    }
    return made;
}

core::Result<InputSet> make(const program::Method& called, std::vector<std::string> texts,
                            std::uint64_t seed = 0) {
    return makeInputs(called, texts, seed, room);
}

template <class T>
std::vector<T> elements(const InputSet& inputs, std::size_t index) {
    const core::Bytes bytes = std::get<TensorInput>(inputs.values[index]).data;
    std::vector<T> numbers(bytes.size() / sizeof(T));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

TEST(Inputs, AWordOrNumberFillsATensorOfItsDtype) {
    using enum core::ScalarType;
    const auto called = method({tensor(Float, {2}), tensor(Long, {3}), tensor(Byte, {2}), tensor(Bool, {1}),
                                tensor(Half, {1}), tensor(ComplexFloat, {1})});
    const auto inputs = make(called, {"ones", "zeros", "300", "2", "-0.5", "ones"}).value();
    EXPECT_THAT(elements<float>(inputs, 0), ElementsAre(1, 1));
    EXPECT_THAT(elements<std::int64_t>(inputs, 1), ElementsAre(0, 0, 0));
    EXPECT_THAT(elements<std::uint8_t>(inputs, 2), ElementsAre(44, 44));
    EXPECT_THAT(elements<std::uint8_t>(inputs, 3), ElementsAre(1));
    EXPECT_THAT(elements<std::uint16_t>(inputs, 4), ElementsAre(0xB800));
    EXPECT_THAT(inputs.sources, ElementsAre("ones", "zeros", "300", "2", "-0.5", "ones"));
    EXPECT_THAT(elements<float>(inputs, 5), ElementsAre(1, 0));
}

TEST(Inputs, RandomNumbersRepeatAndStayInBounds) {
    using enum core::ScalarType;
    const auto called = method({tensor(Float, {1000}), tensor(Int, {1000}), tensor(Float, {1000})});
    const auto inputs = make(called, {"random"}).value();  // a single word applies to all
    ASSERT_EQ(inputs.values.size(), 3U);
    EXPECT_THAT(elements<float>(inputs, 0), Each(testing::AllOf(testing::Ge(-1), testing::Lt(1))));
    EXPECT_THAT(elements<std::int32_t>(inputs, 1), Each(testing::AnyOf(0, 1)));
    EXPECT_EQ(elements<float>(inputs, 0), elements<float>(make(called, {"random"}).value(), 0));
    EXPECT_NE(elements<float>(inputs, 0), elements<float>(inputs, 2));
    EXPECT_NE(elements<float>(inputs, 0), elements<float>(make(called, {"random"}, 7).value(), 0));
}

TEST(Inputs, NumbersAreWhatTheProgramWasExportedFor) {
    const auto called = method({std::int64_t{3}, 2.5, true, std::monostate{}});
    const auto exported = make(called, {"random"}).value();
    EXPECT_EQ(std::get<std::int64_t>(exported.values[0]), 3);
    EXPECT_EQ(std::get<double>(exported.values[1]), 2.5);
    EXPECT_EQ(std::get<bool>(exported.values[2]), true);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(exported.values[3]));
    const auto given = make(called, {"4", "4", "false", "none"}).value();
    EXPECT_EQ(std::get<std::int64_t>(given.values[0]), 4);
    EXPECT_EQ(std::get<double>(given.values[1]), 4);
    EXPECT_EQ(std::get<bool>(given.values[2]), false);
}

TEST(Inputs, ErrorNamesTheExpectedCount) {
    const auto called = method({tensor(core::ScalarType::Float, {2, 3}), std::int64_t{3}});
    const auto few = make(called, {"1"});
    ASSERT_FALSE(few);
    EXPECT_EQ(few.error().toString(), "expected 2 inputs: float32 [2, 3], Int, got 1");
    const auto many = make(called, {"1", "3", "4"});
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().toString(), "expected 2 inputs: float32 [2, 3], Int, got 3");
    EXPECT_EQ(many.error().code, core::ErrorCode::InvalidArgument);
}

TEST(Inputs, ReadsRawFilesAsTheProgramDescribesThem) {
    const test::ScratchFolder folder;
    const std::string path = (folder.path() / "x.bin").string();
    std::ofstream(path, std::ios::binary) << "abcdef";
    const auto called = method({tensor(core::ScalarType::Byte, {2, 3})});
    EXPECT_THAT(elements<char>(make(called, {path}).value(), 0), ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
    const auto wrong = make(method({tensor(core::ScalarType::Float, {2})}), {path});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().toString(), path + ": expected 8 bytes of raw float32 [2], got 6");
}

TEST(Inputs, ArraysOfAFileAreMatchedByNameOrPosition) {
    const test::ScratchFolder folder;
    const std::string path = (folder.path() / "x.npz").string();
    const auto array = [](std::string_view sizes, std::string_view data) {
        std::string header = fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': {}}}", sizes);
        const std::array<char, 2> length{static_cast<char>(header.size()), 0};
        return std::string("\x93NUMPY\x01\x00", 8) + std::string(length.data(), 2) + header +
               std::string(data);
    };
    std::ofstream(path, std::ios::binary)
        << test::buildZip({{.name = "label.npy", .content = array("(1,)", "l")},
                           {.name = "b.npy", .content = array("(2,)", "xy")},
                           {.name = "a.npy", .content = array("(1,)", "z")}});
    const auto input = [](std::string_view name, std::int64_t size) {
        program::TensorInfo info = tensor(core::ScalarType::Byte, {size});
        info.name = name;
        return info;
    };
    const auto named = make(method({input("a", 1), input("b", 2)}), {path});
    ASSERT_TRUE(named) << named.error().toString();
    EXPECT_THAT(elements<char>(*named, 0), ElementsAre('z'));
    EXPECT_THAT(elements<char>(*named, 1), ElementsAre('x', 'y'));
    EXPECT_THAT(named->sources, ElementsAre(path + ": a", path + ": b"));
    const auto placed = make(method({input("", 1), input("", 2), input("", 1)}), {path});
    ASSERT_TRUE(placed) << placed.error().toString();
    EXPECT_THAT(elements<char>(*placed, 0), ElementsAre('l'));
    const auto many = make(method({input("", 1), input("b", 2)}), {path});
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().toString(),
              path +
                  ": expected 2 inputs: uint8 [1], uint8 [2], got 3: label: uint8 [1], "
                  "b: uint8 [2], a: uint8 [1]");
}

TEST(Inputs, RespectsTheMemoryLimit) {
    const auto called =
        method({tensor(core::ScalarType::Float, {1 << 17}), tensor(core::ScalarType::Float, {1 << 17}),
                tensor(core::ScalarType::Float, {1})});
    const auto large = make(called, {"ones"});
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, core::ErrorCode::Limit);
    EXPECT_THAT(large.error().toString(), HasSubstr("inputs[2]"));
}

}  // namespace
}  // namespace et::tasks

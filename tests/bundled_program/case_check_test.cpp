#include "bundled_program/case_check.h"

#include "runtime/builder/method_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::bundled_program {
namespace {

using core::ScalarType;
using program::ShapeDynamism;
using testing::HasSubstr;

BundledTensor tensor(std::vector<std::int64_t> sizes, ScalarType dtype = ScalarType::Float,
                     std::vector<std::uint8_t> order = {0, 1}) {
    return {.scalarType = static_cast<std::int8_t>(dtype),
            .sizes = std::move(sizes),
            .dimOrder = std::move(order),
            .data = {}};
}

/// Builds a method with inputs: a float tensor of 2x3, one of at most 4x5, one of 2x3 in column order, and
/// the int 3. It returns the first.
class CaseCheckTest : public testing::Test {
  protected:
    CaseCheckTest() {
        const auto x = builder.input({.sizes = {2, 3}});
        static_cast<void>(builder.input({.sizes = {4, 5}, .dynamism = ShapeDynamism::Bounded}));
        static_cast<void>(builder.input({.sizes = {2, 3}, .dimOrder = {1, 0}}));
        builder.markInput(builder.integer(3));
        builder.output(x);
        method = builder.finish().value();
    }

    std::string check() const {
        const auto checked = checkCase(method, testCase);
        return checked ? "" : checked.error().message;
    }

    builder::MethodBuilder builder{"forward"};
    program::Method method;
    TestCase testCase{.inputs = {tensor({2, 3}), tensor({1, 5}), tensor({2, 3}, ScalarType::Float, {1, 0}),
                                 std::int64_t{3}},
                      .expectedOutputs = {tensor({2, 3})}};
};

TEST_F(CaseCheckTest, AcceptsMatchingInputs) {
    EXPECT_EQ(check(), "");
}

TEST_F(CaseCheckTest, CountsInputsAndOutputs) {
    testCase.inputs.pop_back();
    EXPECT_EQ(
        check(),
        "method \"forward\": expected 4 inputs: float32 [2, 3], float32 [4, 5] at most, float32 [2, 3], "
        "Int, got 3");
    testCase.inputs.emplace_back(std::int64_t{3});
    testCase.expectedOutputs.clear();
    EXPECT_EQ(check(), "method \"forward\": expected 1 output: float32 [2, 3], got 0");
}

TEST_F(CaseCheckTest, ComparesDtypeAndSizes) {
    testCase.inputs[0] = tensor({2, 3}, ScalarType::Int);
    EXPECT_EQ(check(), "method \"forward\", input 0: expected float32 [2, 3], got int32 [2, 3]");
    testCase.inputs[0] = tensor({2, 4});
    EXPECT_EQ(check(), "method \"forward\", input 0: expected float32 [2, 3], got float32 [2, 4]");
    testCase.inputs[0] = tensor({6}, ScalarType::Float, {0});
    EXPECT_EQ(check(), "method \"forward\", input 0: expected float32 [2, 3], got float32 [6]");
}

TEST_F(CaseCheckTest, ChecksShapeBounds) {
    testCase.inputs[1] = tensor({4, 5});
    EXPECT_EQ(check(), "");
    testCase.inputs[1] = tensor({5, 5});
    EXPECT_EQ(check(), "method \"forward\", input 1: expected float32 [4, 5] at most, got float32 [5, 5]");
}

TEST_F(CaseCheckTest, AsksForThePlannedDimOrder) {
    testCase.inputs[2] = tensor({2, 3});
    EXPECT_EQ(check(), "method \"forward\", input 2: expected dim order [1, 0], got [0, 1]");
}

TEST_F(CaseCheckTest, ComparesConstantScalarInputs) {
    testCase.inputs[3] = std::int64_t{4};
    EXPECT_THAT(check(), HasSubstr("input 3: expected 3, for which the method was exported, got 4"));
    testCase.inputs[3] = 3.0;
    EXPECT_THAT(check(), HasSubstr("input 3: expected Int, got Double"));
    testCase.inputs[3] = std::int64_t{3};
    testCase.expectedOutputs[0] = std::monostate();
    EXPECT_EQ(check(), "method \"forward\", output 0: expected float32 [2, 3], got None");
}

}  // namespace
}  // namespace et::bundled_program

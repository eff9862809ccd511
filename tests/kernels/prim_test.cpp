#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

namespace et::test {
namespace {

using core::Tensor;
using testing::ElementsAre;

/// Result of an operator on scalars as text: "-4", "2.5 float", "true", "error".
std::string compute(std::string_view name, std::initializer_list<core::Scalar> numbers) {
    KernelCall call;
    for (const core::Scalar& number : numbers) {
        if (number.isBool()) {
            call.add(number.to<bool>());
        } else if (number.isInt()) {
            call.add(number.to<std::int64_t>());
        } else {
            call.add(number.to<double>());
        }
    }
    const core::Value& out = call.add(std::int64_t{0});
    const auto done = call.run("executorch_prim::" + std::string(name) + ".Scalar");
    const auto number = out.scalar();
    if (!done || !number) {
        return "error";
    }
    if (number->isBool()) {
        return number->to<bool>() ? "true" : "false";
    }
    return number->isInt() ? fmt::format("{}", number->to<std::int64_t>())
                           : fmt::format("{} float", number->to<double>());
}

std::int64_t operator""_i(unsigned long long number) {
    return static_cast<std::int64_t>(number);
}

TEST(Prim, DividesIntegersAsPythonDoes) {
    EXPECT_EQ(compute("floordiv", {7_i, 2_i}), "3");
    EXPECT_EQ(compute("floordiv", {-7_i, 2_i}), "-4");
    EXPECT_EQ(compute("floordiv", {7_i, -2_i}), "-4");
    EXPECT_EQ(compute("floordiv", {-7_i, -2_i}), "3");
    EXPECT_EQ(compute("floordiv", {-6_i, 2_i}), "-3");
    EXPECT_EQ(compute("floordiv", {min, -1_i}), "-9223372036854775808");
    EXPECT_EQ(compute("mod", {7_i, -3_i}), "-2");
    EXPECT_EQ(compute("mod", {-7_i, 3_i}), "2");
    EXPECT_EQ(compute("mod", {min, -1_i}), "0");
}

TEST(Prim, DividesFloatsAsPythonDoes) {
    EXPECT_EQ(compute("floordiv", {-7.5, 2.0}), "-4 float");
    EXPECT_EQ(compute("floordiv", {7_i, 0.1}), "69 float");
    EXPECT_EQ(compute("mod", {-7.5, 2_i}), "0.5 float");
    EXPECT_EQ(compute("truediv", {7_i, 2_i}), "3.5 float");
}

TEST(Prim, RefusesDivisionByZero) {
    for (const std::string_view name : {"floordiv", "truediv", "mod"}) {
        EXPECT_EQ(compute(name, {1_i, 0_i}), "error") << name;
        EXPECT_EQ(compute(name, {1.0, 0.0}), "error") << name;
        EXPECT_EQ(compute(name, {1.0, false}), "error") << name;
    }
}

TEST(Prim, WrapsAround) {
    EXPECT_EQ(compute("add", {max, 1_i}), "-9223372036854775808");
    EXPECT_EQ(compute("sub", {min, 1_i}), "9223372036854775807");
    EXPECT_EQ(compute("mul", {min, -1_i}), "-9223372036854775808");
    EXPECT_EQ(compute("neg", {min}), "-9223372036854775808");
}

TEST(Prim, MixesKinds) {
    EXPECT_EQ(compute("add", {1_i, 0.5}), "1.5 float");
    EXPECT_EQ(compute("add", {true, true}), "2");
    EXPECT_EQ(compute("sym_max", {2_i, 1.5}), "2 float");
    EXPECT_EQ(compute("lt", {1_i, 1.5}), "true");
    EXPECT_EQ(compute("eq", {std::nan(""), std::nan("")}), "false");
    EXPECT_EQ(compute("sym_not", {3_i}), "false");
    EXPECT_EQ(compute("sym_float", {true}), "1 float");
    EXPECT_EQ(compute("sym_ite", {false, 1_i, 2.5}), "2.5 float");
}

TEST(Prim, RoundsHalvesToTheEvenNumber) {
    EXPECT_EQ(compute("round", {2.5}), "2");
    EXPECT_EQ(compute("round", {-3.5}), "-4");
    EXPECT_EQ(compute("ceil", {-0.5}), "0");
    EXPECT_EQ(compute("trunc", {-2.7}), "-2");
    EXPECT_EQ(compute("floor", {std::nan("")}), "error");
    EXPECT_EQ(compute("ceil", {1e19}), "error");
}

TEST(Prim, WritesOnlyWhereNumbersAre) {
    KernelCall call;
    call.add(std::int64_t{1});
    call.add(std::int64_t{2});
    call.emptyTensor<float>({2});
    EXPECT_FALSE(call.run("executorch_prim::add.Scalar"));
}

TEST(Prim, KnowsSizes) {
    KernelCall call;
    call.emptyTensor<float>({2, 3});
    call.add(std::int64_t{-1});
    core::Value& out = call.add(std::int64_t{0});
    ASSERT_TRUE(call.run("aten::sym_size.int"));
    EXPECT_EQ(out.scalar().value_or(0_i).to<std::int64_t>(), 3);
    ASSERT_TRUE(call.run("aten::sym_stride.int"));
    EXPECT_EQ(out.scalar().value_or(0_i).to<std::int64_t>(), 1);
    call.argument(1).set(std::int64_t{2});
    EXPECT_FALSE(call.run("aten::sym_size.int"));
}

TEST(Prim, TakesANumberOutOfATensor) {
    KernelCall call;
    call.tensor<bool>({1, 1}, {true});
    core::Value& out = call.add(std::int64_t{0});
    ASSERT_TRUE(call.run("aten::_local_scalar_dense"));
    EXPECT_TRUE(out.scalar().value_or(0_i).isBool());

    KernelCall two;
    two.emptyTensor<float>({2});
    two.add(0.0);
    EXPECT_FALSE(two.run("aten::_local_scalar_dense"));
}

TEST(CopyIndex, AppendsRowsToTheResult) {
    KernelCall call;
    Tensor& to = call.resizableTensor<float>({3, 2});
    call.tensor<float>({2}, {1, 2});
    call.add(std::int64_t{0});
    ASSERT_TRUE(call.run("executorch_prim::et_copy_index.tensor"));
    EXPECT_EQ(to.sizes(), (core::Sizes{1, 2}));
    call.argument(2).set(std::int64_t{1});
    call.argument(1).as<Tensor>()->mutableData<float>()[0] = 7;
    ASSERT_TRUE(call.run("executorch_prim::et_copy_index.tensor"));
    EXPECT_THAT(elements<float>(to), ElementsAre(1, 2, 7, 2));
    for (const std::int64_t index :
         {std::int64_t{-1}, std::int64_t{3}, std::numeric_limits<std::int64_t>::max()}) {
        call.argument(2).set(index);
        EXPECT_FALSE(call.run("executorch_prim::et_copy_index.tensor")) << index;
    }
}

TEST(CopyIndex, RejectsMismatchedRows) {
    KernelCall call;
    call.emptyTensor<float>({3, 2});
    call.emptyTensor<float>({3});
    call.add(std::int64_t{0});
    EXPECT_FALSE(call.run("executorch_prim::et_copy_index.tensor"));

    KernelCall otherType;
    otherType.emptyTensor<float>({3, 2});
    otherType.emptyTensor<std::int32_t>({2});
    otherType.add(std::int64_t{0});
    EXPECT_FALSE(otherType.run("executorch_prim::et_copy_index.tensor"));
}

TEST(View, SharesTheMemory) {
    KernelCall call;
    Tensor& self = call.tensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
    call.ints({-1, 2});
    Tensor& out = call.resizableTensor<float>({6, 1});
    ASSERT_TRUE(call.run("executorch_prim::et_view.default"));
    EXPECT_EQ(out.raw(), self.raw());
    EXPECT_EQ(out.sizes(), (core::Sizes{3, 2}));
}

TEST(View, RefusesSizesThatDoNotFit) {
    for (const auto sizes :
         {std::initializer_list<std::int64_t>{4, 2}, {-1, -1}, {-1, 4}, {-2, 3}, {0, -1}, {INT64_MAX, 4}}) {
        KernelCall call;
        call.emptyTensor<float>({2, 3});
        call.ints(sizes);
        Tensor& out = call.resizableTensor<float>({6, 1});
        const auto* memory = out.raw();
        EXPECT_FALSE(call.run("executorch_prim::et_view.default"));
        EXPECT_EQ(out.raw(), memory);
        EXPECT_EQ(out.sizes(), (core::Sizes{6, 1}));
    }
}

TEST(View, OfAWeightIsOneAndNeverAnotherWeight) {
    KernelCall call;
    call.emptyTensor<float>({4}).setConstant(true);
    call.ints({2, 2});
    Tensor& out = call.resizableTensor<float>({2, 2});
    ASSERT_TRUE(call.run("executorch_prim::et_view.default"));
    EXPECT_TRUE(out.isConstant());
    EXPECT_TRUE(call.run("executorch_prim::et_view.default")) << "the next time it is one already";

    KernelCall weights;
    weights.emptyTensor<float>({4}).setConstant(true);
    weights.ints({2, 2});
    weights.resizableTensor<float>({2, 2}).setConstant(true);
    EXPECT_FALSE(weights.run("executorch_prim::et_view.default"));
}

TEST(Select, SharesTheMemory) {
    KernelCall call;
    Tensor& self = call.tensor<float>({3, 2}, {0, 1, 2, 3, 4, 5});
    call.add(std::int64_t{0});
    call.add(std::int64_t{-1});
    Tensor& out = call.emptyTensor<float>({2});
    ASSERT_TRUE(call.run("executorch_prim::et_select.default"));
    EXPECT_EQ(out.raw(), self.raw() + 4 * sizeof(float));
    call.argument(2).set(std::int64_t{3});
    EXPECT_FALSE(call.run("executorch_prim::et_select.default"));
    call.argument(1).set(std::int64_t{1});
    call.argument(2).set(std::int64_t{0});
    EXPECT_FALSE(call.run("executorch_prim::et_select.default")) << "columns do not lie together";
}

}  // namespace
}  // namespace et::test

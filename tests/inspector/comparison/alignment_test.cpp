#include "inspector/comparison/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace et::inspector {
namespace {

OperatorTimes kernel(const std::string& name, std::initializer_list<std::int64_t> handles = {}) {
    OperatorTimes times{.name = name};
    for (const std::int64_t handle : handles) {
        times.handles.emplace_back(handle);
    }
    return times;
}

/// Returns the pairing as text: "add=add mul- +relu".
std::string textOf(const std::vector<AlignedPair>& pairs, const std::vector<OperatorTimes>& a,
                   const std::vector<OperatorTimes>& b) {
    std::string text;
    for (const AlignedPair& pair : pairs) {
        text += text.empty() ? "" : " ";
        if (pair.a && pair.b) {
            text +=
                a[*pair.a].name + (pair.alignment == Alignment::DebugHandle ? "~" : "=") + b[*pair.b].name;
        } else {
            text += pair.a ? a[*pair.a].name + "-" : "+" + b[*pair.b].name;
        }
    }
    return text;
}

std::string aligned(const std::vector<OperatorTimes>& a, const std::vector<OperatorTimes>& b) {
    return textOf(alignOperators(a, b), a, b);
}

TEST(Alignment, AnInsertionMovesNothing) {
    EXPECT_EQ(aligned({kernel("add"), kernel("mul"), kernel("add")},
                      {kernel("relu"), kernel("add"), kernel("mul"), kernel("add")}),
              "+relu add=add mul=mul add=add");
}

OperatorTimes inside(OperatorKind kind, const std::string& name, std::int32_t instruction) {
    return {.name = name, .kind = kind, .chain = 0, .instruction = core::InstructionId(instruction)};
}

TEST(Alignment, DelegatesWithoutCommonOperatorsAreNotPaired) {
    using enum OperatorKind;
    const std::vector<OperatorTimes> network{inside(DelegatedOperator, "Fully Connected (F32) #1", 0),
                                             inside(DelegatedOperator, "GELU (NC) #1", 0),
                                             inside(DelegateCall, "Xnn", 0)};
    const std::vector<OperatorTimes> sum{inside(DelegatedOperator, "Add (ND) #1", 3),
                                         inside(DelegateCall, "Xnn", 3)};
    const std::vector<OperatorTimes> other{inside(DelegatedOperator, "Fully Connected (F32) #2", 1),
                                           inside(DelegateCall, "Xnn", 1)};
    EXPECT_EQ(aligned(network, sum), "Fully Connected (F32) #1- GELU (NC) #1- Xnn- +Add (ND) #1 +Xnn");
    EXPECT_EQ(aligned(network, other),
              "Fully Connected (F32) #1=Fully Connected (F32) #2 GELU (NC) #1- Xnn=Xnn");
    EXPECT_EQ(aligned({inside(DelegateCall, "Xnn", 0)}, sum), "+Add (ND) #1 Xnn=Xnn") << "unknown";
}

TEST(Alignment, RemovedOperatorsKeepTheirPosition) {
    EXPECT_EQ(aligned({kernel("conv"), kernel("relu"), kernel("add")}, {kernel("conv"), kernel("add")}),
              "conv=conv relu- add=add");
    EXPECT_EQ(aligned({kernel("a"), kernel("b")}, {}), "a- b-");
    EXPECT_EQ(aligned({}, {kernel("a"), kernel("b")}), "+a +b");
    EXPECT_EQ(aligned({}, {}), "");
}

TEST(Alignment, CountersOfTheDelegateDoNotMatter) {
    EXPECT_EQ(aligned({kernel("Add (F32) #1"), kernel("Add (F32) #2")},
                      {kernel("Mul (F32) #1"), kernel("Add (F32) #1"), kernel("Add (F32) #2")}),
              "+Mul (F32) #1 Add (F32) #1=Add (F32) #1 Add (F32) #2=Add (F32) #2");
    EXPECT_EQ(aligned({kernel("Add #1")}, {kernel("Add #2")}), "Add #1=Add #2");
}

TEST(Alignment, KindsDoNotMix) {
    OperatorTimes delegated = kernel("add");
    delegated.kind = OperatorKind::DelegatedOperator;
    EXPECT_EQ(aligned({kernel("add")}, {delegated}), "add- +add");
}

TEST(Alignment, HandlesPairReorderedOperators) {
    EXPECT_EQ(aligned({kernel("add", {1}), kernel("add", {2}), kernel("mul", {3})},
                      {kernel("mul", {3}), kernel("add", {2}), kernel("add", {1})}),
              "mul~mul add~add add~add");
    const std::vector<OperatorTimes> a{kernel("add", {1}), kernel("add", {2})};
    const std::vector<OperatorTimes> b{kernel("add", {2}), kernel("add", {1})};
    const auto pairs = alignOperators(a, b);
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].a, 1U);
    EXPECT_EQ(pairs[1].a, 0U);
}

// Exporters renumber: after an insertion each handle belongs to another operator.
TEST(Alignment, HandlesThatMovedDoNotCount) {
    const std::vector<OperatorTimes> a{kernel("add", {1}), kernel("add", {2}), kernel("mul", {3}),
                                       kernel("add", {4})};
    const std::vector<OperatorTimes> b{kernel("relu", {1}), kernel("add", {2}), kernel("add", {3}),
                                       kernel("mul", {4}), kernel("add", {5})};
    EXPECT_EQ(aligned(a, b), "+relu add=add add=add mul=mul add=add");
}

TEST(Alignment, OperatorsWithoutCommonHandlesAreAlignedByName) {
    EXPECT_EQ(aligned({kernel("add", {1}), kernel("copy"), kernel("mul", {2})},
                      {kernel("add", {1}), kernel("copy"), kernel("mul", {2})}),
              "add~add copy=copy mul~mul");
}

OperatorTimes inDelegate(const std::string& name, std::int32_t instruction = 0,
                         std::initializer_list<std::int64_t> handles = {}) {
    OperatorTimes times = kernel(name, handles);
    times.kind = OperatorKind::DelegatedOperator;
    times.backend = "XnnpackBackend";
    times.instruction = core::InstructionId(instruction);
    return times;
}

OperatorTimes call(const std::string& name, std::int32_t instruction) {
    OperatorTimes times = kernel(name);
    times.kind = OperatorKind::DelegateCall;
    times.instruction = core::InstructionId(instruction);
    return times;
}

// Another version of the library has different kernels.
TEST(Alignment, KernelsOfADelegateDoNotMatter) {
    EXPECT_EQ(
        aligned({inDelegate("Convolution (NHWC, F32) IGEMM #1"), inDelegate("Max Pooling (NHWC, F32) #1"),
                 inDelegate("Convolution (NHWC, F32) DWConv #1")},
                {inDelegate("Convolution (NHWC, F32) GEMM #1"), inDelegate("Max Pooling (NHWC, F32) #1"),
                 inDelegate("Convolution (NHWC, F32, PF32) IGEMM #1")}),
        "Convolution (NHWC, F32) IGEMM #1=Convolution (NHWC, F32) GEMM #1 "
        "Max Pooling (NHWC, F32) #1=Max Pooling (NHWC, F32) #1 "
        "Convolution (NHWC, F32) DWConv #1=Convolution (NHWC, F32, PF32) IGEMM #1");
}

TEST(Alignment, AmongKernelsOfOneTypeTheSameNamePairs) {
    EXPECT_EQ(aligned({inDelegate("Convolution (NHWC, F32) IGEMM #1")},
                      {inDelegate("Convolution (NHWC, F32) GEMM #1"),
                       inDelegate("Convolution (NHWC, F32) IGEMM #1")}),
              "+Convolution (NHWC, F32) GEMM #1 "
              "Convolution (NHWC, F32) IGEMM #1=Convolution (NHWC, F32) IGEMM #1");
}

// Later versions run a pointwise convolution as a matrix product.
TEST(Alignment, TypesOfOneFamilyPair) {
    EXPECT_EQ(aligned({inDelegate("Convolution (NHWC, F32) GEMM #1"), inDelegate("Add (ND) #1")},
                      {inDelegate("Fully Connected (NC, F32) GEMM #1"), inDelegate("Add (ND) #1")}),
              "Convolution (NHWC, F32) GEMM #1=Fully Connected (NC, F32) GEMM #1 Add (ND) #1=Add (ND) #1");
}

TEST(Alignment, HandlesPairOtherTypesOfADelegate) {
    EXPECT_EQ(aligned({inDelegate("Convolution (NHWC, F32) IGEMM #1", 0, {1}),
                       inDelegate("Convolution (NHWC, F32) GEMM #1", 0, {2})},
                      {inDelegate("Convolution (NHWC, F32) IGEMM #1", 0, {1}),
                       inDelegate("Fully Connected (NC, F32) GEMM #1", 0, {2})}),
              "Convolution (NHWC, F32) IGEMM #1~Convolution (NHWC, F32) IGEMM #1 "
              "Convolution (NHWC, F32) GEMM #1~Fully Connected (NC, F32) GEMM #1");
}

TEST(Alignment, DelegatesThatShareNothingDoNotPair) {
    EXPECT_EQ(
        aligned({call("ffn", 0), inDelegate("Fully Connected (NC, F32) GEMM #1"), inDelegate("GELU (NC) #1")},
                {call("sum", 0), inDelegate("Add (ND) #1")}),
        "ffn- Fully Connected (NC, F32) GEMM #1- GELU (NC) #1- +sum +Add (ND) #1");
    EXPECT_EQ(aligned({call("ffn", 0), inDelegate("Fully Connected (NC, F32) GEMM #1")},
                      {call("sum", 0), inDelegate("Add (ND) #1"), call("other", 2),
                       inDelegate("Fully Connected (NC, F32) GEMM #1", 2)}),
              "+sum +Add (ND) #1 ffn=other "
              "Fully Connected (NC, F32) GEMM #1=Fully Connected (NC, F32) GEMM #1");
    // Calls with unknown contents may be equal.
    EXPECT_EQ(aligned({call("ffn", 0)}, {call("sum", 0), inDelegate("Add (ND) #1")}), "ffn=sum +Add (ND) #1");
}

TEST(Alignment, LongDifferingListsFinishQuickly) {
    std::vector<OperatorTimes> a;
    std::vector<OperatorTimes> b;
    for (std::size_t i = 0; i < 6000; ++i) {
        a.push_back(kernel(i % 3 == 0 ? "add" : "mul"));
        b.push_back(kernel(i % 5 == 0 ? "add" : "relu"));
    }
    const auto pairs = alignOperators(a, b);
    EXPECT_EQ(std::ranges::count_if(pairs, [](const AlignedPair& pair) { return pair.a && pair.b; }), 1200);
}

}  // namespace
}  // namespace et::inspector

// Tests of the operator table against the kernels that it names.

#include "backends/reference/operators.h"

#include "runtime/kernels/builtin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

namespace et::backends::reference {
namespace {

std::vector<Operator> rowsWithKernels() {
    std::vector<Operator> rows;
    for (const auto table : operatorTables()) {
        std::ranges::copy_if(table, std::back_inserter(rows),
                             [](const Operator& row) { return !row.kernel.empty(); });
    }
    return rows;
}

TEST(OperatorTableTest, EveryKernelExistsAndTakesTheArgumentsOfItsRow) {
    for (const Operator& row : rowsWithKernels()) {
        const auto* entry = kernels::builtin().find(row.kernel);
        if (entry == nullptr) {
            ADD_FAILURE() << row.name << " names " << row.kernel;
            continue;
        }
        const OperatorSignature signature = signatureOf(row);
        const std::size_t results =
            static_cast<std::size_t>(std::popcount(entry->kernel.written)) +
            (entry->kernel.written == 0 ? 1U : 0U);  // a scalar result is a value, not an out argument
        EXPECT_EQ(signature.arguments.size() + results, entry->kernel.arguments) << row.name;
    }
}

TEST(OperatorTableTest, NamesAreUniqueAndEachRowComputesInOneWay) {
    std::set<std::string_view> names;
    for (const auto rows : operatorTables()) {
        for (const Operator& row : rows) {
            EXPECT_TRUE(names.insert(row.name).second) << row.name;
            EXPECT_NE(row.kernel.empty(), row.compose == nullptr) << row.name;
        }
    }
    EXPECT_GT(names.size(), 300U);
}

TEST(OperatorTableTest, DtypesOfResultsAreKnownOnes) {
    for (const Operator& row : kernelOperators()) {
        for (const std::string_view word : signatureOf(row).resultTypes) {
            EXPECT_TRUE(word == "same" ||
                        std::ranges::contains(core::scalarTypes(), word, &core::ScalarTypeInfo::torchName))
                << row.name << ": " << word;
        }
    }
}

TEST(OperatorTableTest, DefaultsAreRead) {
    const Operator* const addRow = resolveOperator("torch.ops.aten.add.Tensor").row;
    const Operator* const convolutionRow = resolveOperator("torch.ops.aten.conv2d.default").row;
    ASSERT_TRUE(addRow != nullptr && convolutionRow != nullptr);
    const auto add = signatureOf(*addRow);
    ASSERT_EQ(add.arguments.size(), 3U);
    EXPECT_FALSE(add.arguments[0].hasDefault);
    ASSERT_TRUE(add.arguments[2].hasDefault);
    const auto* alpha = add.arguments[2].defaultValue.as<std::int64_t>();
    EXPECT_TRUE(alpha != nullptr && *alpha == 1);
    const auto convolution = signatureOf(*convolutionRow);
    const auto* stride = convolution.arguments[3].defaultValue.as<ReferenceValue::List>();
    EXPECT_TRUE(stride != nullptr && stride->size() == 1);
}

TEST(OperatorTableTest, ViewsAndOperatorsInPlaceAreFoundByTheirCopies) {
    const auto view = resolveOperator("torch.ops.aten.select.int");
    EXPECT_TRUE(view.row != nullptr && view.row->name == "aten.select_copy.int");
    EXPECT_TRUE(view.view);
    const auto inPlace = resolveOperator("torch.ops.aten.mul_.Tensor");
    EXPECT_TRUE(inPlace.row != nullptr && inPlace.row->name == "aten.mul.Tensor");
    EXPECT_TRUE(inPlace.inPlace);
    const auto edge = resolveOperator("executorch.exir.dialects.edge.ops.aten.select_copy.int");
    EXPECT_FALSE(edge.view);
    const auto detached = resolveOperator("torch.ops.aten.detach_.default");
    EXPECT_TRUE(detached.row != nullptr && detached.view && !detached.inPlace);
    EXPECT_EQ(resolveOperator("torch.ops.mine.strange_.default").row, nullptr);
    EXPECT_EQ(resolveOperator("torch.ops.mine.strange.default").row, nullptr);
    EXPECT_EQ(resolveOperator("strange").row, nullptr);
    EXPECT_EQ(resolveOperator("").row, nullptr);
    EXPECT_EQ(resolveOperator("torch.ops._.").row, nullptr);
}

}  // namespace
}  // namespace et::backends::reference

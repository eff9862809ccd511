#include "runtime/core/scalar_type.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace et::core {
namespace {

TEST(ScalarTypeTest, CodesAscendAndNamesAreUnique) {
    std::set<std::string_view> names;
    std::set<std::string_view> torchNames;
    int last = -1;
    for (const ScalarTypeInfo& info : scalarTypes()) {
        EXPECT_GT(info.code, last);
        last = info.code;
        names.insert(info.name);
        torchNames.insert(info.torchName);
    }
    EXPECT_EQ(names.size(), scalarTypes().size());
    EXPECT_EQ(torchNames.size(), scalarTypes().size());
}

TEST(ScalarTypeTest, FindsByCode) {
    ASSERT_TRUE(scalarType(6));
    EXPECT_EQ(scalarType(6)->name, "FLOAT");
    EXPECT_EQ(scalarType(6)->torchName, "float32");
    EXPECT_EQ(scalarType(6)->bytes, 4);
    EXPECT_EQ(scalarType(11)->torchName, "bool");
    EXPECT_EQ(scalarType(15)->bytes, 2);
    EXPECT_FALSE(scalarType(-1));
    EXPECT_FALSE(scalarType(127));
    EXPECT_FALSE(scalarType(256 + 6)) << "no wrap to eight bits";
}

TEST(ScalarTypeTest, HasTheNumbersOfExportedGraphs) {
    std::set<int> numbers;
    std::size_t exported = 0;
    for (const ScalarTypeInfo& info : scalarTypes()) {
        exported += info.exported != 0 ? 1U : 0U;
        numbers.insert(info.exported);
    }
    EXPECT_EQ(numbers.size(), exported + 1) << "each its own, and 0 for those without one";
    EXPECT_EQ(scalarType(6)->exported, 7);
    EXPECT_EQ(scalarType(15)->exported, 13);
    EXPECT_EQ(scalarType(44)->exported, 33);
}

TEST(ScalarTypeTest, KindsSelectTheComputeType) {
    EXPECT_EQ(scalarKind(ScalarType::Bool), ScalarKind::Bool);
    EXPECT_EQ(scalarKind(ScalarType::Byte), ScalarKind::Unsigned);
    EXPECT_EQ(scalarKind(ScalarType::Long), ScalarKind::Signed);
    EXPECT_EQ(scalarKind(ScalarType::BFloat16), ScalarKind::Float);
    EXPECT_EQ(scalarKind(ScalarType::ComplexHalf), ScalarKind::Complex);
    EXPECT_EQ(scalarKind(ScalarType::QInt8), ScalarKind::Other);
    EXPECT_EQ(scalarKind(static_cast<ScalarType>(99)), ScalarKind::Other);
}

TEST(ScalarTypeTest, NamesUnknownCodesToo) {
    EXPECT_EQ(scalarTypeName(4), "int64");
    EXPECT_EQ(scalarTypeName(99), "dtype 99");
    EXPECT_EQ(scalarTypeName(-3), "dtype -3");
}

TEST(TensorBytesTest, MultipliesSizesAndElementSize) {
    EXPECT_EQ(tensorBytes(6, std::array<std::int64_t, 2>{2, 3}), 24);
    EXPECT_EQ(tensorBytes(6, {}), 4) << "a scalar";
    EXPECT_EQ(tensorBytes(10, std::array<std::int64_t, 1>{2}), 32);
}

TEST(TensorBytesTest, EmptyTensorsHaveZeroBytes) {
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(tensorBytes(6, std::array<std::int64_t, 3>{huge, huge, 0}), 0);
}

TEST(TensorBytesTest, RejectsUnknownSizes) {
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(tensorBytes(99, std::array<std::int64_t, 1>{1})) << "unknown dtype";
    EXPECT_FALSE(tensorBytes(6, std::array<std::int64_t, 1>{-1})) << "negative";
    EXPECT_FALSE(tensorBytes(6, std::array<std::int64_t, 2>{-1, 0})) << "negative beside empty";
    EXPECT_FALSE(tensorBytes(0, std::array<std::int64_t, 2>{huge, 2})) << "past 63 bits";
    EXPECT_EQ(tensorBytes(0, std::array<std::int64_t, 1>{huge}), huge);
    EXPECT_FALSE(tensorBytes(2, std::array<std::int64_t, 1>{huge}));
}

}  // namespace
}  // namespace et::core

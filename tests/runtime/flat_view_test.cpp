#include "runtime/core/flat_view.h"

#include "runtime/core/tensor_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace et::core {
namespace {

/// A table with one vector of numbers, the smallest useful schema.
struct Numbers : flatbuffers::Table {
    static constexpr flatbuffers::voffset_t itemsField = 4;

    [[nodiscard]] const flatbuffers::Vector<std::int32_t>* items() const {
        return GetPointer<const flatbuffers::Vector<std::int32_t>*>(itemsField);
    }
    bool Verify(flatbuffers::Verifier& verifier) const {
        return VerifyTableStart(verifier) && VerifyOffset(verifier, itemsField) &&
               verifier.VerifyVector(items()) && verifier.EndTable();
    }
};

std::vector<std::byte> write(const std::vector<std::int32_t>& items) {
    flatbuffers::FlatBufferBuilder builder;
    const auto vector = builder.CreateVector(items);
    const auto table = builder.StartTable();
    builder.AddOffset(Numbers::itemsField, vector);
    builder.Finish(flatbuffers::Offset<Numbers>(builder.EndTable(table)), "TEST");
    const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {first, first + builder.GetSize()};
}

TEST(FieldPathTest, SpellsFieldsAndIndices) {
    const FieldPath root;
    const FieldPath plans = root.field("execution_plan");
    const FieldPath plan = plans.at(2);
    const FieldPath name = plan.field("name");
    EXPECT_EQ(root.toString(), "");
    EXPECT_EQ(plan.toString(), "execution_plan[2]");
    EXPECT_EQ(name.toString(), "execution_plan[2].name");
}

TEST(FlatViewTest, ReadsAVerifiedRoot) {
    const auto bytes = write({5, 6});
    FlatView view(bytes, 0);
    const auto root = view.root<Numbers>("TEST");
    ASSERT_TRUE(root) << root.error().toString();
    const FieldPath path;
    const auto items = view.copy<std::int64_t>((*root)->items(), path);
    ASSERT_TRUE(items);
    EXPECT_EQ(*items, (std::vector<std::int64_t>{5, 6}));
}

TEST(FlatViewTest, WrongIdentifierErrorNamesBoth) {
    const auto bytes = write({});
    const auto root = FlatView(bytes, 1000).root<Numbers>("ELSE");
    ASSERT_FALSE(root);
    EXPECT_EQ(root.error().toString(), "identifier at offset 1004: expected \"ELSE\", got \"TEST\"");
}

TEST(FlatViewTest, RefusesFewBytes) {
    const std::vector<std::byte> bytes(7);
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        const auto root = FlatView(Bytes(bytes).first(size), 0).root<Numbers>("TEST");
        ASSERT_FALSE(root);
        EXPECT_EQ(root.error().code, ErrorCode::Format);
    }
}

TEST(FlatViewTest, RefusesAVectorThatLeavesTheBuffer) {
    auto bytes = write({5, 6});
    const std::int32_t five = 5;
    const auto* needle = reinterpret_cast<const std::byte*>(&five);
    const auto found = std::search(bytes.begin(), bytes.end(), needle, needle + sizeof five);
    ASSERT_NE(found, bytes.end());
    *(found - 4) = std::byte{0xff};  // its length
    const auto root = FlatView(bytes, 0).root<Numbers>("TEST");
    ASSERT_FALSE(root);
    EXPECT_NE(root.error().message.find("truncated or damaged"), std::string::npos);
}

TEST(FlatViewTest, RefusesABufferOffItsAlignment) {
    const auto bytes = write({5});
    std::vector<std::byte> shifted(bytes.size() + 1);
    std::ranges::copy(bytes, shifted.begin() + 1);
    EXPECT_FALSE(FlatView(Bytes(shifted).subspan(1), 1).root<Numbers>("TEST"));
}

TEST(FlatViewTest, ErrorsCarryPathAndPlace) {
    const auto bytes = write({5});
    FlatView view(bytes, 64);
    const auto root = view.root<Numbers>("TEST");
    ASSERT_TRUE(root);
    const FieldPath none;
    const FieldPath path = none.field("items");
    const Error error = view.fail(ErrorCode::Format, path, (*root)->items(), "wrong").error();
    const auto place = reinterpret_cast<const std::byte*>((*root)->items()) - bytes.data();
    EXPECT_EQ(error.where.field, "items");
    EXPECT_EQ(error.where.offset, 64 + static_cast<std::uint64_t>(place));
    EXPECT_FALSE(view.fail(ErrorCode::Format, path, nullptr, "wrong").error().where.offset);
}

/// The Verifier accepts this: it checks only the alignment of the length.
TEST(FlatViewTest, ReadsNumbersThatAreNotAligned) {
    alignas(8) std::array<std::byte, 16> bytes{};
    bytes[0] = std::byte{1};  // length
    bytes[4] = std::byte{42};
    const auto* vector = reinterpret_cast<const flatbuffers::Vector<std::int64_t>*>(bytes.data());
    FlatView view(bytes, 0);
    const FieldPath path;
    EXPECT_EQ(view.copy<std::int64_t>(vector, path), std::vector<std::int64_t>{42});
    EXPECT_EQ(
        view.map(vector, path,
                 [](std::int64_t item, const FieldPath&) -> Result<int> { return static_cast<int>(item); }),
        std::vector<int>{42});
}

TEST(FlatViewTest, MapStopsAtTheFirstError) {
    const auto bytes = write({1, 2, 3});
    FlatView view(bytes, 0);
    const auto root = view.root<Numbers>("TEST");
    ASSERT_TRUE(root);
    const FieldPath none;
    const FieldPath path = none.field("items");
    int calls = 0;
    const auto mapped =
        view.map((*root)->items(), path, [&](std::int32_t item, const FieldPath& at) -> Result<int> {
            ++calls;
            if (item == 2) {
                return view.fail(ErrorCode::Format, at, nullptr, "two");
            }
            return item;
        });
    ASSERT_FALSE(mapped);
    EXPECT_EQ(mapped.error().toString(), "items[1]: two");
    EXPECT_EQ(calls, 2);
}

TEST(FlatViewTest, MissingVectorsAreEmpty) {
    const auto bytes = write({});
    FlatView view(bytes, 0);
    const flatbuffers::Vector<std::int32_t>* none = nullptr;
    const FieldPath path;
    EXPECT_TRUE(view.copy<int>(none, path)->empty());
    EXPECT_TRUE(
        view.map(none, path, [](int item, const FieldPath&) -> Result<int> { return item; })->empty());
}

TEST(FlatViewTest, RepeatedCopiesHitALimit) {
    const auto bytes = write(std::vector<std::int32_t>(100'000));
    FlatView view(bytes, 0);
    const auto root = view.root<Numbers>("TEST");
    ASSERT_TRUE(root);
    const FieldPath path;
    int copies = 0;
    Result<std::vector<int>> copied;
    do {
        copied = view.copy<int>((*root)->items(), path);
    } while (copied && ++copies < 1000);
    EXPECT_GE(copies, 1);
    EXPECT_LE(copies, 8);
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, ErrorCode::Limit);
}

class TensorShapeTest : public testing::Test {
  protected:
    static Result<TensorShape> read(std::int8_t type, const std::vector<std::int32_t>& sizes,
                                    const std::vector<std::uint8_t>& order) {
        flatbuffers::FlatBufferBuilder builder;
        const auto sizesAt = builder.CreateVector(sizes);
        const auto orderAt = builder.CreateVector(order);
        builder.Finish(orderAt);
        const auto* sizesVector = flatbuffers::GetTemporaryPointer(builder, sizesAt);
        const auto* orderVector = flatbuffers::GetTemporaryPointer(builder, orderAt);
        const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
        FlatView view({first, builder.GetSize()}, 0);
        const FieldPath path;
        return readTensorShape(view, type, sizesVector, orderVector, path, first);
    }
};

TEST_F(TensorShapeTest, ReadsSizesOrderAndBytes) {
    const auto shape = read(6, {1, 3, 4, 4}, {0, 2, 3, 1});
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->sizes, (std::vector<std::int64_t>{1, 3, 4, 4}));
    EXPECT_EQ(shape->dimOrder, (std::vector<std::uint8_t>{0, 2, 3, 1}));
    EXPECT_EQ(shape->byteSize, 192);
}

TEST_F(TensorShapeTest, AcceptsScalarsAndUnknownDtypes) {
    EXPECT_EQ(read(6, {}, {})->byteSize, 4);
    EXPECT_FALSE(read(99, {2}, {0})->byteSize);
}

TEST_F(TensorShapeTest, RejectsInvalidShapes) {
    EXPECT_EQ(read(6, {2, -1}, {0, 1}).error().toString().substr(0, 8), "sizes[1]");
    for (const std::vector<std::uint8_t>& order :
         {std::vector<std::uint8_t>{0}, {0, 0}, {0, 2}, {0, 1, 2}, {}}) {
        const auto shape = read(6, {2, 3}, order);
        ASSERT_FALSE(shape);
        EXPECT_EQ(shape.error().where.field, "dim_order");
    }
    const auto huge = read(6, {2147483647, 2147483647, 2147483647}, {0, 1, 2});
    ASSERT_FALSE(huge);
    EXPECT_EQ(huge.error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace et::core

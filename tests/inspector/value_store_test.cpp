#include "inspector/numeric_gap/value_store.h"

#include "inspector/numeric_gap/tensor_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::inspector {
namespace {

using backends::reference::ReferenceValue;

constexpr std::int64_t elements = std::int64_t{1} << 18;  // 1 MiB
constexpr std::size_t count = 80;
constexpr std::uint64_t megabyte = std::uint64_t{1} << 20U;

ReferenceTensor numbered(std::int64_t size, float number) {
    std::vector<float> numbers(static_cast<std::size_t>(size), number);
    const std::vector<std::int64_t> sizes{size};
    return rowMajorCopy(core::Tensor::over(numbers.data(), sizes)).value();
}

bool has(const ReferenceTensor& tensor, float number) {
    const auto numbers = plainFloats(tensor.view);
    return numbers && std::ranges::all_of(*numbers, [&](float each) { return each == number; });
}

TEST(ValueStore, KeepsElementsOfTensorsInTheFile) {
    auto store = std::make_optional<ValueStore>();
    if (!*store) {
        GTEST_SKIP() << "no temporary file";
    }
    std::vector<ReferenceTensor> kept;
    for (std::size_t i = 0; i < count; ++i) {
        kept.push_back(store->keep(numbered(elements, static_cast<float>(i))));
    }
    EXPECT_EQ(store->storedBytes(), (count - 64) * megabyte) << "64 MiB stay in memory";
    store->release();
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(has(kept[i], static_cast<float>(i))) << i;
    }
    kept.erase(kept.begin(), kept.end() - 2);
    store.reset();
    EXPECT_TRUE(has(kept[0], count - 2)) << "also without the store and the others";
    EXPECT_TRUE(has(kept[1], count - 1));
}

TEST(ValueStore, SmallTensorsStayInMemory) {
    ValueStore store;
    for (std::size_t i = 0; i < 5000; ++i) {
        const ReferenceTensor tensor = numbered(16 * 1024, 1);
        EXPECT_EQ(store.keep(tensor).owner, tensor.owner);
    }
    EXPECT_EQ(store.storedBytes(), 0U);
}

TEST(ValueStore, KeepsTensorsOfLists) {
    ValueStore store;
    if (!store) {
        GTEST_SKIP() << "no temporary file";
    }
    std::vector<ReferenceTensor> before;
    for (std::size_t i = 0; i < 64; ++i) {
        before.push_back(store.keep(numbered(elements, 0)));
    }
    ReferenceValue::List list{ReferenceValue{numbered(elements, 3)}, ReferenceValue{std::int64_t{4}}};
    const ReferenceValue kept = store.keep(ReferenceValue{std::move(list)});
    EXPECT_EQ(store.storedBytes(), megabyte);
    const auto* items = kept.as<ReferenceValue::List>();
    ASSERT_NE(items, nullptr);
    ASSERT_EQ(items->size(), 2U);
    ASSERT_NE(items->front().as<ReferenceTensor>(), nullptr);
    EXPECT_TRUE(has(*items->front().as<ReferenceTensor>(), 3));
    EXPECT_EQ(*items->back().as<std::int64_t>(), 4);
}

}  // namespace
}  // namespace et::inspector

#include "inspector/join/dense_index.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace et::inspector::join::detail {
namespace {

/// A key with an explicit hash.
struct Key {
    std::uint32_t value = 0;
    std::uint64_t code = 0;

    bool operator==(const Key& other) const { return value == other.value; }
    [[nodiscard]] std::uint64_t hash() const { return code; }
};

/// Hashes that are well distributed, that share buckets but not tags, and that are all equal.
std::uint64_t spread(std::uint32_t value) {
    return mixBits(value);
}
std::uint64_t crowded(std::uint32_t value) {
    return std::uint64_t{value} << 32U;
}
std::uint64_t same(std::uint32_t) {
    return 7;
}

class DenseIndexTest : public testing::TestWithParam<std::uint64_t (*)(std::uint32_t)> {
  protected:
    static Key key(std::uint32_t value) { return {.value = value, .code = GetParam()(value)}; }

    static void fill(DenseIndex<Key>& index, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            index.prefetch(key(i).hash());
            ASSERT_EQ(index.add(key(i)), i);
            ASSERT_EQ(index.add(key(i / 2)), i / 2);
        }
        ASSERT_EQ(index.size(), count);
        for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_EQ(index.add(key(i), key(i).hash()), i);
            ASSERT_EQ(index[i].value, i);
        }
    }
};

TEST_P(DenseIndexTest, NumbersKeysInOrder) {
    DenseIndex<Key> index;
    fill(index, 1000);
}

TEST_P(DenseIndexTest, TakesMoreThanWasReserved) {
    DenseIndex<Key> index;
    index.reserve(100);
    fill(index, 1000);
}

TEST_P(DenseIndexTest, TakesFewerThanWasReserved) {
    DenseIndex<Key> index;
    index.reserve(5000);
    fill(index, 1000);
}

INSTANTIATE_TEST_SUITE_P(Hashes, DenseIndexTest, testing::Values(&spread, &crowded, &same));

}  // namespace
}  // namespace et::inspector::join::detail

#include "runtime/core/byte_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace et::core {
namespace {

constexpr std::array bytes{std::byte{0x01}, std::byte{0x02}, std::byte{0x03}, std::byte{0x04},
                           std::byte{0xff}};

TEST(ByteReaderTest, ReadsLittleEndianNumbersInOrder) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.read<std::uint16_t>("a"), 0x0201);
    EXPECT_EQ(reader.read<std::uint8_t>("b"), 3);
    EXPECT_EQ(reader.position(), 3U);
    EXPECT_EQ(reader.read<std::int16_t>("c"), static_cast<std::int16_t>(0xff04));
    EXPECT_EQ(reader.remaining(), 0U);
}

TEST(ByteReaderTest, ShortReadNamesFieldAndPlaceInTheWholeFile) {
    ByteReader reader(bytes, 100);
    ASSERT_TRUE(reader.take(4, "head"));
    const auto number = reader.read<std::uint32_t>("tail");
    ASSERT_FALSE(number);
    EXPECT_EQ(number.error().code, ErrorCode::Format);
    EXPECT_EQ(number.error().where.field, "tail");
    EXPECT_EQ(number.error().where.offset, 104U);
    EXPECT_EQ(number.error().message, "expected 4 bytes, got 1");
    EXPECT_EQ(reader.position(), 4U) << "a failed read does not move";
}

TEST(ByteReaderTest, TakesSpansWithoutCopying) {
    ByteReader reader(bytes);
    ASSERT_TRUE(reader.seek(1, "start"));
    const auto taken = reader.take(2, "two");
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->data(), bytes.data() + 1);
    EXPECT_EQ(taken->size(), 2U);
}

TEST(ByteReaderTest, SeeksToTheEndButNotBeyond) {
    ByteReader reader(bytes);
    EXPECT_TRUE(reader.seek(bytes.size(), "end"));
    const auto beyond = reader.seek(bytes.size() + 1, "beyond");
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().where.field, "beyond");
    EXPECT_EQ(reader.position(), bytes.size());
}

TEST(ByteReaderTest, HugeSizesDoNotWrapAround) {
    ByteReader reader(bytes);
    ASSERT_TRUE(reader.seek(2, "start"));
    EXPECT_FALSE(reader.take(UINT64_MAX, "all"));
    EXPECT_FALSE(reader.take(UINT64_MAX - 1, "nearly all"));
    EXPECT_FALSE(reader.seek(UINT64_MAX, "far"));
    EXPECT_TRUE(reader.take(3, "rest"));
}

}  // namespace
}  // namespace et::core

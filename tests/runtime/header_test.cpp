#include "runtime/program/header.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace et::program {
namespace {

/// A file of `size` bytes with a header at byte 8.
class HeaderBytes {
  public:
    HeaderBytes(std::string_view magic, std::size_t size) : bytes(size) {
        std::memcpy(bytes.data() + 8, magic.data(), magic.size());
    }
    template <class T>
    HeaderBytes& put(std::size_t offset, T value) {
        std::memcpy(bytes.data() + offset, &value, sizeof value);
        return *this;
    }
    [[nodiscard]] core::Bytes view() const { return bytes; }

  private:
    std::vector<std::byte> bytes;
};

HeaderBytes fullHeader() {
    HeaderBytes header("eh00", 256);
    header.put(12, std::uint32_t{32})
        .put(16, std::uint64_t{100})
        .put(24, std::uint64_t{128})
        .put(32, std::uint64_t{64});
    return header;
}

TEST(ProgramHeaderTest, ReadsAllFields) {
    const auto header = readProgramHeader(fullHeader().view(), 0);
    ASSERT_TRUE(header);
    ASSERT_TRUE(*header);
    EXPECT_EQ((*header)->length, 32U);
    EXPECT_EQ((*header)->programSize, 100U);
    EXPECT_EQ((*header)->segmentBase, 128U);
    EXPECT_EQ((*header)->segmentDataSize, 64U);
}

TEST(ProgramHeaderTest, ShortHeaderHasNoDataSize) {
    const auto header = readProgramHeader(fullHeader().put(12, std::uint32_t{24}).view(), 0);
    ASSERT_TRUE(header && *header);
    EXPECT_EQ((*header)->segmentDataSize, 0U);
}

TEST(ProgramHeaderTest, ReadsLongerHeaderOfFutureVersions) {
    EXPECT_TRUE(readProgramHeader(fullHeader().put(12, std::uint32_t{48}).view(), 0));
}

TEST(ProgramHeaderTest, MissingMagicMeansNoHeader) {
    const auto none = readProgramHeader(HeaderBytes("xxxx", 64).view(), 0);
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
    EXPECT_TRUE(readProgramHeader({}, 0));
}

TEST(ProgramHeaderTest, TruncatedFileIsReportedWithItsSize) {
    HeaderBytes cut("eh00", 150);
    cut.put(12, std::uint32_t{32}).put(16, std::uint64_t{100});
    cut.put(24, std::uint64_t{128}).put(32, std::uint64_t{64});
    const auto header = readProgramHeader(cut.view(), 0);
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error().message,
              "expected at most the 150 bytes of the file, got 64 bytes at 128: the file is cut short: "
              "192 bytes expected, 150 there");
    cut.put(32, std::uint64_t{1} << 62);
    const auto damaged = readProgramHeader(cut.view(), 0);
    ASSERT_FALSE(damaged);
    EXPECT_FALSE(damaged.error().message.contains("cut short"));
}

TEST(ProgramHeaderTest, RejectsRangesOutsideTheFile) {
    const std::uint64_t huge = std::uint64_t{1} << 63;
    const auto refused = [](HeaderBytes bytes, std::string_view field, std::uint64_t offset) {
        const auto header = readProgramHeader(bytes.view(), 1000);
        ASSERT_FALSE(header) << field;
        EXPECT_EQ(header.error().where.field, field);
        EXPECT_EQ(header.error().where.offset, 1000 + offset);
    };
    refused(fullHeader().put(12, std::uint32_t{23}), "header.length", 12);
    refused(fullHeader().put(12, std::uint32_t{0}), "header.length", 12);
    refused(fullHeader().put(12, std::uint32_t{1000}), "header.length", 12);
    refused(fullHeader().put(16, std::uint64_t{257}), "header.program_size", 16);
    refused(fullHeader().put(16, huge), "header.program_size", 16);
    refused(fullHeader().put(24, std::uint64_t{257}), "header.segment_base_offset", 24);
    refused(fullHeader().put(24, huge), "header.segment_base_offset", 24);
    refused(fullHeader().put(32, std::uint64_t{129}), "header.segment_base_offset", 24);
    refused(fullHeader().put(32, UINT64_MAX), "header.segment_base_offset", 24);
}

TEST(ProgramHeaderTest, RefusesAHeaderCutShort) {
    for (std::size_t size = 12; size < 40; ++size) {
        EXPECT_FALSE(readProgramHeader(fullHeader().view().first(size), 0)) << size;
    }
}

TEST(TensorDataHeaderTest, ReadsAllFields) {
    HeaderBytes bytes("FH01", 256);
    bytes.put(12, std::uint32_t{40}).put(16, std::uint64_t{48}).put(24, std::uint64_t{60});
    bytes.put(32, std::uint64_t{128}).put(40, std::uint64_t{128});
    const auto header = readTensorDataHeader(bytes.view());
    ASSERT_TRUE(header) << header.error().toString();
    EXPECT_EQ(header->flatbufferOffset, 48U);
    EXPECT_EQ(header->flatbufferSize, 60U);
    EXPECT_EQ(header->segmentBase, 128U);
    EXPECT_EQ(header->segmentDataSize, 128U);
    EXPECT_FALSE(readTensorDataHeader(bytes.put(40, std::uint64_t{129}).view()));
}

TEST(TensorDataHeaderTest, NoMagicIsAnError) {
    const auto header = readTensorDataHeader(HeaderBytes("eh00", 256).view());
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error().where.field, "header.magic");
}

}  // namespace
}  // namespace et::program

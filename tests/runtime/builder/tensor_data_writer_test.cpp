#include "runtime/builder/tensor_data_writer.h"

#include "runtime/program/tensor_data.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace et::builder {
namespace {

using program::TensorData;
using program::TensorDataEntry;

void expectSame(const std::vector<TensorDataEntry>& actual, const std::vector<TensorDataEntry>& wanted) {
    ASSERT_EQ(actual.size(), wanted.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_EQ(actual[i].name, wanted[i].name);
        EXPECT_TRUE(std::ranges::equal(actual[i].data, wanted[i].data)) << wanted[i].name;
        ASSERT_EQ(actual[i].layout.has_value(), wanted[i].layout.has_value());
        if (wanted[i].layout) {
            EXPECT_EQ(actual[i].layout->scalarType, wanted[i].layout->scalarType);
            EXPECT_EQ(actual[i].layout->sizes, wanted[i].layout->sizes);
            EXPECT_EQ(actual[i].layout->dimOrder, wanted[i].layout->dimOrder);
        }
    }
}

TEST(TensorDataWriter, EntriesReadBack) {
    const std::array numbers{1.0F, 2.0F, 3.0F, 4.0F};
    const auto bytes = std::as_bytes(std::span(numbers));
    const program::TensorLayout layout{.scalarType = 6, .sizes = {2, 2}, .dimOrder = {1, 0}, .byteSize = {}};
    const std::vector<TensorDataEntry> entries{
        {.name = "weight", .segment = {}, .data = bytes, .layout = layout},
        {.name = "opaque", .segment = {}, .data = bytes.first(5), .layout = {}},
        {.name = "tied", .segment = {}, .data = bytes, .layout = layout},
        {.name = "nothing", .segment = {}, .data = {}, .layout = {}},
    };
    const auto written = writeTensorData(entries);
    ASSERT_TRUE(written) << written.error().toString();
    const auto data = test::parseBytes<TensorData>(*written);
    ASSERT_TRUE(data) << data.error().toString();
    expectSame((*data)->entries, entries);
    EXPECT_EQ((*data)->entries[0].segment, (*data)->entries[2].segment);
    EXPECT_EQ((*data)->entries[1].data.data() - (*data)->file->bytes().data(),
              static_cast<std::ptrdiff_t>((*data)->header.segmentBase + 128));
}

TEST(TensorDataWriter, RefusesASizeThatTheFormatCannotHold) {
    const TensorDataEntry entry{
        .name = "w",
        .segment = {},
        .data = {},
        .layout = program::TensorLayout{
            .scalarType = 6, .sizes = {std::int64_t{1} << 31}, .dimOrder = {0}, .byteSize = {}}};
    EXPECT_EQ(writeTensorData({&entry, 1}).error().message,
              "expected sizes that fit 32 bits, got 2147483648 in \"w\"");
}

TEST(TensorDataWriter, RealFilesSurvive) {
    ET_NEEDS_SHARED_DATA();
    const auto paths = test::sharedFiles("programs", ".ptd");
    ASSERT_FALSE(paths.empty());
    for (const auto& path : paths) {
        SCOPED_TRACE(path);
        const auto original = TensorData::open(path).value();
        const auto written = writeTensorData(original->entries).value();
        const auto again = test::parseBytes<TensorData>(written);
        ASSERT_TRUE(again) << again.error().toString();
        expectSame((*again)->entries, original->entries);
        EXPECT_EQ((*again)->header.flatbufferOffset, original->header.flatbufferOffset);
        EXPECT_EQ((*again)->header.segmentDataSize, original->header.segmentDataSize);
        EXPECT_EQ((*again)->segments.size(), original->segments.size());
    }
}

}  // namespace
}  // namespace et::builder

#include "runtime/program/tensor_data.h"

#include "runtime/core/scalar_type.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace et::program {
namespace {

using test::TensorDataSpec;
using test::TensorSpec;

TensorDataSpec twoTensors() {
    return {.segments = {{.offset = 0, .size = 24}, {.offset = 32, .size = 5}},
            .segmentData = std::vector<std::byte>(37),
            .entries = {
                {.key = "linear.weight", .segment = 0, .layout = TensorSpec{}},
                {.key = "blob", .segment = 1},
                {.key = "tied.weight", .segment = 0, .layout = TensorSpec{.sizes = {6}, .dimOrder = {0}}}}};
}

TEST(TensorDataTest, ReadsNamedTensorsAndBlobs) {
    const auto parsed = test::parseBytes<TensorData>(test::writeTensorData(twoTensors()));
    ASSERT_TRUE(parsed) << parsed.error().toString();
    const TensorData& data = **parsed;
    ASSERT_EQ(data.entries.size(), 3U);
    const TensorDataEntry* weight = data.find("linear.weight");
    ASSERT_NE(weight, nullptr);
    ASSERT_TRUE(weight->layout);
    EXPECT_EQ(weight->layout->scalarType, 6);
    EXPECT_EQ(weight->layout->sizes, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(weight->layout->dimOrder, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(weight->layout->byteSize, 24);
    EXPECT_EQ(weight->data.size(), 24U);
    EXPECT_FALSE(data.find("blob")->layout);
    EXPECT_EQ(data.find("blob")->data.size(), 5U);
    EXPECT_EQ(data.find("tied.weight")->data.data(), weight->data.data()) << "names may share a segment";
    EXPECT_EQ(data.find("none"), nullptr);
    EXPECT_EQ(data.segments[1].offset, data.header.segmentBase + 32);
}

void refuses(const TensorDataSpec& spec, std::string_view field) {
    const auto parsed = test::parseBytes<TensorData>(test::writeTensorData(spec));
    ASSERT_FALSE(parsed) << field;
    EXPECT_EQ(parsed.error().where.field, field) << parsed.error().toString();
    EXPECT_TRUE(parsed.error().where.offset);
}

TEST(TensorDataTest, ReadsFilesThatAreLargerThanAFlatbufferMayBe) {
    // Sparse, so that it uses no disk space.
    const test::ScratchFolder scratch;
    const auto path = scratch.path() / "large.ptd";
    const std::vector<std::byte> bytes = test::writeTensorData(twoTensors());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::filesystem::resize_file(path, std::uintmax_t{3} << 30U);
    const auto opened = TensorData::open(path);
    ASSERT_TRUE(opened) << opened.error().toString();
    EXPECT_EQ((*opened)->entries.size(), 3U);
}

TEST(TensorDataTest, RejectsOutOfRangeData) {
    TensorDataSpec spec = twoTensors();
    spec.segments[0].size = 38;
    refuses(spec, "segments[0]");
    spec = twoTensors();
    spec.entries[1].segment = 2;
    refuses(spec, "named_data[1].segment_index");
    spec = twoTensors();
    spec.entries[0].layout->sizes = {3, 3};
    refuses(spec, "named_data[0].tensor_layout");
    spec = twoTensors();
    spec.entries[0].layout->dimOrder = {0, 0};
    refuses(spec, "named_data[0].tensor_layout.dim_order");
    spec = twoTensors();
    spec.entries[0].key = "";
    refuses(spec, "named_data[0].key");
    spec = twoTensors();
    spec.magic = "eh00";
    refuses(spec, "header.magic");
    spec = twoTensors();
    spec.segmentBase = std::uint64_t{1} << 40;
    refuses(spec, "header.segment_base_offset");
    spec = twoTensors();
    spec.segmentBase = 20;
    EXPECT_FALSE(test::parseBytes<TensorData>(test::writeTensorData(spec)))
        << "segments inside the flatbuffer";
}

TEST(TensorDataTest, RejectsPrograms) {
    const auto parsed = test::parseBytes<TensorData>(test::writeProgram(test::addProgram()));
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().toString(), "test: identifier at offset 4: expected \"FT01\", got \"ET12\"");
}

TEST(TensorDataTest, EveryRealFileOpens) {
    ET_NEEDS_SHARED_DATA();
    const auto files = test::sharedFiles("programs", ".ptd");
    ASSERT_FALSE(files.empty());
    for (const auto& path : files) {
        const auto parsed = TensorData::open(path);
        ASSERT_TRUE(parsed) << parsed.error().toString();
        EXPECT_FALSE((*parsed)->entries.empty()) << path;
        for (const TensorDataEntry& entry : (*parsed)->entries) {
            EXPECT_FALSE(entry.data.empty()) << path << ": " << entry.name;
        }
    }
}

TEST(TensorDataTest, RealWeightsHaveTheirLayout) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "programs" / "ext_const";
    const auto parsed = TensorData::open(folder / "portable_all._default_external_constant.ptd");
    ASSERT_TRUE(parsed) << parsed.error().toString();
    for (const TensorDataEntry& entry : (*parsed)->entries) {
        ASSERT_TRUE(entry.layout) << entry.name;
        EXPECT_EQ(core::scalarTypeName(entry.layout->scalarType), "float32");
        EXPECT_EQ(entry.layout->byteSize, static_cast<std::int64_t>(entry.data.size()));
    }
}

}  // namespace
}  // namespace et::program

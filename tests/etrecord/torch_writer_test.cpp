// Tests that written archives are read back: names, dtypes, sizes and elements.

#include "etrecord/torch_writer.h"

#include "etrecord/torch_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace et::etrecord {
namespace {

using core::ScalarType;
using testing::ElementsAre;

template <class T>
core::Bytes bytesOf(const T& elements) {
    return std::as_bytes(std::span(elements));
}

TorchArchive archiveOf(const ArchiveValue& value) {
    auto written = writeTorchArchive(value);
    EXPECT_TRUE(written) << (written ? "" : written.error().toString());
    auto zip = archive::ZipArchive::open(core::MappedFile::fromMemory(*std::move(written), "written.pt"));
    EXPECT_TRUE(zip);
    auto archive = TorchArchive::open(*std::move(zip));
    EXPECT_TRUE(archive) << (archive ? "" : archive.error().toString());
    return *std::move(archive);
}

TEST(TorchWriter, ContainersKeepTheirNamesAndTensorsTheirElements) {
    const std::array<float, 6> weight{1, 2, 3, 4, 5, 6};
    const std::array<std::int64_t, 1> steps{std::int64_t{1} << 40};
    const std::array<std::uint8_t, 1> truth{1};
    const ArchiveValue value{ArchiveValue::Dict{
        {"conv.weight", {TensorToArchive{ScalarType::Float, {2, 3}, bytesOf(weight), true}}},
        {"steps", {TensorToArchive{ScalarType::Long, {}, bytesOf(steps)}}},
        {"inside",
         {ArchiveValue::List{
             {ArchiveValue::Tuple{{{TensorToArchive{ScalarType::Bool, {1}, bytesOf(truth)}}}}},
             {TensorToArchive{ScalarType::Half, {0, 4}, {}}}}}},
    }};
    const TorchArchive archive = archiveOf(value);
    std::vector<std::string> names;
    for (const TorchTensor& tensor : archive.tensors()) {
        names.push_back(tensor.name);
    }
    ASSERT_THAT(names, ElementsAre("conv.weight", "steps", "inside[0][0]", "inside[1]"));
    EXPECT_THAT(archive.tensors()[0].sizes, ElementsAre(2, 3));
    EXPECT_THAT(archive.tensors()[0].strides, ElementsAre(3, 1));
    EXPECT_THAT(archive.tensors()[1].sizes, testing::IsEmpty());
    EXPECT_EQ(archive.tensors()[3].scalarType, static_cast<std::int8_t>(ScalarType::Half));
    constexpr std::uint64_t enough = 1 << 10;
    const auto read = archive.read(archive.tensors()[0], enough);
    ASSERT_TRUE(read) << read.error().toString();
    ASSERT_EQ(read->size(), sizeof(weight));
    EXPECT_EQ(std::memcmp(read->data(), weight.data(), sizeof(weight)), 0);
    std::int64_t number = 0;
    const auto count = archive.read(archive.tensors()[1], enough);
    ASSERT_TRUE(count);
    std::memcpy(&number, count->data(), sizeof(number));
    EXPECT_EQ(number, steps[0]);
}

TEST(TorchWriter, AnEmptyContainerIsAnArchive) {
    EXPECT_THAT(archiveOf({ArchiveValue::Dict{}}).tensors(), testing::IsEmpty());
    EXPECT_THAT(archiveOf({ArchiveValue::List{}}).tensors(), testing::IsEmpty());
}

TEST(TorchWriter, BorrowsTheElements) {
    const std::vector<float> weights(1000, 0.5F);
    const auto file = torchArchiveFile({TensorToArchive{ScalarType::Float, {1000}, bytesOf(weights)}});
    ASSERT_TRUE(file) << file.error().toString();
    EXPECT_TRUE(std::ranges::contains(file->pieces(), static_cast<const void*>(weights.data()),
                                      [](core::Bytes piece) -> const void* { return piece.data(); }));
    EXPECT_EQ(file->joined(),
              writeTorchArchive({TensorToArchive{ScalarType::Float, {1000}, bytesOf(weights)}}).value());
}

TEST(TorchWriter, RefusesElementsThatDoNotFillTheSizes) {
    const std::array<float, 2> two{1, 2};
    const auto written = writeTorchArchive({TensorToArchive{ScalarType::Float, {3}, bytesOf(two)}});
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, testing::HasSubstr("expected 12 bytes for a tensor [3], got 8"));
}

TEST(TorchWriter, TheSameValueGivesTheSameBytes) {
    const std::array<float, 1> one{1};
    const ArchiveValue value{TensorToArchive{ScalarType::Float, {1}, bytesOf(one)}};
    EXPECT_EQ(writeTorchArchive(value).value(), writeTorchArchive(value).value());
}

}  // namespace
}  // namespace et::etrecord

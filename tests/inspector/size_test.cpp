#include "backends/builtin.h"
#include "inspector/size/byte_owners.h"
#include "inspector/size/duplicates.h"
#include "inspector/size/size_map.h"
#include "runtime/builder/tensor_data_writer.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

// Every byte of a file has one owner.
namespace et::inspector {
namespace {

std::uint64_t sumOf(const SizeMap& map) {
    return std::accumulate(map.pieces.begin(), map.pieces.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const SizePiece& piece) { return sum + piece.bytes; });
}

std::uint64_t bytesOf(const SizeMap& map, SizeKind kind) {
    std::uint64_t sum = 0;
    for (const SizePiece& piece : map.pieces) {
        sum += piece.kind == kind ? piece.bytes : 0;
    }
    return sum;
}

TEST(ByteOwners, WhatIsPaintedLaterLiesAbove) {
    ByteOwners owners(100, 0);
    owners.paint(10, 50, 1);
    owners.paint(20, 10, 2);
    owners.paint(25, 50, 3);
    owners.paint(90, 50, 4);
    owners.paint(200, 50, 5);
    owners.paint(0, 0, 5);
    EXPECT_EQ(owners.sums(6), (std::vector<std::uint64_t>{10 + 15, 10, 5, 50, 10, 0}));
}

TEST(ByteOwners, OneByteAtATimeIsTheSame) {
    // Against an array of owners, with places from a fixed row of numbers.
    constexpr std::size_t size = 257;
    ByteOwners owners(size, 0);
    std::vector<std::size_t> plain(size, 0);
    std::uint32_t state = 1;
    for (std::size_t owner = 1; owner < 200; ++owner) {
        state = state * 1664525 + 1013904223;
        const std::size_t offset = state >> 8U & 0xffU;
        const std::size_t bytes = state >> 16U & 0x3fU;
        owners.paint(offset, bytes, owner);
        for (std::size_t i = offset; i < std::min(size, offset + bytes); ++i) {
            plain[i] = owner;
        }
        std::vector<std::uint64_t> sums(200, 0);
        for (const std::size_t each : plain) {
            ++sums[each];
        }
        ASSERT_EQ(owners.sums(200), sums) << owner;
    }
}

/// A tensor data file in which tensor i + 50 holds what tensor i holds, for the first `copies`.
std::shared_ptr<const program::TensorData> dataWithCopies(std::size_t copies) {
    constexpr std::size_t count = 120;
    std::vector<std::vector<std::byte>> blobs;
    std::vector<std::string> names;
    std::vector<program::TensorDataEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        // Sizes repeat, so that equal sizes alone prove nothing.
        std::vector<std::byte>& blob = blobs.emplace_back(128 + 16 * (i % 5));
        for (std::size_t at = 0; at < blob.size(); ++at) {
            blob[at] = static_cast<std::byte>(i * 7 + at);
        }
        names.push_back(fmt::format("layer.{}.weight", i));
    }
    for (std::size_t i = 0; i < count; ++i) {
        entries.push_back({.name = names[i], .segment = {}, .data = blobs[i], .layout = std::nullopt});
    }
    auto bytes = builder::writeTensorData(entries).value();
    const auto written = program::TensorData::parse(core::MappedFile::fromMemory(bytes)).value();
    const std::byte* const begin = written->file->bytes().data();
    for (std::size_t i = 0; i < copies; ++i) {
        const core::Bytes from = written->find(names[i])->data;
        const core::Bytes to = written->find(names[i + 50])->data;
        std::memcpy(bytes.data() + (to.data() - begin), from.data(), from.size());
    }
    return program::TensorData::parse(core::MappedFile::fromMemory(std::move(bytes))).value();
}

TEST(SizeMap, FindsFiftyPlantedDuplicates) {
    const std::vector<std::shared_ptr<const program::TensorData>> data{dataWithCopies(50)};
    const SizeMap map = sizeMapOf({.tensorData = data}).value();
    EXPECT_EQ(sumOf(map), data[0]->file->bytes().size());
    const auto groups = duplicatesOf(map);
    ASSERT_EQ(groups.size(), 50U);
    for (const DuplicateGroup& group : groups) {
        ASSERT_EQ(group.pieces.size(), 2U);
        const std::string& first = map.pieces[group.pieces[0]].tensor;
        const std::string& second = map.pieces[group.pieces[1]].tensor;
        const auto number = [](const std::string& name) { return std::stoi(name.substr(6)); };
        EXPECT_EQ(std::abs(number(first) - number(second)), 50) << first << ", " << second;
        EXPECT_EQ(group.wasted(), map.pieces[group.pieces[0]].data.size());
    }
    EXPECT_TRUE(duplicatesOf(map, 1 << 20).empty());
}

TEST(SizeMap, WithoutCopiesNothingIsADuplicate) {
    const std::vector<std::shared_ptr<const program::TensorData>> data{dataWithCopies(0)};
    EXPECT_TRUE(duplicatesOf(sizeMapOf({.tensorData = data}).value()).empty());
}

/// The program of a file, and what it is in.
SizeSources sourcesOf(const std::filesystem::path& path) {
    SizeSources out{.backends = backends::describable()};
    if (path.extension() == ".pte") {
        if (const auto program = program::Program::open(path)) {
            out.program = *program;
        }
    } else if (const auto bundle = bundled_program::Bundle::open(path)) {
        out.bundle = *bundle;
        if (const auto program = program::Program::parse((*bundle)->file, (*bundle)->program)) {
            out.program = *program;
        }
    }
    return out;
}

TEST(SizeConformance, BytesAddUpToTheFile) {
    ET_NEEDS_SHARED_DATA();
    std::size_t programs = 0;
    for (const char* const folder : {"programs", "programs2", "ops", "llm", "quant", "legacy", "broken"}) {
        for (const char* const extension : {".pte", ".bpte"}) {
            for (const auto& path : test::sharedFiles(test::sharedData() / folder, extension)) {
                const SizeSources sources = sourcesOf(path);
                if (sources.program == nullptr) {
                    continue;  // damaged on purpose, or of a format that is refused
                }
                const auto map = sizeMapOf(sources);
                ASSERT_TRUE(map) << path << ": " << map.error().toString();
                EXPECT_EQ(map->total(), std::filesystem::file_size(path)) << path;
                EXPECT_EQ(sumOf(*map), map->total()) << path;
                ++programs;
            }
        }
    }
    EXPECT_GT(programs, 1000U);
}

TEST(SizeConformance, WeightsInsideOfDelegatesAreFound) {
    ET_NEEDS_SHARED_DATA();
    const auto path = test::sharedData() / "programs/mobilenet_v2_small/xnnpack.bpte";
    const SizeSources sources = sourcesOf(path);
    ASSERT_NE(sources.program, nullptr);
    const SizeMap map = sizeMapOf(sources).value();
    // The network has 0.4 million parameters of four bytes, nearly all of them in its one delegate.
    EXPECT_GT(bytesOf(map, SizeKind::DelegateWeights), 1'500'000U);
    EXPECT_LT(bytesOf(map, SizeKind::DelegateTables), 100'000U);
    EXPECT_EQ(bytesOf(map, SizeKind::NamedData), 0U) << "all of it is the delegate's";
}

}  // namespace
}  // namespace et::inspector

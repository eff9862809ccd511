#include "backends/builtin.h"
#include "inspector/size/byte_owners.h"
#include "inspector/size/compressible.h"
#include "inspector/size/duplicates.h"
#include "inspector/size/equal_values.h"
#include "inspector/size/size_map.h"
#include "inspector/size/size_tree.h"
#include "inspector/size/weight_list.h"
#include "runtime/builder/tensor_data_writer.h"
#include "runtime/core/element_types.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

// Tests that every byte of a file has exactly one owner.
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

TEST(ByteOwners, LaterRangesOverwriteEarlierOnes) {
    ByteOwners owners(100, 0);
    owners.paint(10, 50, 1);
    owners.paint(20, 10, 2);
    owners.paint(25, 50, 3);
    owners.paint(90, 50, 4);
    owners.paint(200, 50, 5);
    owners.paint(0, 0, 5);
    EXPECT_EQ(owners.sums(6), (std::vector<std::uint64_t>{10 + 15, 10, 5, 50, 10, 0}));
}

TEST(ByteOwners, MatchesByteByBytePainting) {
    // Compares with a plain array of owners, at positions from a fixed sequence.
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

/// A tensor data file in which tensor i + 50 is equal to tensor i, for the first `copies`.
std::shared_ptr<const program::TensorData> dataWithCopies(std::size_t copies) {
    constexpr std::size_t count = 120;
    std::vector<std::vector<std::byte>> blobs;
    std::vector<std::string> names;
    std::vector<program::TensorDataEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        // Sizes repeat, so equal sizes do not imply equal contents.
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
    const SizeMap map = makeSizeMap({.tensorData = data}).value();
    EXPECT_EQ(sumOf(map), data[0]->file->bytes().size());
    const auto groups = repeatedContent(map).duplicates;
    ASSERT_EQ(groups.size(), 50U);
    for (const DuplicateGroup& group : groups) {
        ASSERT_EQ(group.pieces.size(), 2U);
        const std::string& first = map.pieces[group.pieces[0]].tensor;
        const std::string& second = map.pieces[group.pieces[1]].tensor;
        const auto number = [](const std::string& name) { return std::stoi(name.substr(6)); };
        EXPECT_EQ(std::abs(number(first) - number(second)), 50) << first << ", " << second;
        EXPECT_EQ(group.wasted(), map.pieces[group.pieces[0]].data.size());
    }
    EXPECT_TRUE(repeatedContent(map, 1 << 20).duplicates.empty());
}

/// Tensor data with the numbers 0, 1.5, 3, … in these dtypes, 64 of each.
template <class... Types>
std::shared_ptr<const program::TensorData> sameNumbers(double step) {
    std::vector<std::vector<std::byte>> blobs;
    std::vector<core::ScalarType> dtypes;
    const auto add = [&]<class T>(T, core::ScalarType dtype) {
        std::vector<std::byte> blob(64 * sizeof(T));
        for (std::size_t i = 0; i < 64; ++i) {
            const T value = static_cast<T>(static_cast<double>(i) * step);
            std::memcpy(blob.data() + (i * sizeof(T)), &value, sizeof(T));
        }
        blobs.push_back(std::move(blob));
        dtypes.push_back(dtype);
    };
    (add(Types(), core::scalarTypeOf<Types>), ...);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        names.push_back(fmt::format("weight.{}", i));
    }
    std::vector<program::TensorDataEntry> entries;
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        entries.push_back({.name = names[i],
                           .segment = {},
                           .data = blobs[i],
                           .layout = program::TensorLayout{.scalarType = static_cast<std::int8_t>(dtypes[i]),
                                                           .sizes = {64},
                                                           .dimOrder = {0},
                                                           .byteSize = {}}});
    }
    return program::TensorData::parse(core::MappedFile::fromMemory(builder::writeTensorData(entries).value()))
        .value();
}

TEST(EqualValues, FindsTheSameNumbersInOtherDtypes) {
    const std::vector whole{sameNumbers<float, core::Half, std::int32_t>(1)};
    const SizeMap map = makeSizeMap({.tensorData = whole}).value();
    const auto pairs = equalValues(map);
    ASSERT_EQ(pairs.size(), 2U) << "float32 with float16, and with int32";
    for (const EqualValues& pair : pairs) {
        EXPECT_FALSE(pair.isRounded);
        EXPECT_EQ(pair.wasted, map.pieces[pair.from].data.size());
    }
    const std::vector thirds{sameNumbers<float, core::Half>(1.0 / 3)};
    const SizeMap rounded = makeSizeMap({.tensorData = thirds}).value();
    const auto halves = equalValues(rounded);
    ASSERT_EQ(halves.size(), 1U);
    EXPECT_TRUE(halves[0].isRounded);
    EXPECT_EQ(halves[0].wasted, 128U);
    EXPECT_EQ(whyEqual(rounded, halves[0]), "the same numbers as float32 and, rounded, as float16");
}

TEST(EqualValues, DifferentNumbersAreNotEqual) {
    const std::vector data{sameNumbers<float>(1), sameNumbers<core::Half>(2)};
    EXPECT_TRUE(equalValues(makeSizeMap({.tensorData = data}).value()).empty());
}

TEST(SizeMap, WithoutCopiesNothingIsADuplicate) {
    const std::vector<std::shared_ptr<const program::TensorData>> data{dataWithCopies(0)};
    EXPECT_TRUE(repeatedContent(makeSizeMap({.tensorData = data}).value()).duplicates.empty());
}

/// A tensor data file of these blobs.
std::shared_ptr<const program::TensorData> dataOf(const std::vector<std::vector<std::byte>>& blobs) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        names.push_back(fmt::format("t{}", i));
    }
    std::vector<program::TensorDataEntry> entries;
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        entries.push_back(
            {.name = names[i],
             .segment = {},
             .data = blobs[i],
             .layout = program::TensorLayout{.scalarType = 6,
                                             .sizes = {static_cast<std::int64_t>(blobs[i].size() / 4)},
                                             .dimOrder = {0},
                                             .byteSize = static_cast<std::int64_t>(blobs[i].size())}});
    }
    return program::TensorData::parse(core::MappedFile::fromMemory(builder::writeTensorData(entries).value()))
        .value();
}

/// Bytes without any pattern.
std::vector<std::byte> noise(std::size_t size, std::uint32_t state) {
    std::vector<std::byte> out(size);
    for (std::byte& each : out) {
        state = state * 1664525 + 1013904223;
        each = static_cast<std::byte>(state >> 24U);
    }
    return out;
}

TEST(SizeMap, LargeTensorsAreComparedToTheirEnd) {
    // Larger than one read block; three are equal, two differ in one byte.
    constexpr std::size_t size = (std::size_t{9} << 20U) + 4;
    const std::vector<std::byte> one = noise(size, 1);
    std::vector<std::byte> middle = one;
    middle[size / 2] ^= std::byte{1};
    std::vector<std::byte> last = one;
    last[size - 5000] ^= std::byte{0x80};
    std::vector<std::byte> zero(size);
    std::vector<std::byte> nearlyZero(size);
    nearlyZero[size - 1] = std::byte{1};
    const std::vector<std::shared_ptr<const program::TensorData>> data{
        dataOf({one, middle, last}), dataOf({one, zero, nearlyZero}), dataOf({one, zero})};
    const SizeMap map = makeSizeMap({.tensorData = data}).value();
    const RepeatedContent found = repeatedContent(map);
    std::vector<std::vector<std::string>> names;
    for (const DuplicateGroup& group : found.duplicates) {
        std::vector<std::string>& all = names.emplace_back();
        for (const std::size_t piece : group.pieces) {
            all.push_back(fmt::format("{} of {}", map.pieces[piece].tensor, map.pieces[piece].file));
        }
    }
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0], (std::vector<std::string>{"t0 of 0", "t0 of 1", "t0 of 2"}));
    EXPECT_EQ(names[1], (std::vector<std::string>{"t1 of 1", "t1 of 2"}));
    ASSERT_EQ(found.uniform.size(), 2U);
    EXPECT_EQ(map.pieces[found.uniform[0]].tensor, "t1");
}

TEST(ContentDigest, DistinguishesWordsEqualModuloThePrime) {
    const DigestPoints points(12345, 67890);
    const auto of = [&](std::uint64_t word) { return points.append({}, std::as_bytes(std::span(&word, 1))); };
    constexpr std::uint64_t prime = (std::uint64_t{1} << 61U) - 1;
    EXPECT_NE(of(0), of(prime));
    EXPECT_NE(of(5), of(5 + 3 * prime));
    EXPECT_EQ(of(5), of(5));
    const std::vector<std::byte> bytes = noise(1000, 3);
    const core::Bytes all = bytes;
    EXPECT_EQ(points.append({}, all), points.append(points.append({}, all.first(640)), all.subspan(640)));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<std::byte> changed = bytes;
        changed[i] ^= std::byte{1};
        EXPECT_NE(points.append({}, changed), points.append({}, all)) << i;
    }
}

TEST(Compressible, FindsTensorsWithFewDistinctValues) {
    constexpr std::size_t size = std::size_t{2} << 20U;
    std::vector<std::byte> sixteenValues = noise(size, 9);
    for (std::byte& each : sixteenValues) {
        each &= std::byte{0x0f};
    }
    // Like floats with one sign and nearly one exponent.
    std::vector<std::byte> floats = noise(size, 7);
    for (std::size_t i = 3; i < floats.size(); i += 4) {
        floats[i] = std::byte{0x3d};
    }
    const std::vector<std::shared_ptr<const program::TensorData>> data{
        dataOf({noise(size, 2), sixteenValues, floats})};
    const SizeMap map = makeSizeMap({.tensorData = data}).value();
    const auto found = compressiblePieces(map);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(map.pieces[found[0].piece].tensor, "t1");
    EXPECT_NEAR(found[0].bitsPerByte, 4, 0.01);
    EXPECT_NEAR(static_cast<double>(found[0].saved), static_cast<double>(size) / 2, 3000);
    EXPECT_EQ(map.pieces[found[1].piece].tensor, "t2");
    EXPECT_NEAR(found[1].bitsPerByte, 6, 0.01);
}

/// Returns the program of a file, and its container.
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
                    continue;  // damaged intentionally, or of an unsupported format
                }
                const auto map = makeSizeMap(sources);
                ASSERT_TRUE(map) << path << ": " << map.error().toString();
                EXPECT_EQ(map->total(), std::filesystem::file_size(path)) << path;
                EXPECT_EQ(sumOf(*map), map->total()) << path;
                ++programs;
            }
        }
    }
    EXPECT_GT(programs, 1000U);
}

TEST(SizeConformance, NamesTensorsOfTheMissingWeightsFile) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "programs/ext_const";
    SizeSources sources = sourcesOf(folder / "portable_named.pte");
    const SizeMap alone = makeSizeMap(sources).value();
    EXPECT_EQ(alone.missing.size(), 3U);
    EXPECT_EQ(sumOf(alone), std::filesystem::file_size(folder / "portable_named.pte"));
    std::vector<std::shared_ptr<const program::TensorData>> data;
    for (const char* const name : {"portable_named.weights_a.ptd", "portable_named.weights_b.ptd"}) {
        data.push_back(program::TensorData::open(folder / name).value());
    }
    sources.tensorData = std::span(data).first(1);
    const SizeMap half = makeSizeMap(sources).value();
    EXPECT_LT(half.missing.size(), alone.missing.size());
    EXPECT_FALSE(half.missing.empty());
    sources.tensorData = data;
    const SizeMap whole = makeSizeMap(sources).value();
    EXPECT_TRUE(whole.missing.empty());
    EXPECT_TRUE(missingText(whole).empty());
    EXPECT_EQ(sumOf(whole), alone.total() + data[0]->file->bytes().size() + data[1]->file->bytes().size());

    // Missing data of a delegate, as named by its payload.
    const auto vulkan =
        makeSizeMap(sourcesOf(test::sharedData() / "programs/backends/vulkan/mlp_vulkan_extconst.bpte"));
    EXPECT_EQ(vulkan->missing.size(), 5U);
    EXPECT_TRUE(missingText(*vulkan).starts_with("5 tensors missing from these files: "));
}

TEST(SizeConformance, WeightsInsideOfDelegatesAreFound) {
    ET_NEEDS_SHARED_DATA();
    const auto path = test::sharedData() / "programs/mobilenet_v2_small/xnnpack.bpte";
    const SizeSources sources = sourcesOf(path);
    ASSERT_NE(sources.program, nullptr);
    const SizeMap map = makeSizeMap(sources).value();
    // The network has 0.4 million four-byte parameters, nearly all of them in its only delegate.
    EXPECT_GT(bytesOf(map, SizeKind::DelegateWeights), 1'500'000U);
    EXPECT_LT(bytesOf(map, SizeKind::DelegateTables), 100'000U);
    EXPECT_EQ(bytesOf(map, SizeKind::NamedData), 0U) << "all of it is the delegate's";
}

/// Scales are blobs of their own, which only the payload's values name.
TEST(SizeConformance, ScalesBelongToTheModuleOfTheirWeight) {
    ET_NEEDS_SHARED_DATA();
    const auto models = test::sharedData() / "llm" / "models" / "tiny-a";
    const auto program = program::Program::open(models / "xnnpack_8da4w.pte").value();
    const auto record = etrecord::Record::open(models / "xnnpack_8da4w.etrecord").value();
    const SizeMap map =
        makeSizeMap({.program = program, .record = record.get(), .backends = backends::describable()})
            .value();
    std::size_t scales = 0;
    for (const SizePiece& piece : map.pieces) {
        if (piece.kind == SizeKind::DelegateWeights) {
            EXPECT_FALSE(piece.module.empty()) << piece.tensor;
            scales += piece.tensor.ends_with(", scales") ? 1U : 0U;
        }
    }
    EXPECT_EQ(scales, 15U);
    const auto bytes = [&](const std::string& module) {
        std::uint64_t sum = 0;
        for (const SizePiece& piece : map.pieces) {
            const std::string owner = sizeOwner(piece, SizeBy::Module, {.depth = 0, .mergeLayers = true});
            sum += owner == module ? piece.bytes : 0;
        }
        return sum;
    };
    // Two layers of 192 x 64 elements of 4 bits and a scale of 16 bits per 32 of them.
    EXPECT_EQ(bytes("m.layers.*.feed_forward.w1"), 2U * (192U * 64U / 2U + 192U * 64U / 32U * 2U));
}

TEST(SizeConformance, ReportsQuantizationOfWeights) {
    ET_NEEDS_SHARED_DATA();
    const SizeSources sources = sourcesOf(test::sharedData() / "programs/mobilenet_v2_small/xnnpack_q8.bpte");
    ASSERT_NE(sources.program, nullptr);
    const SizeMap map = makeSizeMap(sources).value();
    EXPECT_EQ(bytesOf(map, SizeKind::NamedData), 0U) << "scales are the delegate's, too";
    const auto kinds = weightKinds(map);
    ASSERT_GT(kinds.size(), 1U);
    EXPECT_EQ(kinds[0].bits, 8U);
    EXPECT_FALSE(kinds[0].isFloat);
    EXPECT_TRUE(kinds[0].scheme.starts_with("per ")) << kinds[0].scheme;
    std::uint64_t bytes = 0;
    for (const WeightKind& kind : kinds) {
        bytes += kind.bytes;
    }
    EXPECT_GT(kinds[0].bytes, bytes / 2);
    EXPECT_EQ(weightList(map).size(),
              std::accumulate(kinds.begin(), kinds.end(), std::size_t{0},
                              [](std::size_t sum, const WeightKind& kind) { return sum + kind.tensors; }));
}

}  // namespace
}  // namespace et::inspector

#include "backends/builtin.h"
#include "inspector/tensors/stored_values.h"
#include "inspector/tensors/tensor_catalog.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

// Tests of the list of tensors of all open files.
namespace et::inspector {
namespace {

using backends::StoredElements;
using core::ErrorCode;
using core::ScalarType;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::byte> bytesOf(const std::vector<int>& numbers) {
    std::vector<std::byte> bytes;
    std::ranges::transform(numbers, std::back_inserter(bytes), [](int each) { return std::byte(each); });
    return bytes;
}

std::vector<double> numbersIn(core::Bytes data, const StoredElements& how, TensorForm form) {
    const auto tensor = storedTensor(data, how, form);
    EXPECT_TRUE(tensor) << tensor.error().toString();
    return tensor ? numbersOf(*tensor).value() : std::vector<double>();
}

TEST(StoredValues, FourBitsComeTheLowerOnesFirst) {
    // Rows of three elements occupy two bytes each; the remainder of the last byte is padding.
    const auto data = bytesOf({0x98, 0xF7, 0x10, 0xF8});
    const StoredElements how{
        .dtype = ScalarType::Char, .sizes = {2, 3}, .packed = true, .scales = {0.5F, 2}, .channelDim = 0};
    EXPECT_THAT(numbersIn(data, how, TensorForm::Stored), ElementsAre(0, 1, -1, -8, -7, 0));
    EXPECT_THAT(numbersIn(data, how, TensorForm::Real), ElementsAre(0, 0.5, -0.5, -16, -14, 0));
}

TEST(StoredValues, ScalesAreOfAllOfChannelsOrOfBlocks) {
    const auto data = bytesOf({10, 20, 30, 40});
    StoredElements how{.dtype = ScalarType::Byte, .sizes = {2, 2}, .zeroPoint = 10, .scales = {2}};
    EXPECT_THAT(numbersIn(data, how, TensorForm::Real), ElementsAre(0, 20, 40, 60));
    EXPECT_THAT(numbersIn(data, how, TensorForm::Stored), ElementsAre(10, 20, 30, 40));
    how.zeroPoint = 0;
    how.scales = {1, 10};
    how.channelDim = 1;
    EXPECT_THAT(numbersIn(data, how, TensorForm::Real), ElementsAre(10, 200, 30, 400));
    how.scales = {1, 10, 100, 1000};
    how.channelDim = 0;
    how.blockSize = 1;
    EXPECT_THAT(numbersIn(data, how, TensorForm::Real), ElementsAre(10, 200, 3000, 40000));
}

TEST(StoredValues, MismatchGivesAOneLineError) {
    const auto data = bytesOf({1, 2, 3});
    StoredElements how{.dtype = ScalarType::Char, .sizes = {2, 2}};
    EXPECT_EQ(storedTensor(data, how, TensorForm::Stored).error().code, ErrorCode::Format);
    how.sizes = {4, 2};
    how.packed = true;
    EXPECT_EQ(storedTensor(data, how, TensorForm::Stored).error().code, ErrorCode::Format);
    how.sizes = {3};
    how.packed = false;
    how.scales = {1, 2};
    const auto error = storedTensor(data, how, TensorForm::Real).error();
    EXPECT_EQ(error.code, ErrorCode::Format);
    EXPECT_THAT(error.message, HasSubstr("2 scales do not fit"));
    how.sizes = {std::int64_t{1} << 40};
    EXPECT_EQ(storedTensor(data, how, TensorForm::Stored).error().code, ErrorCode::Limit);
    how.sizes = {-1};
    EXPECT_FALSE(storedTensor(data, how, TensorForm::Stored));
}

TEST(ChannelStatistics, CoverTheElementsOfAChannel) {
    const std::vector<double> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const std::vector<std::int64_t> sizes{2, 3, 2};
    const auto middle = channelStatistics(numbers, sizes, 1);
    ASSERT_EQ(middle.size(), 3U);
    EXPECT_EQ(middle[1].elements, 4U);
    EXPECT_EQ(middle[1].minimum, 2);
    EXPECT_EQ(middle[1].maximum, 9);
    EXPECT_DOUBLE_EQ(middle[1].mean, (2 + 3 + 8 + 9) / 4.0);
    EXPECT_EQ(channelStatistics(numbers, sizes, 0)[1].minimum, 6);
    EXPECT_EQ(channelStatistics(numbers, sizes, 2)[1].maximum, 11);
    EXPECT_TRUE(channelStatistics({}, std::vector<std::int64_t>{2, 0}, 0).empty());
}

std::shared_ptr<const TensorCatalog> catalogOf(const SessionFiles& files) {
    const auto session = Session::open(files);
    EXPECT_TRUE(session) << session.error().toString();
    if (!session) {
        return nullptr;
    }
    CatalogSources sources{.session = *session, .backends = backends::describable()};
    if (!files.tensorData.empty()) {
        sources.tensorData.push_back(program::TensorData::open(files.tensorData).value());
    }
    return TensorCatalog::build(std::move(sources));
}

std::vector<double> numbersAt(const TensorCatalog& catalog, std::size_t at, TensorForm form) {
    const auto tensor = catalog.read(at, form);
    EXPECT_TRUE(tensor) << catalog.tensors()[at].place << ": " << tensor.error().toString();
    return tensor ? numbersOf(*tensor).value() : std::vector<double>();
}

bool share(const std::vector<core::DebugHandle>& some, const std::vector<core::DebugHandle>& others) {
    return std::ranges::any_of(some,
                               [&](core::DebugHandle each) { return std::ranges::contains(others, each); });
}

/// Counts weights of the ETRecord that a delegate also has, with the same handle and the same elements.
std::size_t sameWeights(const TensorCatalog& catalog, TensorForm form) {
    std::size_t same = 0;
    for (std::size_t i = 0; i < catalog.tensors().size(); ++i) {
        const CatalogTensor& recorded = catalog.tensors()[i];
        if (recorded.origin != TensorOrigin::RecordWeight || recorded.handles.empty()) {
            continue;
        }
        for (std::size_t j = 0; j < catalog.tensors().size(); ++j) {
            const CatalogTensor& stored = catalog.tensors()[j];
            same += stored.origin == TensorOrigin::DelegateWeight &&
                            share(stored.handles, recorded.handles) &&
                            numbersAt(catalog, i, form) == numbersAt(catalog, j, form)
                        ? 1U
                        : 0U;
        }
    }
    return same;
}

TEST(TensorCatalog, ADelegatesWeightsAreThoseOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "programs" / "mlp";
    const auto catalog =
        catalogOf({.record = folder / "xnnpack.etrecord", .bundle = folder / "xnnpack.bpte"});
    const auto weights =
        std::ranges::count(catalog->tensors(), TensorOrigin::DelegateWeight, &CatalogTensor::origin);
    EXPECT_GT(weights, 3);
    // Weight and bias of each layer, in at most two archives of the ETRecord.
    EXPECT_GE(sameWeights(*catalog, TensorForm::Stored), static_cast<std::size_t>(weights));
    for (const CatalogTensor& each : catalog->tensors()) {
        if (each.origin == TensorOrigin::DelegateWeight) {
            EXPECT_THAT(each.name, testing::AnyOf(HasSubstr(": filter"), HasSubstr(": bias"))) << each.place;
        }
    }
}

TEST(TensorCatalog, FourBitWeightsAreThoseOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "programs" / "mlp_8da4w";
    const auto catalog =
        catalogOf({.record = folder / "xnnpack.etrecord", .program = folder / "xnnpack.pte"});
    std::size_t packed = 0;
    for (std::size_t i = 0; i < catalog->tensors().size(); ++i) {
        const CatalogTensor& tensor = catalog->tensors()[i];
        if (tensor.origin == TensorOrigin::DelegateWeight && tensor.type.starts_with("q")) {
            ++packed;
            const auto stored = numbersAt(*catalog, i, TensorForm::Stored);
            const auto [least, most] = std::ranges::minmax(stored);
            EXPECT_GE(least, -8);
            EXPECT_LE(most, 7);
            const auto real = numbersAt(*catalog, i, TensorForm::Real);
            EXPECT_LT(std::abs(*std::ranges::max_element(real)), 2);
            EXPECT_NE(real, stored);
        }
    }
    EXPECT_GT(packed, 0U);
    EXPECT_GE(sameWeights(*catalog, TensorForm::Stored), packed);
}

TEST(TensorCatalog, AnOperatorsTensorsAreFound) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "programs" / "linear";
    const auto catalog =
        catalogOf({.record = folder / "portable.etrecord", .program = folder / "portable.pte"});
    std::size_t found = 0;
    for (const CatalogTensor& tensor : catalog->tensors()) {
        if (tensor.origin != TensorOrigin::Constant) {
            continue;
        }
        ASSERT_FALSE(tensor.instructions.empty()) << tensor.place;
        const auto ofHandles = catalog->tensorsOf("forward", core::InstructionId(-1), tensor.handles);
        const auto ofInstruction = catalog->tensorsOf("forward", tensor.instructions.front(), {});
        EXPECT_FALSE(ofInstruction.empty());
        EXPECT_TRUE(std::ranges::any_of(catalog->tensors(),
                                        [&](const CatalogTensor& each) {
                                            return each.origin == TensorOrigin::RecordWeight &&
                                                   each.name == tensor.name;
                                        }))
            << tensor.name << " is not a name of the record";
        // Includes weights that the ETRecord stores under the same handles.
        EXPECT_GT(ofHandles.size(), ofInstruction.size());
        EXPECT_TRUE(catalog->tensorsOf("backward", tensor.instructions.front(), tensor.handles).empty());
        ++found;
    }
    EXPECT_GE(found, 2U);
    EXPECT_TRUE(catalog->tensorsOf("forward", core::InstructionId(-1), {}).empty());
}

TEST(TensorCatalog, DataFilesAndLoggedValuesAreListed) {
    ET_NEEDS_SHARED_DATA();
    const auto outside = test::sharedData() / "programs" / "ext_const";
    const auto data = catalogOf({.program = outside / "portable_all.pte",
                                 .tensorData = outside / "portable_all._default_external_constant.ptd"});
    const auto& tensors = data->tensors();
    const auto first = std::ranges::find(tensors, TensorOrigin::DataFile, &CatalogTensor::origin);
    ASSERT_NE(first, tensors.end());
    EXPECT_FALSE(first->instructions.empty());
    EXPECT_FALSE(
        numbersAt(*data, static_cast<std::size_t>(first - tensors.begin()), TensorForm::Real).empty());

    const auto trace = test::sharedData() / "traces" / "mobilenet_v2_small_xnnpack_debug";
    const auto logged = catalogOf({.trace = trace / "trace.etdp", .debugBuffer = trace / "debug_buffer.bin"});
    ASSERT_FALSE(logged->tensors().empty());
    for (std::size_t i = 0; i < logged->tensors().size(); ++i) {
        EXPECT_EQ(logged->tensors()[i].origin, TensorOrigin::Logged);
        EXPECT_FALSE(numbersAt(*logged, i, TensorForm::Real).empty());
    }
}

TEST(TensorCatalog, EveryRealProgramIsListedAndRead) {
    ET_NEEDS_SHARED_DATA();
    constexpr std::uint64_t mostBytes = 1 << 22;
    std::map<TensorOrigin, std::size_t> read;
    std::size_t refused = 0;
    for (const auto& file : test::sharedFiles("programs", ".bpte")) {
        SessionFiles files{.bundle = file};
        if (auto record = file; std::filesystem::exists(record.replace_extension(".etrecord"))) {
            files.record = record;
        }
        const auto catalog = catalogOf(files);
        for (std::size_t i = 0; catalog != nullptr && i < catalog->tensors().size(); ++i) {
            const CatalogTensor& tensor = catalog->tensors()[i];
            EXPECT_FALSE(tensor.name.empty()) << tensor.place;
            if (tensor.bytes > mostBytes) {
                continue;
            }
            const auto stored = catalog->read(i, TensorForm::Stored);
            const auto real = catalog->read(i, TensorForm::Real);
            EXPECT_EQ(stored.has_value(), real.has_value()) << file << " " << tensor.place;
            stored ? ++read[tensor.origin] : ++refused;
            EXPECT_TRUE(stored || stored.error().code == ErrorCode::Unsupported)
                << file << " " << tensor.place << ": " << stored.error().toString();
        }
    }
    for (const TensorOrigin origin :
         {TensorOrigin::Constant, TensorOrigin::State, TensorOrigin::DelegateWeight,
          TensorOrigin::RecordWeight, TensorOrigin::RecordSample, TensorOrigin::TestInput,
          TensorOrigin::TestOutput}) {
        EXPECT_GT(read[origin], 0U) << traits(origin).name;
        fmt::print("{}: {} read\n", traits(origin).name, read[origin]);
    }
    fmt::print("{} of a form that is not read\n", refused);
}

}  // namespace
}  // namespace et::inspector

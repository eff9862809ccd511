// Tests whether weight files of another export are recognized.

#include "bundled_program/bundle.h"
#include "etrecord/torch_writer.h"
#include "inspector/external_data/data_check.h"
#include "inspector/format/checksum.h"
#include "tests/inspector/join_support.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Numbers = std::vector<float>;

std::vector<std::byte> bytesOfNumbers(const Numbers& numbers) {
    std::vector<std::byte> bytes(numbers.size() * sizeof(float));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

std::shared_ptr<const core::MappedFile> fileOf(std::vector<std::byte> bytes, const std::string& name) {
    return core::MappedFile::fromMemory(std::move(bytes), name);
}

/// A program that adds the external tensor "w" of these sizes.
std::shared_ptr<const program::Program> programWith(const std::vector<std::int32_t>& sizes) {
    test::ProgramSpec spec = test::addProgram();
    test::TensorSpec weight{
        .sizes = sizes, .dataIndex = 1, .extra = test::ExtraSpec{.name = "w", .location = 1}};
    spec.methods[0].values[1] = weight;
    std::erase(spec.methods[0].inputs, 1);
    return program::Program::parse(fileOf(test::writeProgram(spec), "a.pte")).value();
}

/// A program with one delegate that has this payload.
std::shared_ptr<const program::Program> programDelegating(const std::string& backend,
                                                          const std::string& payload) {
    test::ProgramSpec spec = test::addProgram();
    spec.inlinePayloads = {payload};
    spec.methods[0].delegates = {{.backend = backend}};
    spec.methods[0].instructions = {test::DelegateCallSpec{.delegate = 0, .args = {0, 1, 2}}};
    return program::Program::parse(fileOf(test::writeProgram(spec), "a.pte")).value();
}

struct NamedNumbers {
    std::string name;
    Numbers numbers;
    std::optional<std::vector<std::int32_t>> sizes{};  ///< none: opaque bytes
};

DataFile dataWith(const std::vector<NamedNumbers>& all, const std::string& path = "b.ptd") {
    test::TensorDataSpec spec;
    for (const NamedNumbers& each : all) {
        const auto bytes = bytesOfNumbers(each.numbers);
        spec.segmentData.resize((spec.segmentData.size() + 15) / 16 * 16);
        spec.segments.push_back({.offset = spec.segmentData.size(), .size = bytes.size()});
        spec.segmentData.insert(spec.segmentData.end(), bytes.begin(), bytes.end());
        spec.entries.push_back(
            {.key = each.name, .segment = static_cast<std::uint32_t>(spec.entries.size())});
        if (each.sizes) {
            test::TensorSpec layout{.sizes = *each.sizes};
            layout.dimOrder.resize(each.sizes->size());
            for (std::size_t i = 0; i < layout.dimOrder.size(); ++i) {
                layout.dimOrder[i] = static_cast<std::uint8_t>(i);
            }
            spec.entries.back().layout = layout;
        }
    }
    return {.path = path,
            .data = program::TensorData::parse(fileOf(test::writeTensorData(spec), path)).value()};
}

std::shared_ptr<const etrecord::Record> recordWith(const std::vector<NamedNumbers>& weights) {
    etrecord::ArchiveValue::Dict dict;
    std::vector<std::vector<std::byte>> elements;
    for (const NamedNumbers& each : weights) {
        elements.push_back(bytesOfNumbers(each.numbers));
        dict.push_back(
            {.key = each.name,
             .value = {etrecord::TensorToArchive{.sizes = {static_cast<std::int64_t>(each.numbers.size())},
                                                 .elements = elements.back()}}});
    }
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", test::edgeGraph({"aten.add.Tensor"}));
    writer.addArchive("edge_dialect_exported_program/forward_state_dict",
                      etrecord::writeTorchArchive({dict}).value());
    return etrecord::Record::parse(fileOf(writer.finish().value(), "a.etrecord")).value();
}

DataCheck check(const program::Program& program, const std::vector<DataFile>& files,
                const etrecord::Record* record = nullptr) {
    return checkData({.program = program,
                      .programPath = "a.pte",
                      .files = files,
                      .record = record,
                      .recordPath = "a.etrecord"});
}

const Numbers six{1, 2, 3, 4, 5, 6};
const Numbers others{1, 2, 3, 4, 5, 7};

TEST(ExternalDataTest, NamesAndSizesAreNotContents) {
    const auto program = programWith({2, 3});
    EXPECT_EQ(check(*program, {}).verdict, DataVerdict::Missing);
    const std::vector<DataFile> files{dataWith({{"w", six, {{2, 3}}}})};
    const DataCheck fits = check(*program, files);
    EXPECT_EQ(fits.verdict, DataVerdict::Unverified);
    EXPECT_THAT(fits.contradictions, IsEmpty());
    EXPECT_EQ(fits.found, 1U);
    EXPECT_THAT(
        summary(fits, {.program = *program, .programPath = "a.pte", .files = files}),
        testing::AllOf(HasSubstr("1 of 1 names and sizes fit"), HasSubstr("cannot be verified"),
                       HasSubstr("info a.pte b.ptd a.etrecord"), HasSubstr("verify a.bpte --data b.ptd")));
    EXPECT_EQ(check(*program, {dataWith({{"w", six}})}).verdict, DataVerdict::Unverified) << "no layout";
}

TEST(ExternalDataTest, LayoutsMustBeThoseOfTheProgram) {
    const auto program = programWith({2, 3});
    const DataCheck sizes = check(*program, {dataWith({{"w", six, {{3, 2}}}})});
    EXPECT_EQ(sizes.verdict, DataVerdict::Mismatch);
    EXPECT_THAT(sizes.contradictions,
                ElementsAre(testing::AllOf(
                    HasSubstr("b.ptd: \"w\" is float32 [3, 2], but the program expects float32 [2, 3]"),
                    HasSubstr("replaced the weights of a.pte"), HasSubstr("separate folder"))));
    EXPECT_EQ(check(*program, {dataWith({{"w", Numbers{1, 2}}})}).verdict, DataVerdict::Mismatch);
}

TEST(ExternalDataTest, MissingNamesAreNamed) {
    const auto program = programWith({2, 3});
    const DataCheck missing = check(*program, {dataWith({{"v", six, {{2, 3}}}})});
    EXPECT_THAT(missing.contradictions,
                ElementsAre(HasSubstr("b.ptd: a.pte needs \"w\", which b.ptd does not contain")));
    EXPECT_THAT(missing.contradictions, ElementsAre(HasSubstr("b.ptd belongs to another export")));
    const DataCheck extra =
        check(*program, {dataWith({{"w", six, {{2, 3}}}}), dataWith({{"v", six}}, "c.ptd")});
    EXPECT_THAT(extra.contradictions, ElementsAre(HasSubstr("c.ptd: a.pte reads none of its 1 names")));
    EXPECT_EQ(check(*program, {dataWith({{"w", six, {{2, 3}}}, {"v", six}})}).verdict,
              DataVerdict::Unverified)
        << "files may be shared by several programs";
    const auto closed =
        program::Program::parse(fileOf(test::writeProgram(test::addProgram()), "a.pte")).value();
    EXPECT_EQ(check(*closed, {}).verdict, DataVerdict::NotNeeded);
    EXPECT_EQ(check(*closed, {dataWith({{"w", six}})}).verdict, DataVerdict::Mismatch);
}

TEST(ExternalDataTest, OneOfTwoWeightFilesIsIncomplete) {
    ET_NEEDS_SHARED_DATA();
    const std::filesystem::path folder = test::sharedData() / "backends_new";
    const auto program = program::Program::open(folder / "ethosu_external.pte").value();
    std::vector<DataFile> files;
    for (const char* name : {"ethosu_external.flash.ptd", "ethosu_external.sram.ptd"}) {
        files.push_back({.path = name, .data = program::TensorData::open(folder / name).value()});
    }
    const auto check = [&](std::span<const DataFile> given) {
        return checkData({.program = *program, .programPath = "a.pte", .files = given});
    };
    for (const DataFile& each : files) {
        const DataCheck one = check({&each, 1});
        EXPECT_EQ(one.verdict, DataVerdict::Missing);
        EXPECT_THAT(one.contradictions, ElementsAre(HasSubstr("give the other weight files of this export")));
    }
    EXPECT_EQ(check(files).verdict, DataVerdict::Match);
}

TEST(ExternalDataTest, TheRecordTellsContents) {
    const auto program = programWith({2, 3});
    const auto record = recordWith({{"w", six}});
    const DataCheck same = check(*program, {dataWith({{"w", six, {{2, 3}}}})}, record.get());
    EXPECT_EQ(same.verdict, DataVerdict::Match);
    EXPECT_THAT(same.verifiedBy, ElementsAre("a.etrecord"));
    const Numbers permuted{1, 4, 2, 5, 3, 6};
    EXPECT_EQ(check(*program, {dataWith({{"w", permuted, {{2, 3}}}})}, record.get()).verdict,
              DataVerdict::Match)
        << "another memory order";
    const DataCheck other = check(*program, {dataWith({{"w", others, {{2, 3}}}})}, record.get());
    EXPECT_EQ(other.verdict, DataVerdict::Mismatch);
    EXPECT_THAT(other.contradictions,
                ElementsAre(testing::AllOf(
                    HasSubstr("b.ptd: the contents of \"w\" differ from the weights in a.etrecord"),
                    HasSubstr("b.ptd belongs to another export"))));
    const auto unrelated = recordWith({{"x", six}});
    EXPECT_EQ(check(*program, {dataWith({{"w", six, {{2, 3}}}})}, unrelated.get()).verdict,
              DataVerdict::Unverified);
}

TEST(ExternalDataTest, HashesInNamesTellContents) {
    const std::string hash = format::sha256(bytesOfNumbers(six));
    const std::string library(64, 'a');
    const std::string key = hash + "_weights_blob";
    const auto program = programDelegating("CudaBackend", library + "_so_blob\n" + key);
    const std::string so = library + "_so_blob";
    const DataCheck right = check(*program, {dataWith({{so, Numbers{1}}, {key, six}})});
    EXPECT_THAT(right.contradictions, ElementsAre(HasSubstr("has SHA-256"))) << "of the library";
    const std::string goodLibrary = format::sha256(bytesOfNumbers(others)) + "_so_blob";
    const auto whole = programDelegating("MetalBackend", goodLibrary + "\n" + key);
    EXPECT_EQ(check(*whole, {dataWith({{goodLibrary, others}, {key, six}})}).verdict, DataVerdict::Match);
    const DataCheck absent =
        check(*whole, {dataWith({{goodLibrary, others},
                                 {format::sha256(bytesOfNumbers(others)) + "_weights_blob", others}})});
    EXPECT_THAT(absent.contradictions, ElementsAre(HasSubstr(" for MetalBackend, which b.ptd does not")));
    EXPECT_EQ(check(*programDelegating("CudaBackend", "no keys"), {dataWith({{key, six}})}).verdict,
              DataVerdict::Unverified)
        << "the payload is not understood";
}

TEST(ExternalDataTest, BlobsArePackedWeights) {
    const auto program = programDelegating("CudaBackend", "");
    const Numbers first{1, 2, 3, 4, 5, 6, 7, 8};
    const Numbers second{10, 20, 30, 40, 50};
    const auto record = recordWith({{"a", first}, {"b", second}});
    const auto verdict = [&](const Numbers& blob) {
        return check(*program, {dataWith({{"forward_so_blob", six}, {"forward_weights_blob", blob}})},
                     record.get())
            .contradictions;
    };
    EXPECT_THAT(verdict({10, 20, 30, 40, 50, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}), IsEmpty()) << "any order";
    EXPECT_THAT(verdict({1, 2, 3, 4, 5, 6, 7, 9, 10, 20, 30, 40, 50}),
                ElementsAre(HasSubstr("\"forward_weights_blob\" differ from the weights in a.etrecord")));
    EXPECT_THAT(verdict({1, 2, 3}), IsEmpty()) << "packed in another way";
}

DataFile openData(const std::filesystem::path& path) {
    return {.path = path, .data = program::TensorData::open(path).value()};
}

class RealPairs : public testing::TestWithParam<const char*> {};

TEST_P(RealPairs, AreRecognized) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "pairs" / GetParam();
    const bool isHashed = std::string_view(GetParam()) == "cuda_hash_keys";
    for (const char* const one : {"a", "b"}) {
        for (const char* const other : {"a", "b"}) {
            const auto at = [&](const char* stem, const char* ending) {
                return folder / (std::string(stem) + ending);
            };
            const auto program = program::Program::open(at(one, ".pte")).value();
            const auto record = etrecord::Record::open(at(one, ".etrecord")).value();
            const std::vector<DataFile> files{openData(at(other, ".ptd"))};
            const bool isRight = std::string_view(one) == other;
            const DataCheck alone = check(*program, files);
            EXPECT_EQ(alone.verdict, !isHashed ? DataVerdict::Unverified
                                     : isRight ? DataVerdict::Match
                                               : DataVerdict::Mismatch)
                << one << other;
            const DataCheck recorded = check(*program, files, record.get());
            EXPECT_EQ(recorded.verdict, isRight ? DataVerdict::Match : DataVerdict::Mismatch)
                << one << other << ": " << testing::PrintToString(recorded.contradictions);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, RealPairs,
                         testing::Values("cuda_hash_keys", "cuda_method_keys", "portable_same_sizes",
                                         "same_keys_same_shapes"),
                         [](const auto& folder) { return std::string(folder.param); });

/// Sizes that delegates declare. The data of the real files, with one entry replaced.
TEST(ExternalDataTest, DelegatesDeclareTypesOfTheirData) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "pairs" / "same_keys_same_shapes";
    const auto program = program::Program::open(folder / "a.pte").value();
    const auto biases = [&](const std::vector<std::int32_t>& sizes) {
        return std::vector<NamedNumbers>{{"a.weight", Numbers(192), {{16, 12}}},
                                         {"a.bias", Numbers(16), {{16}}},
                                         {"b.weight", Numbers(80), {{5, 16}}},
                                         {"b.bias", Numbers(static_cast<std::size_t>(sizes[0])), sizes}};
    };
    EXPECT_THAT(check(*program, {dataWith(biases({5}))}).contradictions, IsEmpty());
    EXPECT_THAT(check(*program, {dataWith(biases({6}))}).contradictions,
                ElementsAre(HasSubstr("\"b.bias\" is float32 [6], but the program expects float32 [5]")));
}

/// Two weight files, one for each memory.
TEST(ExternalDataTest, EthosUBlocksHaveTheirPlacementInTheHash) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "backends_new";
    const auto program = program::Program::open(folder / "ethosu_external.pte").value();
    const DataFile flash = openData(folder / "ethosu_external.flash.ptd");
    const DataFile sram = openData(folder / "ethosu_external.sram.ptd");
    EXPECT_EQ(check(*program, {flash, sram}).verdict, DataVerdict::Match);
    EXPECT_THAT(check(*program, {flash}).contradictions, SizeIs(1));
}

/// Every program of the corpus whose weights are outside.
TEST(ExternalDataTest, RightFilesAreNeverWarnedAbout) {
    ET_NEEDS_SHARED_DATA();
    std::map<std::filesystem::path, std::vector<DataFile>> files;
    for (const auto* const folder : {"programs", "native_pte", "backends_new"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedData() / folder)) {
            const std::string name = entry.path().filename().string();
            if (name.ends_with(".ptd")) {
                const std::string stem = name.substr(0, name.find('.'));
                files[entry.path().parent_path() / (stem + ".bpte")].push_back(openData(entry.path()));
            }
        }
    }
    for (const auto& [path, data] : files) {
        const auto bundle = bundled_program::Bundle::open(path);
        if (!bundle) {
            continue;  // left out of the corpus
        }
        const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
        ASSERT_TRUE(program) << program.error().toString();
        auto record = path;
        record.replace_extension(".etrecord");
        const auto opened = etrecord::Record::open(record);
        EXPECT_THAT(check(**program, data).contradictions, IsEmpty()) << path;
        EXPECT_THAT(check(**program, data, opened ? opened->get() : nullptr).contradictions, IsEmpty())
            << path;
    }
    EXPECT_GT(files.size(), 5U);
}

}  // namespace
}  // namespace et::inspector

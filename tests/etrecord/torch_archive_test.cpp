#include "etrecord/torch_archive.h"

#include "runtime/core/scalar_type.h"
#include "tests/etrecord/pickle_builder.h"
#include "tests/etrecord/zip_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace et::etrecord {
namespace {

using core::ErrorCode;
using test::PickleBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Result<std::vector<TorchTensor>> list(std::string_view pickle) {
    return listPickledTensors(std::as_bytes(std::span(pickle)), "data.pkl");
}

/// Returns "name dtype [sizes] bytes" of each tensor.
std::vector<std::string> describe(std::string_view pickle) {
    const auto tensors = list(pickle);
    EXPECT_TRUE(tensors) << tensors.error().toString();
    std::vector<std::string> lines;
    for (const TorchTensor& tensor : tensors.value_or(std::vector<TorchTensor>())) {
        lines.push_back(fmt::format("{} {} {} {}", tensor.name, core::scalarTypeName(tensor.scalarType),
                                    tensor.sizes, tensor.bytes));
    }
    return lines;
}

std::string archiveErrorOf(std::string_view pickle) {
    const auto tensors = list(pickle);
    return tensors ? "" : tensors.error().toString();
}

TEST(TorchArchive, ListsAStateDict) {
    PickleBuilder pickle;
    pickle.global("collections", "OrderedDict").raw(")R(");
    pickle.text("conv.weight").tensor("FloatStorage", {8, 3, 3, 3});
    pickle.text("steps").tensor("LongStorage", {});
    pickle.text("half").tensor("BFloat16Storage", {0, 7});
    EXPECT_THAT(describe(pickle.raw("u").stop()), ElementsAre("conv.weight float32 [8, 3, 3, 3] 864",
                                                              "steps int64 [] 8", "half bfloat16 [0, 7] 0"));
}

TEST(TorchArchive, NamesThePathThroughContainers) {
    PickleBuilder pickle;
    pickle.raw("}")
        .text("forward")
        .raw("](](")
        .tensor("ByteStorage", {2})
        .tensor("BoolStorage", {3})
        .raw("e](")
        .integer(4)
        .tensor("HalfStorage", {1})
        .raw("ees");
    EXPECT_THAT(describe(pickle.stop()), ElementsAre("forward[0][0] uint8 [2] 2", "forward[0][1] bool [3] 3",
                                                     "forward[1][1] float16 [1] 2"));
}

TEST(TorchArchive, ListsParametersAndSubclasses) {
    PickleBuilder pickle;
    pickle.raw("}(")
        .text("p")
        .global("torch._utils", "_rebuild_parameter")
        .raw("(")
        .tensor("FloatStorage", {2})
        .raw("\x88");
    pickle.global("collections", "OrderedDict").raw(")RtR");
    // A tensor composed of tensors: the outer one has no storage, its state contains the inner ones.
    pickle.text("w")
        .global("torch._tensor", "_rebuild_from_type_v2")
        .raw("(")
        .global("torch._utils", "_rebuild_wrapper_subclass")
        .global("pkg", "Packed");
    pickle.raw("(")
        .global("pkg", "Packed")
        .global("torch", "float32")
        .sizes({4, 4})
        .sizes({4, 1})
        .integer(0)
        .raw("NN\x89t");
    pickle.raw("}").text("data").tensor("CharStorage", {4, 4}).raw("stR").raw("u");
    EXPECT_THAT(describe(pickle.stop()),
                ElementsAre("p float32 [2] 8", "w float32 [4, 4] 0", "w.data int8 [4, 4] 16"));
}

TEST(TorchArchive, TakesTheTypeOfUntypedStoragesFromTheTensor) {
    PickleBuilder pickle;
    pickle.global("torch._utils", "_rebuild_tensor_v3")
        .raw("((")
        .text("storage")
        .global("torch", "UntypedStorage")
        .text("0")
        .text("cpu")
        .integer(6)
        .raw("tQ");
    pickle.integer(0).sizes({2, 3}).sizes({3, 1}).raw("\x89N").global("torch", "float8_e4m3fn").raw("tR");
    EXPECT_THAT(describe(pickle.stop()), ElementsAre(" float8_e4m3fn [2, 3] 6"));
    PickleBuilder meta;
    meta.global("torch._utils", "_rebuild_meta_tensor_no_storage")
        .raw("(")
        .global("torch", "int16")
        .sizes({5})
        .sizes({1})
        .raw("\x89tR");
    EXPECT_THAT(describe(meta.stop()), ElementsAre(" int16 [5] 0"));
}

TEST(TorchArchive, PlainValuesHoldNoTensors) {
    EXPECT_THAT(
        describe(
            PickleBuilder().raw("(NK\x01").text("x").global("torch", "Size").sizes({1}).raw("\x85Rt").stop()),
        IsEmpty());
}

TEST(TorchArchive, RefusesSizesThatMakeNoTensor) {
    EXPECT_THAT(archiveErrorOf(PickleBuilder().tensor("FloatStorage", {-1}).stop()),
                HasSubstr("tensor \"\": invalid tensor sizes [-1]"));
    PickleBuilder huge;
    huge.global("torch._utils", "_rebuild_tensor_v2")
        .raw("((")
        .text("storage")
        .global("torch", "ByteStorage")
        .text("0")
        .raw("tQ")
        .integer(0)
        .raw("(");
    huge.long8(INT64_MAX).long8(3).raw("t").sizes({1, 1}).raw("tR");
    EXPECT_THAT(archiveErrorOf(huge.stop()), HasSubstr("invalid tensor sizes"));
    EXPECT_THAT(archiveErrorOf(PickleBuilder().tensor("StrangeStorage", {1 << 30, 1 << 30, 1 << 30}).stop()),
                HasSubstr("invalid tensor sizes"));
    EXPECT_THAT(describe(PickleBuilder().tensor("StrangeStorage", {2}).stop()),
                ElementsAre(" dtype -1 [2] 0"));
}

TEST(TorchArchive, RefusesCallsWithOtherArguments) {
    const auto call = [](std::string_view name) { return PickleBuilder().global("torch._utils", name); };
    EXPECT_THAT(archiveErrorOf(call("_rebuild_tensor_v2").raw(")R").stop()),
                HasSubstr("expected at least 4 arguments, got 0"));
    EXPECT_THAT(archiveErrorOf(call("_rebuild_tensor_v2").raw("(NK\x01))tR").stop()),
                HasSubstr("expected a storage of the archive"));
    EXPECT_THAT(archiveErrorOf(call("_rebuild_tensor_v2").raw("(NQK\x01))tR").stop()),
                HasSubstr("expected a storage of the archive"));
    EXPECT_THAT(archiveErrorOf(call("_rebuild_tensor_v2").raw("(NNN)tR").stop()),
                HasSubstr("expected a tuple of at most 64 sizes"));
    EXPECT_THAT(archiveErrorOf(call("_rebuild_tensor_v2").raw("(NN(Nt)tR").stop()),
                HasSubstr("expected integer"));
    EXPECT_THAT(
        archiveErrorOf(PickleBuilder().global("torch._tensor", "_rebuild_from_type_v2").raw("(NNNtR").stop()),
        HasSubstr("unsupported rebuild function"));
    EXPECT_THAT(archiveErrorOf(PickleBuilder().global("torch._utils", "run").raw(")R").stop()),
                HasSubstr("refused to call \"torch._utils.run\""));
}

TEST(TorchArchive, SharedAndCyclicValuesEnd) {
    // A list that contains itself.
    EXPECT_THAT(archiveErrorOf(PickleBuilder().raw("]").put(0).get(0).raw("a").stop()),
                HasSubstr("nested deeper than 64"));
    // Each list contains the previous one twice: 2^40 paths to the innermost one.
    PickleBuilder doubling;
    doubling.raw("]").put(0);
    for (std::uint8_t level = 1; level <= 40; ++level) {
        doubling.raw("](").get(level - 1).get(level - 1).raw("e").put(level);
    }
    const auto tensors = list(doubling.stop());
    ASSERT_FALSE(tensors);
    EXPECT_EQ(tensors.error().code, ErrorCode::Limit);
    PickleBuilder names;
    names.raw("}").put(0).text(std::string(600, 'n')).raw("}").text(std::string(600, 'm')).raw("Nss");
    EXPECT_THAT(archiveErrorOf(names.stop()), HasSubstr("a name longer than 1024"));
}

core::Result<TorchArchive> openEntry(const std::string& content) {
    const auto zip = archive::ZipArchive::open(
        test::inMemory(test::buildZip({{.name = "weights", .content = content}}), "record"));
    EXPECT_TRUE(zip);
    return TorchArchive::open(*zip, *zip->find("weights"));
}

TEST(TorchArchive, OpensArchivesOfAnyPrefix) {
    for (const char* prefix : {"archive", "state_dict"}) {
        const auto archive = openEntry(test::torchArchive(
            PickleBuilder().raw("(").tensor("FloatStorage", {3}, "17").raw("t").stop(), prefix));
        ASSERT_TRUE(archive) << archive.error().toString();
        ASSERT_EQ(archive->tensors().size(), 1U);
        EXPECT_EQ(archive->tensors()[0].name, "[0]");
        EXPECT_EQ(archive->tensors()[0].storageKey, "17");
    }
    const auto nothing = openEntry("");
    ASSERT_TRUE(nothing);
    EXPECT_THAT(nothing->tensors(), IsEmpty());
}

TEST(TorchArchive, ErrorsNameTheEntriesAroundThePickle) {
    EXPECT_EQ(openEntry(test::torchArchive(PickleBuilder().global("posix", "system").raw(")R").stop()))
                  .error()
                  .toString(),
              "weights/archive/data.pkl: pickle, byte 17: refused to call \"posix.system\"");
    EXPECT_THAT(openEntry("\x80\x04].").error().toString(), HasSubstr("record: weights: not a readable zip"));
    EXPECT_THAT(openEntry(test::buildZip({{.name = "other", .content = ""}})).error().toString(),
                HasSubstr("weights: not a torch archive"));
}

/// Opens an archive of these tensors over one storage of 8 bytes, 0 to 7.
core::Result<TorchArchive> openBytes(const std::string& pickle, std::string_view order = "little") {
    using namespace std::string_literals;
    return openEntry(test::buildZip({{.name = "a/data.pkl", .content = pickle},
                                     {.name = "a/data/0", .content = "\0\1\2\3\4\5\6\7"s},
                                     {.name = "a/byteorder", .content = std::string(order)}}));
}

std::vector<int> numbers(core::Bytes bytes) {
    std::vector<int> all;
    std::ranges::transform(bytes, std::back_inserter(all),
                           [](std::byte each) { return std::to_integer<int>(each); });
    return all;
}

TEST(TorchArchive, TensorsOfOneStorageShareItsBytes) {
    const auto archive = openBytes(PickleBuilder()
                                       .raw("(")
                                       .tensor("ByteStorage", {2, 4})
                                       .tensor("ByteStorage", {4})
                                       .tensor("ByteStorage", {4, 2}, "0", {1, 4})
                                       .raw("t")
                                       .stop());
    ASSERT_TRUE(archive) << archive.error().toString();
    const auto whole = archive->load(archive->tensors()[0], 100);
    const auto part = archive->load(archive->tensors()[1], 100);
    const auto turned = archive->load(archive->tensors()[2], 100);
    ASSERT_TRUE(whole && part && turned);
    EXPECT_THAT(numbers(whole->bytes), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(numbers(part->bytes), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(part->bytes.data(), whole->bytes.data());
    EXPECT_THAT(numbers(turned->bytes), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

TEST(TorchArchive, RefusesElementsThatItDoesNotHave) {
    const auto errorAt = [](const PickleBuilder& pickle, std::uint64_t max, std::string_view order) {
        PickleBuilder copy = pickle;
        const auto archive = openBytes(copy.stop(), order);
        if (!archive) {
            return archive.error().toString();
        }
        const auto loaded = archive->load(archive->tensors().at(0), max);
        return loaded ? std::string() : loaded.error().toString();
    };
    const auto of = [](std::vector<std::int32_t> sizes, const char* key, std::vector<std::int32_t> strides) {
        return PickleBuilder().tensor("ByteStorage", std::move(sizes), key, std::move(strides));
    };
    EXPECT_EQ(errorAt(of({8}, "0", {}), 100, "little"), "");
    EXPECT_THAT(errorAt(of({9}, "0", {}), 100, "little"), HasSubstr("extends beyond its storage"));
    EXPECT_THAT(errorAt(of({2, 2}, "0", {1, 7}), 100, "little"), HasSubstr("extends beyond its storage"));
    EXPECT_THAT(errorAt(of({2, 2}, "0", {-1, 1}), 100, "little"), HasSubstr("extends beyond its storage"));
    EXPECT_THAT(errorAt(of({2000000000, 4}, "0", {}), std::uint64_t{1} << 40, "little"),
                HasSubstr("extends beyond its storage"));
    EXPECT_THAT(errorAt(of({8}, "1", {}), 100, "little"), HasSubstr("no storage 1"));
    EXPECT_THAT(errorAt(of({8}, "0", {}), 7, "little"), HasSubstr("maximum of 7"));
    EXPECT_THAT(errorAt(of({8}, "0", {}), 100, "big"), HasSubstr("big-endian"));
}

}  // namespace
}  // namespace et::etrecord

// Tests of tensor files: NumPy, torch and raw.
#include "inspector/tensor_files/tensor_file.h"

#include "inspector/tensor_files/npy.h"
#include "tests/etrecord/pickle_builder.h"
#include "tests/etrecord/zip_builder.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::ScalarType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns a version 1 file with this header and data.
std::string npy(const std::string& header, std::string_view data) {
    std::string file("\x93NUMPY\x01", 7);
    file += '\0';
    file += static_cast<char>(header.size());
    file += '\0';
    return file + header + std::string(data);
}

core::Result<HostTensor> read(const std::string& file) {
    return readNpy(std::as_bytes(std::span(file)));
}

template <class T>
std::vector<T> elements(const HostTensor& tensor) {
    std::vector<T> numbers(tensor.data.size() / sizeof(T));
    std::memcpy(numbers.data(), tensor.data.data(), tensor.data.size());
    return numbers;
}

TEST(Npy, ReadsNumpyFiles) {
    const auto tensor = read(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }   \n",
                                 std::string_view("\1\0\2\0", 4)));
    ASSERT_TRUE(tensor) << tensor.error().toString();
    EXPECT_EQ(tensor->dtype, ScalarType::Short);
    EXPECT_THAT(tensor->sizes, ElementsAre(2, 1));
    EXPECT_THAT(tensor->dimOrder, IsEmpty());
    EXPECT_THAT(elements<std::int16_t>(*tensor), ElementsAre(1, 2));
}

TEST(Npy, ReadsOtherOrders) {
    const auto big = read(npy("{\"shape\": (1,), 'fortran_order': False, 'descr': '>i4'}",
                              std::string_view("\0\0\1\2", 4)))
                         .value();
    EXPECT_THAT(elements<std::int32_t>(big), ElementsAre(258));
    const auto columns =
        read(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "abcdef")).value();
    EXPECT_THAT(columns.dimOrder, ElementsAre(1, 0));
    const auto number = read(npy("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "\1")).value();
    EXPECT_EQ(number.dtype, ScalarType::Bool);
    EXPECT_THAT(number.sizes, IsEmpty());
}

TEST(Npy, RejectsOtherFiles) {
    const auto error = [](const std::string& header, std::string_view data) {
        const auto tensor = read(npy(header, data));
        return tensor ? "" : tensor.error().toString();
    };
    EXPECT_THAT(error("{'descr': '<U5', 'fortran_order': False, 'shape': (1,)}", ""),
                HasSubstr("dtype '<U5'"));
    EXPECT_THAT(error("{'descr': [('a', '<i4')], 'shape': (1,)}", ""), HasSubstr("structured"));
    EXPECT_THAT(error("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}", "1234"),
                HasSubstr("expected 8 bytes of elements, got 4"));
    EXPECT_THAT(error("{'descr': '<i4', 'shape': (4611686018427387904, 4)}", ""),
                HasSubstr("fewer than 2^63"));
    EXPECT_THAT(error("{'descr': '<i4', 'shape': (-1,)}", ""), HasSubstr("expected a size"));
    EXPECT_THAT(error("{'descr", ""), HasSubstr("quoted"));
    EXPECT_THAT(error("{", ""), HasSubstr("expected"));
    EXPECT_FALSE(read(std::string("\x93NUMPY\x01\0\xFF\xFF", 10)));
    EXPECT_FALSE(read("\x93NUMPY"));
}

TEST(Npy, RoundTrips) {
    std::array<float, 6> numbers{1, 2, 3, 4, 5, 6};
    const std::array<std::int64_t, 2> sizes{2, 3};
    const std::array<std::uint8_t, 2> order{1, 0};
    const auto bytes = reinterpret_cast<std::byte*>(numbers.data());
    for (const auto& dimOrder : {std::span<const std::uint8_t>(), std::span<const std::uint8_t>(order)}) {
        const auto tensor = core::Tensor::make(ScalarType::Float, sizes, bytes, dimOrder).value();
        const auto file = writeNpy(tensor).value();
        EXPECT_EQ((file.size() - tensor.bytes()) % 64, 0U);
        const auto again = readNpy(file).value();
        EXPECT_THAT(again.sizes, ElementsAre(2, 3));
        if (dimOrder.empty()) {
            EXPECT_THAT(elements<float>(again), ElementsAre(1, 2, 3, 4, 5, 6));
        } else {
            EXPECT_THAT(elements<float>(again), ElementsAre(1, 3, 5, 2, 4, 6));
        }
    }
    const auto one = core::Tensor::make(ScalarType::BFloat16, std::array<std::int64_t, 1>{3}, bytes).value();
    EXPECT_EQ(readNpy(writeNpy(one).value())->dtype, ScalarType::BFloat16);
    const auto number = core::Tensor::make(ScalarType::Double, {}, bytes).value();
    EXPECT_THAT(readNpy(writeNpy(number).value())->sizes, IsEmpty());
    const auto quantized = core::Tensor::make(ScalarType::QInt8, sizes, bytes).value();
    EXPECT_EQ(writeNpy(quantized).error().code, ErrorCode::Unsupported);
}

class TensorFile : public testing::Test {
  protected:
    std::filesystem::path put(const std::string& name, const std::string& content) const {
        std::ofstream(folder.path() / name, std::ios::binary) << content;
        return folder.path() / name;
    }

    static constexpr std::uint64_t room = 1 << 20;
    test::ScratchFolder folder;
};

/// Returns a file as written by torch.save(): a pickle and storage "0".
std::string torchFile(const std::string& pickle, const std::string& storage) {
    return test::buildZip({{.name = "x/data.pkl", .content = pickle},
                           {.name = "x/byteorder", .content = "little"},
                           {.name = "x/data/0", .content = storage}});
}

TEST_F(TensorFile, KnowsFilesByTheirContent) {
    const auto array = put("a.bin", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}", "ab"));
    EXPECT_EQ(readTensorFile(array, {}, room).value().size(), 1U);
    test::PickleBuilder pickle;
    pickle.raw("](").tensor("ByteStorage", {2, 3}).tensor("ByteStorage", {3, 2}, "0", {1, 3}).raw("e");
    const auto archive = put("b.bin", torchFile(pickle.stop(), "abcdef"));
    const auto tensors = readTensorFile(archive, {}, room);
    ASSERT_TRUE(tensors) << tensors.error().toString();
    ASSERT_EQ(tensors->size(), 2U);
    EXPECT_THAT((*tensors)[0].sizes, ElementsAre(2, 3));
    EXPECT_THAT(elements<char>((*tensors)[0]), ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
    EXPECT_THAT(elements<char>((*tensors)[1]), ElementsAre('a', 'd', 'b', 'e', 'c', 'f'));
    const std::array<std::int64_t, 1> three{3};
    const auto raw = put("c.npy", "xyz");
    EXPECT_THAT(
        elements<char>(
            readTensorFile(raw, RawLayout{.dtype = ScalarType::Byte, .sizes = three}, room).value()[0]),
        ElementsAre('x', 'y', 'z'));
}

TEST_F(TensorFile, ReportsErrors) {
    const auto error = [&](const std::filesystem::path& path, std::uint64_t max = room) {
        const auto tensors = readTensorFile(path, {}, max);
        return tensors ? "" : tensors.error().toString();
    };
    const auto raw = put("x.bin", "xyz");
    EXPECT_EQ(error(raw), raw.string() + ": expected a .npy or .npz file or a torch archive, got neither");
    EXPECT_THAT(error(put("old.pt", "\x80\x02rest")), HasSubstr("older than 1.6"));
    test::PickleBuilder pickle;
    const auto shortStorage =
        put("short.pt", torchFile(pickle.tensor("FloatStorage", {2, 3}).stop(), "abcd"));
    EXPECT_THAT(error(shortStorage), HasSubstr("extends beyond its storage"));
    EXPECT_THAT(error(shortStorage, 10), HasSubstr("24 bytes exceed the maximum of 10"));
    test::PickleBuilder none;
    EXPECT_THAT(error(put("none.pt", torchFile(none.raw("]").stop(), ""))), HasSubstr("without tensors"));
    EXPECT_THAT(error(put("other.zip", test::buildZip({{.name = "a", .content = "b"}}))),
                HasSubstr("not a torch archive"));
    EXPECT_THAT(error(folder.path() / "missing"), HasSubstr("No such file"));
}

TEST(Npz, ReadsArraysByNumberOrInOrder) {
    const auto array = [](char value) {
        return npy("{'descr': '|i1', 'fortran_order': False, 'shape': (1,)}", std::string_view(&value, 1));
    };
    const auto valuesOf = [](const std::vector<test::ZipEntry>& entries) {
        const test::ScratchFolder folder;
        const auto path = folder.path() / "x.npz";
        std::ofstream(path, std::ios::binary) << test::buildZip(entries);
        const auto tensors = readTensorFile(path, {}, 1000);
        EXPECT_TRUE(tensors) << tensors.error().toString();
        std::vector<int> values;
        for (const HostTensor& tensor : *tensors) {
            values.push_back(static_cast<int>(tensor.data.at(0)));
        }
        return values;
    };
    EXPECT_THAT(valuesOf({{.name = "arr_10.npy", .content = array(10)},
                          {.name = "arr_9.npy", .content = array(9)},
                          {.name = "arr_0.npy", .content = array(0)}}),
                ElementsAre(0, 9, 10));
    EXPECT_THAT(valuesOf({{.name = "y.npy", .content = array(2)}, {.name = "x.npy", .content = array(1)}}),
                ElementsAre(2, 1));
    EXPECT_THAT(valuesOf({{.name = "y.npy",
                           .content = test::deflateStored(array(2)),
                           .method = 8,
                           .claimedBytes = static_cast<std::uint32_t>(array(2).size()),
                           .claimedCrc = test::crc32(array(2))}}),
                ElementsAre(2));
}

TEST(Npz, RefusesDamagedArrays) {
    const test::ScratchFolder folder;
    const auto path = folder.path() / "x.npz";
    std::ofstream(path, std::ios::binary) << test::buildZip({{.name = "arr_0.npy", .content = "nothing"}});
    const auto damaged = readTensorFile(path, {}, 1000);
    ASSERT_FALSE(damaged);
    EXPECT_THAT(damaged.error().toString(), HasSubstr("arr_0.npy"));
    const auto large = readTensorFile(path, {}, 3);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace et::inspector

// Fuzzes NumPy tensor files, .npy and .npz: the raw bytes, and a file with a header derived from them.
// Tensors that are read must survive a write and read.
#include "inspector/tensor_files/npy.h"
#include "tests/etrecord/zip_builder.h"
#include "tests/fuzz/support/byte_source.h"

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using et::core::Bytes;
using et::fuzz::require;
using et::inspector::HostTensor;

constexpr std::uint64_t maxBytes = 1 << 20;

std::vector<std::byte> written(HostTensor& tensor) {
    const auto view = et::core::Tensor::make(tensor.dtype, tensor.sizes, tensor.data.data(), tensor.dimOrder);
    if (!view) {  // too many dimensions for a tensor
        return {};
    }
    const auto file = et::inspector::writeNpy(*view);
    require(file.has_value());
    return *file;
}

void check(HostTensor tensor) {
    const std::vector<std::byte> file = written(tensor);
    if (file.empty()) {
        return;
    }
    auto again = et::inspector::readNpy(file);
    require(again && again->dtype == tensor.dtype && again->sizes == tensor.sizes && again->dimOrder.empty());
    require(!tensor.dimOrder.empty() || again->data == tensor.data);
    require(written(*again) == file);
}

void read(Bytes bytes) {
    if (auto tensor = et::inspector::readNpy(bytes)) {
        check(*std::move(tensor));
    } else {
        std::ignore = tensor.error().toString();
    }
}

/// Returns a file that is mostly valid.
std::string made(et::fuzz::ByteSource& source) {
    static constexpr std::string_view names[] = {"<f4", ">f4", "<i8", ">i2", "|u1", "|b1",  "<f2", "<V2",
                                                 "<c8", ">c8", "=i4", "<u2", "<u8", "<c16", "<M8", ""};
    static constexpr std::string_view forms[] = {
        "{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
        "{{'shape': ({2}), 'descr': '{0}', 'fortran_order': {1}}}",
        "{{\"descr\": \"{}\", \"fortran_order\": {},\"shape\": ({})}}", "{{'descr': [('{}', {})], '{}'}}"};
    static constexpr std::size_t widths[] = {4, 4, 8, 2, 1, 1, 2, 2, 8, 8, 4, 2, 8, 16, 8, 0};
    const std::size_t type = source.below(std::size(names));
    std::size_t bytes = widths[type];
    std::string shape;
    for (std::size_t dims = source.below(5); dims > 0; --dims) {
        const std::size_t size = source.below(7);
        bytes *= size;
        shape += fmt::format("{}{},", size, source.oneIn(8) ? "L" : "");
    }
    const std::string header = fmt::format(fmt::runtime(source.oneOf(forms)), names[type],
                                           source.oneIn(2) ? "True" : "False", shape);
    const auto version = static_cast<char>(1 + source.below(4));
    std::string file = std::string("\x93NUMPY") + version + '\0';
    const std::size_t length = header.size() + (source.oneIn(16) ? 1000 : 0);
    for (std::size_t i = 0; i < (version == 1 ? 2U : 4U); ++i) {
        file += static_cast<char>(length >> 8 * i & 0xFFU);
    }
    file += header;
    for (const std::byte element : source.bytesOf(source.oneIn(16) ? bytes / 2 : bytes)) {
        file += static_cast<char>(element);
    }
    file.resize(file.size() + (source.empty() ? bytes % 64 : 0));
    return file;
}

Bytes asBytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

void readZip(et::fuzz::ByteSource& source) {
    static constexpr std::string_view names[] = {
        "arr_0.npy", "arr_1.npy",  "arg_10.npy", "weight.npy",
        "a/b.npy",   "letter.txt", ".npy",       "x_99999999999999999999.npy"};
    std::vector<et::test::ZipEntry> entries;
    for (std::size_t count = source.below(4); count > 0; --count) {
        std::string content = made(source);
        et::test::ZipEntry entry{.name = std::string(source.oneOf(names)), .content = content};
        if (source.oneIn(2)) {
            entry = {.name = entry.name,
                     .content = et::test::deflateStored(content),
                     .method = 8,
                     .claimedBytes = content.size(),
                     .claimedCrc = et::test::crc32(content)};
        }
        entries.push_back(std::move(entry));
    }
    const auto zip = et::archive::ZipArchive::open(et::test::inMemory(et::test::buildZip(entries)));
    if (!zip || !et::inspector::isNpz(*zip)) {
        return;
    }
    if (auto tensors = et::inspector::readNpz(*zip, source.oneIn(8) ? 100 : maxBytes)) {
        for (HostTensor& tensor : *tensors) {
            check(std::move(tensor));
        }
    } else {
        std::ignore = tensors.error().toString();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    if (et::inspector::isNpy(bytes)) {
        read(bytes);
        return 0;
    }
    et::fuzz::ByteSource source(data, size);
    if (source.oneIn(4)) {
        readZip(source);
    } else {
        read(asBytes(made(source)));
    }
    return 0;
}

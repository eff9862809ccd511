#include "inspector/tensor_files/tensor_file.h"

#include "etrecord/torch_archive.h"
#include "inspector/tensor_files/npy.h"
#include "runtime/archive/zip.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/tensor.h"
#include "runtime/core/wrapped_file.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

bool startsWith(core::Bytes bytes, std::string_view mark) {
    return bytes.size() >= mark.size() &&
           std::string_view(reinterpret_cast<const char*>(bytes.data()), mark.size()) == mark;
}

Result<std::vector<HostTensor>> readZip(std::shared_ptr<const core::MappedFile> file,
                                        std::uint64_t maxBytes) {
    ET_ASSIGN(archive::ZipArchive zip, archive::ZipArchive::open(std::move(file)));
    if (isNpz(zip)) {
        return readNpz(zip, maxBytes);
    }
    ET_ASSIGN(const auto archive, etrecord::TorchArchive::open(std::move(zip)));
    if (archive.tensors().empty()) {
        return fail(ErrorCode::Format, "expected a tensor, got an archive without tensors");
    }
    std::vector<HostTensor> tensors;
    for (const etrecord::TorchTensor& found : archive.tensors()) {
        ET_ASSIGN(std::vector<std::byte> data, archive.read(found, maxBytes));
        maxBytes -= data.size();
        tensors.push_back({.dtype = static_cast<core::ScalarType>(found.scalarType),
                           .sizes = found.sizes,
                           .dimOrder = {},
                           .data = std::move(data)});
    }
    return tensors;
}

Result<std::vector<HostTensor>> readRaw(core::Bytes bytes, const std::optional<RawLayout>& raw) {
    if (!raw) {
        constexpr std::string_view accepted = "a .npy or .npz file or a torch archive";
        std::string text = core::wrongKindText(bytes, accepted);
        return fail(ErrorCode::InvalidArgument,
                    text.empty() ? fmt::format("expected {}, got neither", accepted) : std::move(text));
    }
    const auto expected = core::tensorBytes(static_cast<std::int64_t>(raw->dtype), raw->sizes);
    if (!expected || static_cast<std::uint64_t>(*expected) != bytes.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected {} bytes of raw {} {}, got {}", expected.value_or(0),
                                core::scalarTypeName(raw->dtype), core::sizesText(raw->sizes), bytes.size()));
    }
    std::vector<HostTensor> tensors;
    tensors.push_back({.dtype = raw->dtype,
                       .sizes = {raw->sizes.begin(), raw->sizes.end()},
                       .dimOrder = {raw->dimOrder.begin(), raw->dimOrder.end()},
                       .data = {bytes.begin(), bytes.end()}});
    return tensors;
}

}  // namespace

Result<std::vector<HostTensor>> readTensorFile(const std::filesystem::path& path,
                                               const std::optional<RawLayout>& raw, std::uint64_t maxBytes,
                                               std::uint64_t maxStream) {
    constexpr std::string_view pickleMark = "\x80\x02";
    ET_ASSIGN(const auto file, core::MappedFile::open(path, maxStream));
    const auto read = [&]() -> Result<std::vector<HostTensor>> {
        if (startsWith(file->bytes(), core::zipMark)) {
            return readZip(file, maxBytes);
        }
        if (file->bytes().size() > maxBytes) {
            return fail(ErrorCode::Limit,
                        fmt::format("{} bytes exceed the maximum of {}", file->bytes().size(), maxBytes));
        }
        if (isNpy(file->bytes())) {
            return readNpy(file->bytes()).transform([](HostTensor&& tensor) {
                std::vector<HostTensor> one;
                one.push_back(std::move(tensor));
                return one;
            });
        }
        if (path.extension() == ".pt" && startsWith(file->bytes(), pickleMark)) {
            return fail(ErrorCode::Unsupported, "written by a torch version older than 1.6; save it again");
        }
        return readRaw(file->bytes(), raw);
    };
    auto tensors = read();
    if (!tensors) {
        return std::unexpected(std::move(tensors).error().in(path.string()));
    }
    return tensors;
}

}  // namespace et::inspector

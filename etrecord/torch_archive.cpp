#include "etrecord/torch_archive.h"

#include "runtime/core/fork_lock.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace et::etrecord {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

/// Elements between the first and the last of a strided tensor; empty if strides are invalid or too large.
std::optional<std::uint64_t> reach(const TorchTensor& tensor) {
    if (tensor.strides.size() != tensor.sizes.size()) {
        return std::nullopt;
    }
    std::int64_t last = 0;
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
        std::int64_t step = 0;
        if (tensor.strides[i] < 0 || __builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &step) ||
            __builtin_add_overflow(last, step, &last)) {
            return std::nullopt;
        }
    }
    return static_cast<std::uint64_t>(last);
}

/// Whether the elements are contiguous in the storage, in row-major order.
bool isRowMajor(const TorchTensor& tensor) {
    if (tensor.bytes == 0) {
        return true;
    }
    std::int64_t step = 1;
    for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
        if (i >= tensor.strides.size() || (tensor.sizes[i] != 1 && tensor.strides[i] != step)) {
            return false;
        }
        step *= tensor.sizes[i];
    }
    return true;
}

/// The elements in row-major order, each of `width` bytes; empty if one lies outside the storage.
std::optional<std::vector<std::byte>> gather(const TorchTensor& tensor, core::Bytes storage,
                                             std::size_t width) {
    std::vector<std::byte> dense(static_cast<std::size_t>(tensor.bytes));
    if (dense.empty()) {
        return dense;
    }
    const auto last = reach(tensor);
    const std::uint64_t elements = storage.size() / width;
    const auto first = static_cast<std::uint64_t>(tensor.storageOffset);
    if (!last || first >= elements || *last >= elements - first) {
        return std::nullopt;
    }
    std::vector<std::int64_t> index(tensor.sizes.size(), 0);
    std::size_t at = static_cast<std::size_t>(first);
    for (std::size_t out = 0; out < dense.size(); out += width) {
        std::memcpy(dense.data() + out, storage.data() + at * width, width);
        for (std::size_t i = index.size(); i-- > 0;) {
            const auto stride = static_cast<std::size_t>(tensor.strides[i]);
            at += stride;
            if (++index[i] < tensor.sizes[i]) {
                break;
            }
            at -= stride * static_cast<std::size_t>(tensor.sizes[i]);
            index[i] = 0;
        }
    }
    return dense;
}

}  // namespace

Result<TorchArchive> TorchArchive::open(const archive::ZipArchive& record,
                                        const archive::ZipArchive::Entry& entry) {
    if (entry.bytes == 0) {
        return TorchArchive();
    }
    ET_ASSIGN(archive::ZipArchive zip, record.openNested(entry));
    auto archive = open(std::move(zip));
    if (!archive && archive.error().where.field.empty()) {
        archive.error().where.field = record.pathOf(entry);
    }
    return archive;
}

Result<TorchArchive> TorchArchive::open(archive::ZipArchive zip) {
    constexpr std::string_view pickleEntry = "data.pkl";
    const auto found = std::ranges::find_if(zip.entries(), [&](const archive::ZipArchive::Entry& each) {
        const std::size_t slash = each.name.find('/');  // "<prefix>/data.pkl" with any prefix
        return slash != std::string::npos && std::string_view(each.name).substr(slash + 1) == pickleEntry;
    });
    if (found == zip.entries().end()) {
        return fail(ErrorCode::Format,
                    fmt::format("not a torch archive: the zip has no entry \"<prefix>/{}\"", pickleEntry));
    }
    TorchArchive archive;
    archive.prefix = found->name.substr(0, found->name.size() - pickleEntry.size());
    ET_ASSIGN(const archive::ZipContent pickle, zip.read(*found));
    ET_ASSIGN(archive.listed, listPickledTensors(pickle.bytes(), zip.pathOf(*found)));
    archive.zip = std::move(zip);
    archive.storages = std::make_shared<Storages>();
    return archive;
}

/// Cache of storages already read.
struct TorchArchive::Storages {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const archive::ZipContent>, std::less<>> byKey;
    bool littleEndian = false;  ///< somebody looked
};

Result<std::shared_ptr<const archive::ZipContent>> TorchArchive::storage(const TorchTensor& tensor,
                                                                         std::uint64_t maxBytes) const {
    const auto info = core::scalarType(tensor.scalarType);
    if (!zip || tensor.storageKey.empty() || !info || info->bytes == 0) {
        return fail(ErrorCode::Unsupported, "its elements cannot be read");
    }
    if (static_cast<std::uint64_t>(tensor.bytes) > maxBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("{} bytes exceed the maximum of {}", tensor.bytes, maxBytes));
    }
    const core::ForkLock noFork;
    const std::scoped_lock lock(storages->mutex);
    const auto* order = storages->littleEndian ? nullptr : zip->find(prefix + "byteorder");
    if (order != nullptr) {
        ET_ASSIGN(const archive::ZipContent text, zip->read(*order));
        if (core::textOf(text.bytes()) != "little") {
            return fail(ErrorCode::Unsupported, "written on a big-endian machine");
        }
    }
    storages->littleEndian = true;
    std::shared_ptr<const archive::ZipContent>& known = storages->byKey[tensor.storageKey];
    if (known == nullptr) {
        const auto* entry = zip->find(fmt::format("{}data/{}", prefix, tensor.storageKey));
        if (entry == nullptr) {
            return fail(ErrorCode::Format, fmt::format("the archive has no storage {}", tensor.storageKey));
        }
        ET_ASSIGN(archive::ZipContent content, zip->read(*entry));
        known = std::make_shared<const archive::ZipContent>(std::move(content));
    }
    return known;
}

Result<TorchArchive::Elements> TorchArchive::load(const TorchTensor& tensor, std::uint64_t maxBytes) const {
    const auto named = [&](core::Error error) {
        error.message = fmt::format("tensor \"{}\": {}", tensor.name, error.message);
        return error;
    };
    ET_ASSIGN(const auto kept, storage(tensor, maxBytes).transform_error(named));
    const core::Bytes bytes = kept->bytes();
    const std::size_t width = core::scalarType(tensor.scalarType)->bytes;
    if (isRowMajor(tensor)) {
        const std::uint64_t elements = bytes.size() / width;
        const auto count = static_cast<std::uint64_t>(tensor.bytes) / width;
        const auto first = static_cast<std::uint64_t>(tensor.storageOffset);
        if (count > 0 && (first >= elements || count > elements - first)) {
            return std::unexpected(named({ErrorCode::Format, "extends beyond its storage"}));
        }
        const core::Bytes part = count == 0 ? core::Bytes() : bytes.subspan(first * width, count * width);
        // Pages in place are released with the last user, so that a pass over all weights has few in memory.
        auto owner =
            std::shared_ptr<const void>(part.data(), [kept, part](const void*) { kept->release(part); });
        return Elements{.bytes = part, .owner = std::move(owner)};
    }
    auto elements = gather(tensor, bytes, width);
    if (!elements) {
        return std::unexpected(named({ErrorCode::Format, "extends beyond its storage"}));
    }
    const auto copy = std::make_shared<const std::vector<std::byte>>(*std::move(elements));
    return Elements{.bytes = *copy, .owner = copy};
}

Result<std::vector<std::byte>> TorchArchive::read(const TorchTensor& tensor, std::uint64_t maxBytes) const {
    ET_ASSIGN(const Elements elements, load(tensor, maxBytes));
    return std::vector<std::byte>(elements.bytes.begin(), elements.bytes.end());
}

}  // namespace et::etrecord

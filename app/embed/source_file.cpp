#include "app/embed/source_file.h"

#include "app/embed/convert.h"
#include "bundled_program/bundle.h"
#include "runtime/core/file_kind.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace et_inspect::detail {
namespace {

using et::core::MappedFile;
using SharedFile = std::shared_ptr<const MappedFile>;

/// Reads all bytes of a loader. Errors: Limit (no memory), those of the loader.
et::core::Result<std::vector<std::byte>> readAll(DataLoader& loader) {
    constexpr std::uint64_t mostBytes = std::uint64_t{1} << 40;
    const Result<std::uint64_t> size = loader.size();
    if (!size) {
        return std::unexpected(engineError(size.error()));
    }
    if (*size > mostBytes) {
        return et::core::fail(et::core::ErrorCode::Limit, "the loader reports more than 2^40 bytes");
    }
    std::vector<std::byte> bytes;
    try {
        bytes.resize(*size);
    } catch (const std::bad_alloc&) {
        return et::core::fail(et::core::ErrorCode::Limit,
                              "cannot allocate " + std::to_string(*size) + " bytes");
    }
    if (const Result<void> loaded = loader.load(0, bytes); !loaded) {
        return std::unexpected(engineError(loaded.error()));
    }
    return bytes;
}

et::core::Result<SharedFile> openFile(const std::string& path, LoadMode mode) {
    ET_ASSIGN(SharedFile file, MappedFile::open(path));
    const et::core::Bytes bytes = file->bytes();
    if (mode == LoadMode::File) {
        return MappedFile::fromMemory({bytes.begin(), bytes.end()}, path);
    }
    if (mode == LoadMode::MmapLocked) {
        static_cast<void>(::mlock(bytes.data(), bytes.size()));  // fails above the limit of the process
    }
    return file;
}

}  // namespace

et::core::Result<SharedFile> openSource(Source& source, LoadMode mode) {
    Source::Place& place = source.place();
    if (auto* const file = std::get_if<Source::File>(&place)) {
        return openFile(file->path, file->mode == LoadMode::Mmap ? mode : file->mode);
    }
    if (auto* const bytes = std::get_if<std::vector<std::byte>>(&place)) {
        return MappedFile::fromMemory(std::move(*bytes), source.label());
    }
    const auto& loader = std::get<std::shared_ptr<DataLoader>>(place);
    if (loader == nullptr) {
        return et::core::fail(et::core::ErrorCode::InvalidArgument, "the loader is null",
                              {.file = source.label()});
    }
    auto bytes = readAll(*loader);
    if (!bytes) {
        return std::unexpected(std::move(bytes).error().in(source.label()));
    }
    return MappedFile::fromMemory(*std::move(bytes), source.label());
}

et::core::Result<std::shared_ptr<const et::program::Program>> openProgram(Source& source, LoadMode mode) {
    ET_ASSIGN(SharedFile file, openSource(source, mode));
    if (et::core::detectFileKind(file->bytes()) == et::core::FileKind::BundledProgram) {
        ET_ASSIGN(const auto bundle, et::bundled_program::Bundle::parse(file));
        return et::program::Program::parse(file, bundle->program);
    }
    return et::program::Program::parse(std::move(file));
}

}  // namespace et_inspect::detail

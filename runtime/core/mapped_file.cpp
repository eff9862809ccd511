#include "runtime/core/mapped_file.h"

#include "runtime/core/descriptor.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_ranges.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace et::core {
namespace {

Result<std::vector<std::byte>> readStream(int descriptor, const std::string& file, std::uint64_t max) {
    constexpr std::size_t step = std::size_t{1} << 16;
    std::vector<std::byte> bytes;
    while (true) {
        const std::size_t used = bytes.size();
        if (used > max) {
            return fail(ErrorCode::Limit,
                        fmt::format("expected at most {} bytes from a stream, got more", max),
                        {.file = file, .field = {}, .offset = {}});
        }
        bytes.resize(used + step);
        const ssize_t got = ::read(descriptor, bytes.data() + used, step);
        if (got < 0 && errno != EINTR) {
            return std::unexpected(systemError("cannot read", errno, file));
        }
        bytes.resize(used + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0) {
            return bytes;
        }
        constexpr std::size_t startBytes = 64;  // contains the signature of every kind
        ET_TRY(checkStream(Bytes(bytes).first(std::min(bytes.size(), startBytes)), bytes.size(), file));
    }
}

/// Whether it is a device such as /dev/zero, which yields bytes without end.
bool isEndless(int descriptor, const struct stat& status) {
    struct stat empty{};
    const bool isEmpty = ::stat("/dev/null", &empty) == 0 && empty.st_rdev == status.st_rdev;
    return (S_ISCHR(status.st_mode) && !isEmpty && ::isatty(descriptor) == 0) || S_ISBLK(status.st_mode);
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path,
                                                           std::uint64_t maxStream) {
    const std::string& name = path.native();
    const Descriptor descriptor(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor) {
        return std::unexpected(systemError("cannot open", errno, name));
    }
    struct stat status{};
    if (::fstat(descriptor.get(), &status) != 0) {
        return std::unexpected(systemError("cannot read the size", errno, name));
    }
    if (S_ISDIR(status.st_mode)) {
        return std::unexpected(systemError("cannot read", EISDIR, name));
    }
    if (isEndless(descriptor.get(), status)) {
        return fail(ErrorCode::Io, "cannot read a device; expected a file",
                    {.file = name, .field = {}, .offset = {}});
    }
    if (!S_ISREG(status.st_mode)) {
        ET_ASSIGN(std::vector<std::byte> bytes, readStream(descriptor.get(), name, maxStream));
        return fromMemory(std::move(bytes), name);
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->label = name;
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > 0) {
        void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
        if (mapping == MAP_FAILED) {
            return std::unexpected(systemError("cannot map", errno, name));
        }
        file->mapping = mapping;
        addMappedRange(mapping, size, file->label.c_str());
        file->view = {static_cast<const std::byte*>(mapping), size};
    }
    return file;
}

std::shared_ptr<const MappedFile> MappedFile::fromMemory(std::vector<std::byte> bytes, std::string name) {
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->label = std::move(name);
    file->owned = std::move(bytes);
    file->view = file->owned;
    return file;
}

MappedFile::~MappedFile() {
    if (mapping != nullptr) {
        removeMappedRange(mapping);
        ::munmap(mapping, view.size());
    }
}

void MappedFile::release(std::size_t offset, std::size_t size) const {
    if (mapping == nullptr || offset >= view.size()) {
        return;
    }
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t first = (offset + page - 1) / page * page;
    const std::size_t last = std::min(view.size(), offset + size) / page * page;
    if (first < last) {
        ::madvise(static_cast<std::byte*>(mapping) + first, last - first, MADV_DONTNEED);
    }
}

}  // namespace et::core

#include "runtime/core/mapped_file.h"

#include "runtime/core/mapped_ranges.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace et::core {
namespace {

/// Closes a file descriptor at the end of its scope.
struct Descriptor {
    int number = -1;

    explicit Descriptor(int n) : number(n) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) {
            ::close(number);
        }
    }
};

std::unexpected<Error> systemError(int number, const std::string& file, std::string_view action) {
    return fail(ErrorCode::Io, fmt::format("{}: {}", action, std::generic_category().message(number)),
                {.file = file, .field = {}, .offset = {}});
}

Result<std::vector<std::byte>> readStream(int descriptor, const std::string& file) {
    constexpr std::size_t step = std::size_t{1} << 16;
    std::vector<std::byte> bytes;
    while (true) {
        const std::size_t used = bytes.size();
        if (used > MappedFile::maxStreamedBytes) {
            return fail(ErrorCode::Limit,
                        fmt::format("expected at most {} bytes from a stream, got more",
                                    MappedFile::maxStreamedBytes),
                        {.file = file, .field = {}, .offset = {}});
        }
        bytes.resize(used + step);
        const ssize_t got = ::read(descriptor, bytes.data() + used, step);
        if (got < 0 && errno != EINTR) {
            return systemError(errno, file, "cannot read");
        }
        bytes.resize(used + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0) {
            return bytes;
        }
    }
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const std::string name = path.string();
    const Descriptor descriptor(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.number < 0) {
        return systemError(errno, name, "cannot open");
    }
    struct stat status{};
    if (::fstat(descriptor.number, &status) != 0) {
        return systemError(errno, name, "cannot read the size");
    }
    if (S_ISDIR(status.st_mode)) {
        return systemError(EISDIR, name, "cannot read");
    }
    if (!S_ISREG(status.st_mode)) {
        ET_ASSIGN(std::vector<std::byte> bytes, readStream(descriptor.number, name));
        return fromMemory(std::move(bytes), name);
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->label = name;
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > 0) {
        void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
        if (mapping == MAP_FAILED) {
            return systemError(errno, name, "cannot map");
        }
        file->mapping = mapping;
        addMappedRange(mapping, size);
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

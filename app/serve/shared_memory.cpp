#include "app/serve/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace et::serve {

using core::Result;

Result<std::shared_ptr<SharedMemory>> SharedMemory::make(std::size_t size) {
    core::Descriptor made(::memfd_create("et-inspect", MFD_CLOEXEC));
    if (!made) {
        return std::unexpected(core::systemError("cannot create shared memory", errno));
    }
    std::shared_ptr<SharedMemory> memory(new SharedMemory(std::move(made)));
    if (::ftruncate(memory->descriptor(), static_cast<off_t>(size)) != 0) {
        return std::unexpected(core::systemError("cannot create shared memory", errno));
    }
    ET_TRY(memory->mapAll(size));
    return memory;
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::map(core::Descriptor descriptor) {
    std::shared_ptr<SharedMemory> memory(new SharedMemory(std::move(descriptor)));
    const int seals = ::fcntl(memory->descriptor(), F_GET_SEALS);
    struct stat status{};
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(memory->descriptor(), &status) != 0) {
        return core::fail(core::ErrorCode::InvalidArgument, "expected shared memory of a fixed size");
    }
    ET_TRY(memory->mapAll(static_cast<std::size_t>(status.st_size)));
    return memory;
}

Result<> SharedMemory::mapAll(std::size_t size) {
    if (size == 0) {
        return {};
    }
    void* const start = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (start == MAP_FAILED) {
        return std::unexpected(core::systemError("cannot map shared memory", errno));
    }
    mapped = {static_cast<std::byte*>(start), size};
    return {};
}

SharedMemory::~SharedMemory() {
    if (!mapped.empty()) {
        ::munmap(mapped.data(), mapped.size());
    }
}

}  // namespace et::serve

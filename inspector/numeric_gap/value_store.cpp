#include "inspector/numeric_gap/value_store.h"

#include "runtime/core/descriptor.h"
#include "runtime/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

constexpr std::uint64_t smallBytes = std::uint64_t{64} * 1024;
constexpr std::uint64_t maxInMemory = std::uint64_t{64} << 20U;
/// Kernels may read a few bytes behind a tensor.
constexpr std::uint64_t readableBehind = 64;

#ifdef O_TMPFILE
core::Descriptor openUnlinked() {
    const char* const chosen = std::getenv("TMPDIR");
    for (const char* folder : std::array{chosen, "/var/tmp", "/tmp"}) {
        if (folder != nullptr) {
            core::Descriptor file(::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
            if (file) {
                return file;
            }
        }
    }
    return {};
}
#else
core::Descriptor openUnlinked() {
    return {};
}
#endif

bool writeAll(int file, core::Bytes bytes, std::uint64_t offset) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return true;
}

}  // namespace

/// The file, mapped at one address however far it grows.
class ValueStore::File {
  public:
    /// Null: not possible.
    static std::shared_ptr<File> open() {
        auto made = std::make_shared<File>();
        made->descriptor = openUnlinked();
        if (!made->descriptor || sizeof(void*) < sizeof(std::uint64_t)) {
            return nullptr;
        }
        void* const reserved =
            ::mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED) {
            return nullptr;
        }
        made->base = static_cast<std::byte*>(reserved);
        return made;
    }

    File() = default;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (base != nullptr) {
            ::munmap(base, capacity);
        }
    }

    /// The bytes in the file; nothing if it cannot take them.
    std::optional<std::byte*> append(core::Bytes bytes) {
        const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
        const std::uint64_t size = (bytes.size() + readableBehind + page - 1) / page * page;
        if (size > capacity - used || ::ftruncate(descriptor.get(), static_cast<off_t>(used + size)) != 0 ||
            !writeAll(descriptor.get(), bytes, used)) {
            return std::nullopt;
        }
        void* const mapped = ::mmap(base + used, size, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor.get(),
                                    static_cast<off_t>(used));
        if (mapped == MAP_FAILED) {
            return std::nullopt;
        }
        used += size;
        return static_cast<std::byte*>(mapped);
    }

    /// Frees the space of bytes that are no longer used.
    void discard([[maybe_unused]] const std::byte* start, [[maybe_unused]] std::uint64_t bytes) const {
#ifdef FALLOC_FL_PUNCH_HOLE
        static_cast<void>(::fallocate(descriptor.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                      static_cast<off_t>(start - base), static_cast<off_t>(bytes)));
#endif
    }

    void release() const {
        if (used > 0) {
            ::madvise(base, used, MADV_DONTNEED);
        }
    }

  private:
    static constexpr std::uint64_t capacity = std::uint64_t{1} << 40U;

    core::Descriptor descriptor;
    std::byte* base = nullptr;
    std::uint64_t used = 0;
};

ValueStore::ValueStore() : file(File::open()) {
}

ReferenceTensor ValueStore::keep(ReferenceTensor tensor) {
    const core::Bytes bytes = std::as_const(tensor.view).rawBytes();
    if (file == nullptr || bytes.size() <= smallBytes || !tensor.view.isContiguous()) {
        return tensor;
    }
    if (inMemory + bytes.size() <= maxInMemory) {
        inMemory += bytes.size();
        return tensor;
    }
    const auto place = file->append(bytes);
    if (!place) {
        return tensor;
    }
    stored += bytes.size();
    ReferenceTensor moved = tensor;
    moved.view.setMemory(*place, bytes.size());
    moved.owner = std::shared_ptr<const void>(*place, [kept = file, size = bytes.size()](const void* start) {
        kept->discard(static_cast<const std::byte*>(start), size);
    });
    return moved;
}

ReferenceValue ValueStore::keep(ReferenceValue value) {
    if (auto* tensor = std::get_if<ReferenceTensor>(&value.content)) {
        *tensor = keep(*std::move(tensor));
    } else if (auto* list = std::get_if<ReferenceValue::List>(&value.content)) {
        for (ReferenceValue& each : *list) {
            each = keep(std::move(each));
        }
    }
    return value;
}

void ValueStore::release() const {
    if (file != nullptr) {
        file->release();
    }
}

}  // namespace et::inspector

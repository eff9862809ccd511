#include "inspector/size/piece_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace et::inspector {
namespace {

/// For fewer bytes, the system call costs more than reading.
constexpr std::size_t leastBytes = std::size_t{16} << 10U;

/// Applies the advice to all pages of a part. Failures only cost time and are ignored.
void advise(core::Bytes part, int advice) {
    static const auto pageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    if (part.size() >= leastBytes) {
        const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(part.data()) % pageBytes;
        // The pages are not modified. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
        (void)::madvise(const_cast<std::byte*>(part.data() - before), part.size() + before, advice);
    }
}

}  // namespace

void expectPages(core::Bytes part) {
    advise(part, MADV_WILLNEED);
}

void fetchPages(core::Bytes part) {
    advise(part, MADV_WILLNEED);
    advise(part, MADV_POPULATE_READ);
}

void releasePages(const SizeMap& map, const SizePiece& piece, core::Bytes part) {
    const core::MappedFile* const file = map.files[piece.file].mapped;
    if (file != nullptr && part.size() >= leastBytes) {
        file->release(static_cast<std::size_t>(part.data() - file->bytes().data()), part.size());
    }
}

}  // namespace et::inspector

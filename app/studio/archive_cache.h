#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

// The folders with the files of sessions that were opened: a cache, which anybody may empty.
namespace et::studio {

/// While one of these lives, no process prunes the folder.
class ArchiveUse {
  public:
    /// Makes the folder where it is not there, for its owner alone. Waits while another process prunes it.
    /// Errors: Io.
    [[nodiscard]] static core::Result<std::shared_ptr<const ArchiveUse>> of(
        const std::filesystem::path& folder);
    ~ArchiveUse();
    ArchiveUse(const ArchiveUse&) = delete;
    ArchiveUse& operator=(const ArchiveUse&) = delete;

  private:
    explicit ArchiveUse(int opened) : descriptor(opened) {}
    int descriptor;
};

/// What may stay though nothing uses it.
struct CacheLimits {
    std::chrono::hours age{24 * 30};               ///< since it was opened last
    std::uint64_t bytes = std::uint64_t{8} << 30;  ///< of all folders together, those in use too
};

/// Removes folders of sessions below `cache` that nothing uses: those that are too old, then the oldest until
/// all are small enough. Everything else that lies there stays, and what cannot be removed stays.
void pruneArchives(const std::filesystem::path& cache, const CacheLimits& limits);

}  // namespace et::studio

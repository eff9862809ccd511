#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

// Cache of folders with the files of opened sessions; it may be deleted at any time.
namespace et::studio {

/// While an instance exists, no process prunes the folder.
class ArchiveUse {
  public:
    /// Creates the folder if necessary, accessible only to its owner. Waits while another process prunes it.
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

/// Limits for unused folders.
struct CacheLimits {
    std::chrono::hours age{24 * 30};               ///< since it was last opened
    std::uint64_t bytes = std::uint64_t{8} << 30;  ///< total of all folders, including those in use
};

/// Removes unused session folders below `cache`: those that are too old, then the oldest until the total is
/// small enough. Other files, and folders that cannot be removed, are ignored.
void pruneArchives(const std::filesystem::path& cache, const CacheLimits& limits);

}  // namespace et::studio

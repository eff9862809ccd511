#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <chrono>
#include <filesystem>
#include <utility>

namespace et::core {

/// Exclusive lock on a file during its lifetime, for changes that read and then replace a file and must not
/// run concurrently. The locked file is the one with that name at the time of locking, even if it was
/// replaced while waiting.
class FileLock {
  public:
    /// Waits at most `patience`. Errors: Io (cannot be opened, or locked by others).
    [[nodiscard]] static Result<FileLock> exclusive(const std::filesystem::path& path,
                                                    std::chrono::milliseconds patience);

  private:
    explicit FileLock(Descriptor file) : opened(std::move(file)) {}
    Descriptor opened;
};

}  // namespace et::core

#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <chrono>
#include <filesystem>
#include <utility>

namespace et::core {

/// Keeps a file from all others that want this lock, for as long as it lives: for changes that read a file
/// first and then replace it, of which one would be lost if two went on at once. The lock is of the file that
/// has the name when it is got, also where others replaced it meanwhile.
class FileLock {
  public:
    /// Waits for `patience` at most. Errors: Io (it cannot be opened, others hold it).
    [[nodiscard]] static Result<FileLock> exclusive(const std::filesystem::path& path,
                                                    std::chrono::milliseconds patience);

  private:
    explicit FileLock(Descriptor file) : opened(std::move(file)) {}
    Descriptor opened;
};

}  // namespace et::core

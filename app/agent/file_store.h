#pragma once

#include "app/wire/messages.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/file_lock.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace et::agent {

/// Files by the hash of their content. What arrives in pieces lies beside its name as HASH.part until it is
/// complete, so that a transfer that broke off goes on where it was. Files that nobody used for long go
/// where room is needed.
class FileStore {
  public:
    /// Errors: Io.
    [[nodiscard]] static core::Result<FileStore> open(const std::filesystem::path& folder);

    /// Begins a file, or goes on with it. Returns how many of its bytes are here; all of them: nothing is to
    /// come. Errors: Io (another transfer of it does not end).
    [[nodiscard]] core::Result<std::uint64_t> begin(const wire::PutRequest& request);
    /// Errors: Io, InvalidArgument (no file was begun), Limit (more than its size).
    [[nodiscard]] core::Result<> append(core::Bytes piece);
    /// Errors: Io, InvalidArgument (no file was begun), Mismatch (its content has another hash; it is gone
    /// then).
    [[nodiscard]] core::Result<> finish();

    /// Errors: NotFound.
    [[nodiscard]] core::Result<std::filesystem::path> find(const std::string& hash) const;

    /// Removes the files that were used longest ago until the rest takes at most `bytes`.
    void trim(std::uint64_t bytes) const;

  private:
    explicit FileStore(std::filesystem::path place) : folder(std::move(place)) {}
    void forget();
    [[nodiscard]] std::filesystem::path partOf(const std::string& hash) const {
        return folder / (hash + ".part");
    }

    std::filesystem::path folder;
    wire::PutRequest coming;
    core::Descriptor part;
    std::optional<core::FileLock> lock;  ///< of that file
    std::uint64_t written = 0;
};

}  // namespace et::agent

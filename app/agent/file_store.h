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

/// Files by the hash of their content. An incomplete transfer is stored as HASH.part, so an interrupted one
/// can resume. Files unused for the longest time are removed when space is needed.
class FileStore {
  public:
    /// Errors: Io.
    [[nodiscard]] static core::Result<FileStore> open(const std::filesystem::path& folder);

    /// Starts or resumes a transfer. Returns the number of bytes already stored; if that is the whole size,
    /// nothing needs to be sent. Errors: Io (another transfer of the file does not end).
    [[nodiscard]] core::Result<std::uint64_t> begin(const wire::PutRequest& request);
    /// Errors: Io, InvalidArgument (no transfer was started), Limit (more bytes than the file's size).
    [[nodiscard]] core::Result<> append(core::Bytes piece);
    /// Errors: Io, InvalidArgument (no transfer was started), Mismatch (the content has another hash; it is
    /// removed).
    [[nodiscard]] core::Result<> finish();

    /// Errors: NotFound.
    [[nodiscard]] core::Result<std::filesystem::path> find(const std::string& hash) const;

    /// Removes the least recently used files until the rest takes at most `bytes`.
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

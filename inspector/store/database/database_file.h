#pragma once

#include "inspector/store/database/database.h"
#include "runtime/core/result.h"

#include <filesystem>

// Files next to a database, and its replacement. SQLite keeps the old pages of a change in a rollback
// journal, FILE-journal (sqlite.org/fileformat2.html#the_rollback_journal); one left by a killed process
// ("hot") belongs to the current file and would damage any other file of that name.
namespace et::inspector::store {

/// Checks that there is a database to open, before SQLite turns an empty file into one. Errors: NotFound, Io
/// (a loop of links), Format (not a regular file, or empty).
[[nodiscard]] core::Result<> checkFile(const std::filesystem::path& path, const Schema& schema);

/// Whether there is a non-empty rollback journal.
[[nodiscard]] bool hasJournal(const std::filesystem::path& path);
/// Whether there is a non-empty write-ahead log.
[[nodiscard]] bool hasLog(const std::filesystem::path& path);

/// Rejects a journal that is a link or names a super-journal: rolling it back might remove the named file.
/// Errors: Format.
[[nodiscard]] core::Result<> checkJournal(const std::filesystem::path& path);

/// Removes journals and logs without a file, or of a file about to be replaced.
void removeJournals(const std::filesystem::path& path);

/// A copy of a database and its companion files in a temporary folder, which is removed on destruction.
class CopiedDatabase {
  public:
    /// Errors: Io.
    [[nodiscard]] static core::Result<CopiedDatabase> make(const std::filesystem::path& path);
    CopiedDatabase(CopiedDatabase&& other) noexcept : folder(std::exchange(other.folder, {})) {}
    CopiedDatabase& operator=(CopiedDatabase&&) = delete;
    CopiedDatabase(const CopiedDatabase&) = delete;
    CopiedDatabase& operator=(const CopiedDatabase&) = delete;
    ~CopiedDatabase();

    [[nodiscard]] std::filesystem::path path() const { return folder / "copy.db"; }

  private:
    explicit CopiedDatabase(std::filesystem::path made) : folder(std::move(made)) {}
    std::filesystem::path folder;
};

}  // namespace et::inspector::store

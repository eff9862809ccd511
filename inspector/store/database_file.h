#pragma once

#include "inspector/store/database.h"
#include "runtime/core/result.h"

#include <filesystem>

// What lies beside a database, and what may take its place. SQLite keeps the old pages of a change in a
// rollback journal, FILE-journal (sqlite.org/fileformat2.html#the_rollback_journal); one that a killed
// process left
// ("hot") belongs to the file as it is, and would damage any other file of that name.
namespace et::inspector::store {

/// Whether there is a database to open, before the library makes one of an empty file. Errors: NotFound, Io
/// (a loop of links), Format (no regular file, an empty one).
[[nodiscard]] core::Result<> checkFile(const std::filesystem::path& path, const Schema& schema);

/// Whether a rollback journal has something in it.
[[nodiscard]] bool hasJournal(const std::filesystem::path& path);
/// Whether a write-ahead log has.
[[nodiscard]] bool hasLog(const std::filesystem::path& path);

/// Refuses a journal that is a link, or that names a journal of several databases: rolling that one back may
/// remove the file that it names. Errors: Format.
[[nodiscard]] core::Result<> checkJournal(const std::filesystem::path& path);

/// Removes journals and logs that belong to no file, or to one that is about to be replaced.
void removeJournals(const std::filesystem::path& path);

/// A copy of a database with all beside it, in a folder of its own, which goes away with this.
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

#pragma once

#include "tests/fuzz/support/byte_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::fuzz {

/// A database on disk that is recreated for each input: a valid one with some values changed, rows removed or
/// duplicated, pragmas set, and bytes flipped. The test target is the data that SQLite returns, not SQLite
/// itself.
class ChangedDatabase {
  public:
    /// `sound` is the file to start from. The folder is in memory if the system supports it (/dev/shm).
    explicit ChangedDatabase(const std::filesystem::path& sound);
    ~ChangedDatabase();
    ChangedDatabase(const ChangedDatabase&) = delete;
    ChangedDatabase& operator=(const ChangedDatabase&) = delete;

    /// Writes the original file.
    const std::filesystem::path& restore();
    /// Writes the file with changes derived from `source`.
    const std::filesystem::path& change(ByteSource& source);

  private:
    struct Column {
        std::string table;
        std::string name;
    };
    void write(const std::string& bytes) const;
    void changeRow(struct ChangeSession& session, ByteSource& source) const;

    std::filesystem::path folder;
    std::filesystem::path path;
    std::string content;
    std::vector<Column> columns;
};

}  // namespace et::fuzz

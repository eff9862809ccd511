#pragma once

#include "tests/fuzz/support/byte_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::fuzz {

/// A database on disk that is made anew for each input: a sound one with a few values changed, rows removed
/// or given twice, pragmas set, and bytes flipped. SQLite itself is not what is looked at; what it hands out
/// is.
class ChangedDatabase {
  public:
    /// `sound` is the file to start from. The folder is in memory where the system has such (/dev/shm).
    explicit ChangedDatabase(const std::filesystem::path& sound);
    ~ChangedDatabase();
    ChangedDatabase(const ChangedDatabase&) = delete;
    ChangedDatabase& operator=(const ChangedDatabase&) = delete;

    /// Writes the file as it was at first.
    const std::filesystem::path& restore();
    /// Writes the file as `source` says.
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

#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/history/history.h"
#include "inspector/store/connection.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace et::inspector::store {

class HistoryWriter;

/// A file whose measurements go into a history.
struct ImportedFile {
    std::string sha256;      ///< of its content: what tells whether it is there already
    std::string kind{};      ///< "trace", "bench", "session", "runner"
    std::string origin{};    ///< its path as given
    std::string measured{};  ///< UTC, see utcText()
    std::string commit{};    ///< empty: not known
    Tags tags{};
};

/// What a file says of one model.
struct ModelMeasurement {
    std::string model;
    Measurement measurement;
};

/// What is known of a model without reading its times.
struct HistoryModel {
    std::string name;
    std::uint64_t measurements = 0;
    std::string first;  ///< UTC
    std::string last;
};

/// Histories of models, in the database with the baselines (docs/store.md). A file is there once, by its
/// content.
class HistoryStore {
  public:
    /// As BaselineStore::open(), whose database it is.
    [[nodiscard]] static core::Result<HistoryStore> open(const std::filesystem::path& place,
                                                         const OpenOptions& options = {});
    HistoryStore(HistoryStore&& other) noexcept;
    HistoryStore& operator=(HistoryStore&&) = delete;
    HistoryStore(const HistoryStore&) = delete;
    HistoryStore& operator=(const HistoryStore&) = delete;
    ~HistoryStore();

    /// What is added behind it is there all or not at all.
    [[nodiscard]] core::Result<Transaction> begin();
    /// Whether what failed last may well succeed when its transaction is done again: others wrote the same.
    [[nodiscard]] bool metConflict() const { return database->metConflict(); }
    /// SHA-256 of the files that are there.
    [[nodiscard]] core::Result<std::unordered_set<std::string>> contents() const;
    /// Inside of a transaction. False: the file is there already, and nothing changes. Errors: those of the
    /// database.
    [[nodiscard]] core::Result<bool> add(const ImportedFile& file, std::span<const ModelMeasurement> models);

    /// By name.
    [[nodiscard]] core::Result<std::vector<HistoryModel>> models() const;
    /// The measurements of a model from a moment (utcText(); empty: all) on, oldest first. Errors: NotFound
    /// (says which models there are), Format and Limit (a file that somebody else wrote).
    [[nodiscard]] core::Result<MeasuredModel> load(std::string_view model, std::string_view since = {}) const;

    [[nodiscard]] const std::string& file() const { return database->file(); }

  private:
    explicit HistoryStore(std::unique_ptr<Connection> opened);
    [[nodiscard]] core::Result<bool> contains(std::string_view sha256) const;

    std::unique_ptr<Connection> database;
    std::unique_ptr<HistoryWriter> writer;
};

}  // namespace et::inspector::store

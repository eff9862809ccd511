#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/database/connection.h"
#include "inspector/trend/trend_groups.h"
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

class TrendWriter;

/// A file whose measurements are added to a history.
struct ImportedFile {
    std::string sha256;      ///< of its content; identifies duplicates
    std::string kind{};      ///< "trace", "bench", "session", "runner"
    std::string origin{};    ///< its path as given
    std::string measured{};  ///< UTC, see utcText()
    std::string commit{};    ///< empty: unknown
    Tags tags{};
};

/// The measurement of one model in a file.
struct ModelMeasurement {
    std::string model;
    Measurement measurement;
};

/// Summary of a model, available without reading its times.
struct TrendModel {
    std::string name;
    std::uint64_t measurements = 0;
    std::string first;  ///< UTC
    std::string last;
};

/// Histories of models, in the same database as the baselines (docs/reference/store.md). Each file is stored
/// once, identified by its content.
class TrendStore {
  public:
    /// As BaselineStore::open(), which uses the same database.
    [[nodiscard]] static core::Result<TrendStore> open(const std::filesystem::path& place,
                                                       const OpenOptions& options = {});
    TrendStore(TrendStore&& other) noexcept;
    TrendStore& operator=(TrendStore&&) = delete;
    TrendStore(const TrendStore&) = delete;
    TrendStore& operator=(const TrendStore&) = delete;
    ~TrendStore();

    /// Begins a transaction: subsequent additions are stored completely or not at all.
    [[nodiscard]] core::Result<Transaction> begin();
    /// Whether the last failure may be resolved by repeating its transaction, because others wrote
    /// concurrently.
    [[nodiscard]] bool metConflict() const { return database->metConflict(); }
    /// SHA-256 of the stored files.
    [[nodiscard]] core::Result<std::unordered_set<std::string>> contents() const;
    /// Must be called inside a transaction. Returns false without a change if the file is already stored.
    /// Errors: those of the database.
    [[nodiscard]] core::Result<bool> add(const ImportedFile& file, std::span<const ModelMeasurement> models);

    /// By name.
    [[nodiscard]] core::Result<std::vector<TrendModel>> models() const;
    /// Measurements of a model since a moment (utcText(); empty: all), oldest first. Errors: NotFound (lists
    /// the existing models), Format and Limit (a file not written by us).
    [[nodiscard]] core::Result<MeasuredModel> load(std::string_view model, std::string_view since = {}) const;

    [[nodiscard]] const std::string& file() const { return database->file(); }

  private:
    explicit TrendStore(std::unique_ptr<Connection> opened);
    [[nodiscard]] core::Result<bool> contains(std::string_view sha256) const;

    std::unique_ptr<Connection> database;
    std::unique_ptr<TrendWriter> writer;
};

}  // namespace et::inspector::store

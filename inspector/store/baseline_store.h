#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/database/connection.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::store {

/// Summary of a baseline, available without reading its samples.
struct BaselineEntry {
    std::string name;
    std::string created;  ///< UTC, "2026-11-21T04:05:06Z"
    std::string origin;   ///< path of the measured file, as given
    std::uint64_t runs = 0;
    std::uint64_t operators = 0;
    std::uint64_t samples = 0;
    double medianTotal = 0;  ///< of the first method's runs, in nanoseconds (or ticks)
    bool cycles = false;
    std::string cpu;  ///< empty: unknown
};

/// Named measurements in the database described in docs/reference/store.md. Each change is one transaction:
/// if the process crashes, existing baselines remain and a new one is stored completely or not at all.
class BaselineStore {
  public:
    /// $XDG_DATA_HOME/et-inspect/baselines.db, or below ~/.local/share if that is not set. Errors: NotFound
    /// (no home directory).
    [[nodiscard]] static core::Result<std::filesystem::path> defaultPath();

    /// As connectStore().
    [[nodiscard]] static core::Result<BaselineStore> open(const std::filesystem::path& place,
                                                          const OpenOptions& options = {});

    /// Errors: InvalidArgument (a name that is empty, longer than 200 bytes or contains control characters;
    /// an existing name with Existing::Keep), those of the database.
    [[nodiscard]] core::Result<> save(std::string_view name, const Measurement& measurement,
                                      Existing existing = Existing::Keep);
    /// Errors: NotFound (lists the existing names), Format and Limit (a file not written by us), those of the
    /// database.
    [[nodiscard]] core::Result<Measurement> load(std::string_view name) const;
    [[nodiscard]] core::Result<std::vector<BaselineEntry>> list() const;
    /// Errors: NotFound.
    [[nodiscard]] core::Result<> remove(std::string_view name);

    [[nodiscard]] const std::string& file() const { return database->file(); }

  private:
    explicit BaselineStore(std::unique_ptr<Connection> opened) : database(std::move(opened)) {}
    [[nodiscard]] std::unexpected<core::Error> notFound(std::string_view name) const;

    std::unique_ptr<Connection> database;
};

}  // namespace et::inspector::store

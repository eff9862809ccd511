#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/baseline_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace et::test {

/// A measurement with every field set, different for each seed.
[[nodiscard]] inspector::Measurement madeUpMeasurement(std::uint64_t seed, std::size_t operators = 6,
                                                       std::size_t runs = 20);

/// Opens the store at `path`; an error fails the test and throws a GoogleTest exception.
[[nodiscard]] inspector::store::BaselineStore openStore(const std::filesystem::path& path);

/// Returns `measurement` as loaded from a store, with the name it was saved under.
[[nodiscard]] inspector::Measurement asLoaded(inspector::Measurement measurement, const std::string& name);

/// "ok", or the errors that SQLite finds in the file.
[[nodiscard]] std::string integrityOf(const std::filesystem::path& path);

/// Runs SQL on any database file through a separate connection.
void runSql(const std::filesystem::path& path, const std::string& sql);

}  // namespace et::test

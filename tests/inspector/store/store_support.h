#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/baseline_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace et::test {

/// A measurement with something in each field, different for each seed.
[[nodiscard]] inspector::Measurement madeUpMeasurement(std::uint64_t seed, std::size_t operators = 6,
                                                       std::size_t runs = 20);

/// The store at `path`; a test failure and an exception of GoogleTest where it cannot be opened.
[[nodiscard]] inspector::store::BaselineStore openStore(const std::filesystem::path& path);

/// `measurement` as it comes back from a store, where it has the name that it was saved under.
[[nodiscard]] inspector::Measurement asLoaded(inspector::Measurement measurement, const std::string& name);

/// "ok", or what SQLite finds wrong with the file.
[[nodiscard]] std::string integrityOf(const std::filesystem::path& path);

/// Runs SQL on any database file, as somebody else would.
void runSql(const std::filesystem::path& path, const std::string& sql);

}  // namespace et::test

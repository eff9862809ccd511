#pragma once

#include "inspector/store/trend_store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::store {

/// Adds files to a history with prepared statements, and caches the row numbers of models and operators.
class TrendWriter {
  public:
    explicit TrendWriter(Connection& opened) : database(opened) {}

    /// As TrendStore::add(), for a file that is not in the store.
    [[nodiscard]] core::Result<> add(const ImportedFile& file, std::span<const ModelMeasurement> models);
    /// Clears the cached row numbers, after a possible rollback.
    void forget();

  private:
    [[nodiscard]] core::Result<> prepare();
    [[nodiscard]] core::Result<> loadOperators(std::int64_t model);
    template <class... Key>
    [[nodiscard]] core::Result<std::int64_t> rowOf(std::string_view select, std::string_view insert,
                                                   const Key&... key);
    [[nodiscard]] core::Result<std::int64_t> modelRow(const std::string& name);
    [[nodiscard]] core::Result<std::int64_t> operatorRow(const TrackedOperator& key);
    [[nodiscard]] core::Result<> addMethod(std::int64_t file, std::string_view moment, std::int64_t model,
                                           const Measurement& measurement, const MethodTimes& method);

    Connection& database;
    std::optional<Statement> insertMethod;
    std::optional<Statement> addTag;
    std::optional<Statement> addTime;
    std::map<std::string, std::int64_t> models;
    std::map<TrackedOperator, std::int64_t> operators;
};

/// As TrendStore::load(), for an existing model. Errors: Format (a value that our writers do not produce),
/// Limit.
[[nodiscard]] core::Result<MeasuredModel> readTrend(Connection& database, std::int64_t model,
                                                    std::string name, std::string_view since);

}  // namespace et::inspector::store

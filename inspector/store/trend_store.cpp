#include "inspector/store/trend_store.h"

#include "inspector/store/store_location.h"
#include "inspector/store/trend_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector::store {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

std::unexpected<core::Error> noModel(const std::string& file, std::string_view name,
                                     const Result<std::vector<TrendModel>>& models) {
    constexpr std::size_t max = 10;
    std::string known;
    for (std::size_t i = 0; models && i < std::min(max, models->size()); ++i) {
        known += fmt::format("{}{}", i == 0 ? "" : ", ", core::printable((*models)[i].name));
    }
    known += models && models->size() > max ? ", ..." : "";
    return fail(ErrorCode::NotFound,
                fmt::format("no measurements of \"{}\"; {}", core::printable(name),
                            known.empty() ? "the store is empty" : "available: " + known),
                {.file = file, .field = {}, .offset = {}});
}

}  // namespace

TrendStore::TrendStore(std::unique_ptr<Connection> opened)
    : database(std::move(opened)), writer(std::make_unique<TrendWriter>(*database)) {
}
TrendStore::TrendStore(TrendStore&& other) noexcept = default;
TrendStore::~TrendStore() = default;

Result<TrendStore> TrendStore::open(const std::filesystem::path& place, const OpenOptions& options) {
    ET_ASSIGN(std::unique_ptr<Connection> database, connectStore(place, options));
    return TrendStore(std::move(database));
}

Result<Transaction> TrendStore::begin() {
    writer->forget();  // rows of the last one may have been rolled back
    return database->begin();
}

Result<bool> TrendStore::contains(std::string_view sha256) const {
    ET_ASSIGN(Statement row, database->prepare("SELECT 1 FROM imported_file WHERE sha256 = ?"));
    ET_TRY(row.bind(sha256));
    return row.step();
}

Result<std::unordered_set<std::string>> TrendStore::contents() const {
    ET_ASSIGN(Statement row, database->prepare("SELECT sha256 FROM imported_file"));
    std::unordered_set<std::string> contents;
    for (;;) {
        ET_ASSIGN(const bool found, row.step());
        if (!found) {
            return contents;
        }
        contents.emplace(row.text(0));
    }
}

Result<bool> TrendStore::add(const ImportedFile& file, std::span<const ModelMeasurement> models) {
    ET_ASSIGN(const bool isThere, contains(file.sha256));
    if (isThere) {
        return false;
    }
    ET_TRY(writer->add(file, models));
    return true;
}

Result<std::vector<TrendModel>> TrendStore::models() const {
    ET_ASSIGN(Statement row,
              database->prepare("SELECT d.name, count(*), min(f.measured), max(f.measured) FROM model d JOIN "
                                "measured_method m ON m.model = d.id JOIN imported_file f ON f.id = m.file "
                                "GROUP BY d.id ORDER BY d.name"));
    std::vector<TrendModel> models;
    for (;;) {
        ET_ASSIGN(const bool found, row.step());
        if (!found) {
            return models;
        }
        models.push_back({.name = std::string(row.text(0)),
                          .measurements = static_cast<std::uint64_t>(row.integer(1)),
                          .first = std::string(row.text(2)),
                          .last = std::string(row.text(3))});
    }
}

Result<MeasuredModel> TrendStore::load(std::string_view model, std::string_view since) const {
    ET_ASSIGN(const Transaction moment, database->beginReading());
    ET_ASSIGN(Statement row, database->prepare("SELECT id FROM model WHERE name = ?"));
    ET_TRY(row.bind(model));
    ET_ASSIGN(const bool found, row.step());
    if (!found) {
        return noModel(file(), model, models());
    }
    return readTrend(*database, row.integer(0), std::string(model), since);
}

}  // namespace et::inspector::store

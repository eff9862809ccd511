#include "inspector/comparison/statistics.h"
#include "inspector/history/moment.h"
#include "inspector/store/history_io.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

namespace et::inspector::store {
namespace {

using core::Result;

/// Samples as little-endian doubles; nothing where there is one, which the median says.
std::optional<std::vector<std::byte>> sampleBytes(std::span<const double> samples) {
    if (samples.size() < 2) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes;
    bytes.reserve(samples.size() * sizeof(double));
    for (const double sample : samples) {
        auto bits = std::bit_cast<std::uint64_t>(sample);
        for (std::size_t i = 0; i < sizeof(bits); ++i, bits >>= 8U) {
            bytes.push_back(static_cast<std::byte>(bits & 0xFFU));
        }
    }
    return bytes;
}

}  // namespace

Result<> HistoryWriter::prepare() {
    if (!insertMethod) {
        ET_ASSIGN(insertMethod,
                  database.prepare("INSERT INTO measured_method (file, model, method, cycles, runs, time, "
                                   "samples) VALUES (?, ?, ?, ?, ?, ?, ?)"));
        ET_ASSIGN(insertTime, database.prepare("INSERT INTO operator_time VALUES (?, ?, ?, ?)"));
    }
    return {};
}

void HistoryWriter::forget() {
    models.clear();
    operators.clear();
}

Result<> HistoryWriter::add(const ImportedFile& file, std::span<const ModelMeasurement> measured) {
    ET_TRY(prepare());
    ET_ASSIGN(Statement insertFile,
              database.prepare("INSERT INTO imported_file (sha256, kind, origin, imported, measured, "
                               "commit_name) VALUES (?, ?, ?, ?, ?, ?)"));
    const std::string now =
        utcText(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
    ET_TRY(insertFile.run(file.sha256, file.kind, file.origin, now, file.measured, file.commit));
    const std::int64_t row = database.lastRow();
    ET_ASSIGN(Statement insertTag, database.prepare("INSERT INTO file_tag VALUES (?, ?, ?)"));
    for (const auto& [key, value] : file.tags) {
        ET_TRY(insertTag.run(row, key, value));
    }
    for (const ModelMeasurement& each : measured) {
        ET_ASSIGN(const std::int64_t model, modelRow(each.model));
        for (const MethodTimes& method : each.measurement.methods) {
            ET_TRY(addMethod(row, model, each.measurement, method));
        }
    }
    return {};
}

Result<std::int64_t> HistoryWriter::modelRow(const std::string& name) {
    if (const auto known = models.find(name); known != models.end()) {
        return known->second;
    }
    ET_ASSIGN(Statement insert, database.prepare("INSERT OR IGNORE INTO model (name) VALUES (?)"));
    ET_TRY(insert.run(name));
    ET_ASSIGN(Statement found, database.prepare("SELECT id FROM model WHERE name = ?"));
    ET_TRY(found.bind(name));
    ET_TRY(found.step());
    return models[name] = found.integer(0);
}

Result<std::int64_t> HistoryWriter::operatorRow(const TrackedOperator& key) {
    if (const auto known = operators.find(key); known != operators.end()) {
        return known->second;
    }
    const std::string_view kind = inspector::name(key.kind);
    ET_ASSIGN(Statement insert,
              database.prepare("INSERT OR IGNORE INTO tracked_operator (name, kind, backend, occurrence) "
                               "VALUES (?, ?, ?, ?)"));
    ET_TRY(insert.run(key.name, kind, key.backend, key.occurrence));
    ET_ASSIGN(Statement found, database.prepare("SELECT id FROM tracked_operator WHERE name = ? AND kind = ? "
                                                "AND backend = ? AND occurrence = ?"));
    ET_TRY(found.bind(key.name, kind, key.backend, key.occurrence));
    ET_TRY(found.step());
    return operators[key] = found.integer(0);
}

Result<> HistoryWriter::addMethod(std::int64_t file, std::int64_t model, const Measurement& measurement,
                                  const MethodTimes& method) {
    const std::uint64_t runs = measurement.settings && method.total.size() == 1
                                   ? std::max<std::uint64_t>(measurement.settings->iterations, 1)
                                   : method.total.size();
    ET_TRY(insertMethod->run(file, model, method.method, measurement.cycles, runs, median(method.total),
                             sampleBytes(method.total)));
    const std::int64_t row = database.lastRow();
    const std::vector<TrackedOperator> keys = keysOf(method);
    // In the order of the table's key, which is how it fills fastest.
    std::vector<std::pair<std::int64_t, std::size_t>> rows;
    rows.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ET_ASSIGN(const std::int64_t number, operatorRow(keys[i]));
        rows.emplace_back(number, i);
    }
    std::ranges::sort(rows);
    for (const auto& [number, i] : rows) {
        const std::vector<double>& samples = method.operators[i].samples;
        ET_TRY(insertTime->run(row, number, median(samples), sampleBytes(samples)));
    }
    return {};
}

}  // namespace et::inspector::store

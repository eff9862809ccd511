#include "inspector/comparison/statistics.h"
#include "inspector/store/trend_io.h"
#include "inspector/trend/moment.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <vector>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Samples as little-endian doubles; nothing for a single sample, which equals the median.
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

Result<> TrendWriter::prepare() {
    if (!insertMethod) {
        constexpr std::array<std::string_view, 3> tag{"file", "key", "value"};
        constexpr std::array<std::string_view, 4> time{"measured", "operator", "time", "samples"};
        ET_ASSIGN(
            insertMethod,
            database.prepare("INSERT INTO measured_method (id, file, model, method, cycles, runs, time, "
                             "samples) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
        ET_ASSIGN(addTag, database.adder("file_tag", tag));
        ET_ASSIGN(addTime, database.adder("operator_time", time));
    }
    return {};
}

void TrendWriter::forget() {
    models.clear();
    operators.clear();
}

Result<> TrendWriter::add(const ImportedFile& file, std::span<const ModelMeasurement> measured) {
    ET_TRY(prepare());
    ET_ASSIGN(Statement insertFile,
              database.prepare("INSERT INTO imported_file (sha256, kind, origin, imported, measured, "
                               "commit_name) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"));
    const std::string now =
        utcText(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
    ET_ASSIGN(const std::int64_t row,
              insertFile.returned(file.sha256, file.kind, file.origin, now, file.measured, file.commit));
    for (const auto& [key, value] : file.tags) {
        ET_TRY(addTag->run(row, key, value));
    }
    for (const ModelMeasurement& each : measured) {
        ET_ASSIGN(const std::int64_t model, modelRow(each.model));
        for (const MethodTimes& method : each.measurement.methods) {
            ET_TRY(addMethod(row, file.measured, model, each.measurement, method));
        }
    }
    ET_TRY(addTag->finish());
    return addTime->finish();
}

/// Returns the number of the row found by `select`, or created by `insert` if there is none. The insert is
/// skipped for existing rows because it would take a lock.
template <class... Key>
Result<std::int64_t> TrendWriter::rowOf(std::string_view select, std::string_view insert, const Key&... key) {
    ET_ASSIGN(Statement known, database.prepare(select));
    ET_TRY(known.bind(key...));
    ET_ASSIGN(bool found, known.step());
    if (!found) {
        ET_ASSIGN(Statement add, database.prepare(insert));
        ET_TRY(add.run(key...));
        ET_TRY(known.bind(key...));
        ET_ASSIGN(found, known.step());
    }
    return found ? Result<std::int64_t>(known.integer(0))
                 : fail(ErrorCode::Format, "database: expected the row that was just inserted",
                        {.file = database.file(), .field = {}, .offset = {}});
}

/// Fetches all operators of a model's last measurement at once. The next measurement has mostly the same
/// ones, and individual queries to a remote database are slow.
Result<> TrendWriter::loadOperators(std::int64_t model) {
    ET_ASSIGN(
        Statement row,
        database.prepare("SELECT o.id, o.name, o.kind, o.backend, o.occurrence FROM operator_time t JOIN "
                         "tracked_operator o ON o.id = t.operator WHERE t.measured = (SELECT max(id) "
                         "FROM measured_method WHERE model = ?)"));
    ET_TRY(row.bind(model));
    constexpr std::size_t max =
        100'000;  // limit for foreign files; further operators are looked up individually
    while (operators.size() < max) {
        ET_ASSIGN(const bool found, row.step());
        if (!found) {
            break;
        }
        const auto* const kind = std::ranges::find(operatorKinds, row.text(2), &OperatorKindInfo::name);
        if (kind != std::end(operatorKinds)) {  // otherwise looked up or added on demand
            operators[{.name = std::string(row.text(1)),
                       .kind = kind->kind,
                       .backend = std::string(row.text(3)),
                       .occurrence = static_cast<std::uint32_t>(row.integer(4))}] = row.integer(0);
        }
    }
    return {};
}

Result<std::int64_t> TrendWriter::modelRow(const std::string& name) {
    if (const auto known = models.find(name); known != models.end()) {
        return known->second;
    }
    ET_ASSIGN(const std::int64_t row,
              rowOf("SELECT id FROM model WHERE name = ?",
                    "INSERT INTO model (name) VALUES (?) ON CONFLICT DO NOTHING", name));
    models[name] = row;
    ET_TRY(loadOperators(row));
    return row;
}

Result<std::int64_t> TrendWriter::operatorRow(const TrackedOperator& key) {
    if (const auto known = operators.find(key); known != operators.end()) {
        return known->second;
    }
    const std::string_view kind = inspector::name(key.kind);
    ET_ASSIGN(const std::int64_t row,
              rowOf("SELECT id FROM tracked_operator WHERE name = ? AND kind = ? AND backend = ? AND "
                    "occurrence = ?",
                    "INSERT INTO tracked_operator (name, kind, backend, occurrence) VALUES (?, ?, ?, ?) ON "
                    "CONFLICT DO NOTHING",
                    key.name, kind, key.backend, key.occurrence));
    return operators[key] = row;
}

Result<> TrendWriter::addMethod(std::int64_t file, std::string_view moment, std::int64_t model,
                                const Measurement& measurement, const MethodTimes& method) {
    const std::uint64_t runs = measurement.settings && method.total.size() == 1
                                   ? std::max<std::uint64_t>(measurement.settings->iterations, 1)
                                   : method.total.size();
    ET_ASSIGN(const std::optional<std::int64_t> given, database.timedNumber(moment));
    ET_ASSIGN(const std::int64_t row,
              insertMethod->returned(given, file, model, method.method, measurement.cycles, runs,
                                     median(method.total), sampleBytes(method.total)));
    const std::vector<TrackedOperator> keys = keysOf(method);
    // Key order, which is the fastest to insert.
    std::vector<std::pair<std::int64_t, std::size_t>> rows;
    rows.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ET_ASSIGN(const std::int64_t number, operatorRow(keys[i]));
        rows.emplace_back(number, i);
    }
    std::ranges::sort(rows);
    for (const auto& [number, i] : rows) {
        const std::vector<double>& samples = method.operators[i].samples;
        ET_TRY(addTime->run(row, number, median(samples), sampleBytes(samples)));
    }
    return {};
}

}  // namespace et::inspector::store

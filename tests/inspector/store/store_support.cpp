#include "tests/inspector/store/store_support.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <stdexcept>
#include <utility>

namespace et::test {
namespace {

using inspector::Measurement;
using inspector::MethodTimes;
using inspector::OperatorKind;
using inspector::OperatorTimes;

int keepFirst(void* into, int, char** values, char**) {
    auto& text = *static_cast<std::string*>(into);
    text = text.empty() ? values[0] : text;
    return 0;
}

std::string queried(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* database = nullptr;
    std::string answer;
    char* message = nullptr;
    sqlite3_open(path.c_str(), &database);
    if (sqlite3_exec(database, sql.c_str(), keepFirst, &answer, &message) != SQLITE_OK) {
        answer = message == nullptr ? "error" : message;
    }
    sqlite3_free(message);
    sqlite3_close(database);
    return answer;
}

}  // namespace

Measurement madeUpMeasurement(std::uint64_t seed, std::size_t operators, std::size_t runs) {
    MethodTimes method{.method = "forward"};
    const auto first = static_cast<double>(seed * 1000);
    for (std::size_t i = 0; i < operators; ++i) {
        OperatorTimes each{.name = "op" + std::to_string(i) + ".out",
                           .kind = i % 2 == 0 ? OperatorKind::Kernel : OperatorKind::DelegatedOperator,
                           .backend = i % 2 == 0 ? "" : "XnnpackBackend",
                           .chain = 0,
                           .instruction = core::InstructionId(static_cast<std::int32_t>(i)),
                           .handles = {core::DebugHandle(static_cast<std::int64_t>(i) + 1)},
                           .nodes = {"aten.op.default", "aten.\xC3\xA9.default"}};
        for (std::size_t run = 0; run < runs; ++run) {
            each.samples.push_back(first + static_cast<double>(i * runs + run) + 0.25);
        }
        method.operators.push_back(std::move(each));
    }
    for (std::size_t run = 0; run < runs; ++run) {
        method.total.push_back(first + static_cast<double>(run) + 1e6);
    }
    return {.name = "model.pte",
            .source = inspector::MeasurementSource::Program,
            .methods = {method, {.method = "other", .total = {1, 2}, .totalMeasured = false}},
            .outputs = {{.method = "forward",
                         .type = "float32 [2]",
                         .checksum = std::string(64, 'a'),
                         .elements = 2,
                         .nonFinite = 1,
                         .minimum = -1.5,
                         .maximum = {},
                         .mean = 0.1}},
            .machine = inspector::Machine{.cpu = "cpu", .cores = 2, .system = "system"},
            .settings = inspector::RunSettings{.method = "forward",
                                               .threads = 1,
                                               .warmup = 9,
                                               .iterations = runs,
                                               .warmupDetected = true,
                                               .inputs = "random",
                                               .seed = ~std::uint64_t{0} - seed,
                                               .loadNanoseconds = 123,
                                               .peakBytes = 456},
            .program = inspector::ProgramIdentity{.sha256 = std::string(64, 'b'),
                                                  .bytes = 1000,
                                                  .plannedBytes = 96,
                                                  .delegates = 1,
                                                  .instructions = 7},
            .warnings = {"careful"}};
}

inspector::store::BaselineStore openStore(const std::filesystem::path& path) {
    auto store = inspector::store::BaselineStore::open(path);
    if (!store) {
        throw std::runtime_error(store.error().toString());
    }
    return *std::move(store);
}

Measurement asLoaded(Measurement measurement, const std::string& name) {
    measurement.name = name;
    measurement.source = inspector::MeasurementSource::Baseline;
    return measurement;
}

std::string integrityOf(const std::filesystem::path& path) {
    const std::string integrity = queried(path, "PRAGMA integrity_check");
    const std::string keys = queried(path, "PRAGMA foreign_key_check");
    return keys.empty() ? integrity : "foreign key of " + keys;
}

void runSql(const std::filesystem::path& path, const std::string& sql) {
    const std::string failed = queried(path, sql);
    EXPECT_TRUE(failed.empty()) << failed;
}

}  // namespace et::test

#include "inspector/store/baseline_io.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector::store {
namespace {

using core::Result;

std::string timeNow() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

/// The statements of one save, each prepared once.
class BaselineWriter {
  public:
    explicit BaselineWriter(Database& opened) : database(opened) {}

    Result<> write(std::string_view name, const Measurement& measurement) {
        std::optional<std::int64_t> machine;
        if (measurement.machine) {
            ET_ASSIGN(machine, machineRow(*measurement.machine));
        }
        ET_TRY(insert("INSERT INTO baseline (name, created, origin, cycles, machine) VALUES (?, ?, ?, ?, ?)",
                      name, timeNow(), measurement.name, measurement.cycles, machine));
        const std::int64_t baseline = database.lastRow();
        ET_TRY(writeInfo(baseline, measurement));
        for (std::size_t i = 0; i < measurement.methods.size(); ++i) {
            ET_TRY(writeMethod(baseline, i, measurement.methods[i]));
        }
        return writeOutputs(baseline, measurement.outputs);
    }

  private:
    template <class... Values>
    Result<> insert(std::string_view sql, const Values&... values) {
        ET_ASSIGN(Statement statement, database.prepare(sql));
        return statement.run(values...);
    }

    Result<std::int64_t> machineRow(const Machine& machine) {
        ET_TRY(insert("INSERT OR IGNORE INTO machine (cpu, cores, system) VALUES (?, ?, ?)", machine.cpu,
                      machine.cores, machine.system));
        ET_ASSIGN(Statement found,
                  database.prepare("SELECT id FROM machine WHERE cpu = ? AND cores = ? AND system = ?"));
        ET_TRY(found.bind(machine.cpu, machine.cores, machine.system));
        ET_TRY(found.step());
        return found.integer(0);
    }

    Result<> writeInfo(std::int64_t baseline, const Measurement& measurement) {
        if (const auto& settings = measurement.settings) {
            ET_TRY(insert("INSERT INTO settings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", baseline,
                          settings->method, settings->threads, settings->warmup, settings->iterations,
                          settings->warmupDetected, settings->inputs, settings->seed,
                          settings->loadNanoseconds, settings->peakBytes));
        }
        if (const auto& program = measurement.program) {
            ET_TRY(insert("INSERT INTO program VALUES (?, ?, ?, ?, ?, ?)", baseline, program->sha256,
                          program->bytes, program->plannedBytes, program->delegates, program->instructions));
        }
        for (std::size_t i = 0; i < measurement.warnings.size(); ++i) {
            ET_TRY(insert("INSERT INTO warning VALUES (?, ?, ?)", baseline, i, measurement.warnings[i]));
        }
        return {};
    }

    Result<> writeMethod(std::int64_t baseline, std::size_t position, const MethodTimes& method) {
        ET_TRY(insert("INSERT INTO method (baseline, position, name, total_measured) VALUES (?, ?, ?, ?)",
                      baseline, position, method.method, method.totalMeasured));
        const std::int64_t row = database.lastRow();
        ET_TRY(writeList("INSERT INTO run VALUES (?, ?, ?)", row, method.total));
        for (std::size_t i = 0; i < method.operators.size(); ++i) {
            ET_TRY(writeOperator(row, i, method.operators[i]));
        }
        return {};
    }

    Result<> writeOperator(std::int64_t method, std::size_t position, const OperatorTimes& times) {
        if (!addOperator) {
            ET_ASSIGN(addOperator,
                      database.prepare("INSERT INTO operator (method, position, name, kind, backend, "
                                       "chain, instruction, module) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
            ET_ASSIGN(addSample, database.prepare("INSERT INTO sample VALUES (?, ?, ?)"));
        }
        ET_TRY(addOperator->run(method, position, times.name, inspector::name(times.kind), times.backend,
                                times.chain, times.instruction.value, times.module));
        const std::int64_t row = database.lastRow();
        for (std::size_t run = 0; run < times.samples.size(); ++run) {
            ET_TRY(addSample->run(row, run, times.samples[run]));
        }
        std::vector<std::int64_t> handles;
        for (const core::DebugHandle handle : times.handles) {
            handles.push_back(handle.value);
        }
        ET_TRY(writeList("INSERT INTO operator_handle VALUES (?, ?, ?)", row, handles));
        return writeList("INSERT INTO operator_node VALUES (?, ?, ?)", row, times.nodes);
    }

    /// Values at positions 0, 1, ... of an owner.
    template <class T>
    Result<> writeList(std::string_view sql, std::int64_t owner, const std::vector<T>& values) {
        if (values.empty()) {
            return {};
        }
        ET_ASSIGN(Statement statement, database.prepare(sql));
        for (std::size_t i = 0; i < values.size(); ++i) {
            ET_TRY(statement.run(owner, i, values[i]));
        }
        return {};
    }

    Result<> writeOutputs(std::int64_t baseline, const std::vector<OutputSummary>& outputs) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const OutputSummary& output = outputs[i];
            ET_TRY(insert("INSERT INTO output VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", baseline, i,
                          output.method, output.index, output.type, output.checksum, output.elements,
                          output.nonFinite, output.minimum, output.maximum, output.mean));
        }
        return {};
    }

    Database& database;
    std::optional<Statement> addOperator;
    std::optional<Statement> addSample;
};

}  // namespace

Result<> writeBaseline(Database& database, std::string_view name, const Measurement& measurement) {
    return BaselineWriter(database).write(name, measurement);
}

}  // namespace et::inspector::store

#include "inspector/store/baseline_io.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
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

/// The prepared statements of one save.
class BaselineWriter {
  public:
    explicit BaselineWriter(Connection& opened) : database(opened) {}

    Result<> write(std::string_view name, const Measurement& measurement) {
        std::optional<std::int64_t> machine;
        if (measurement.machine) {
            ET_ASSIGN(machine, machineRow(*measurement.machine));
        }
        ET_ASSIGN(Statement add,
                  database.prepare("INSERT INTO baseline (name, created, origin, cycles, machine) "
                                   "VALUES (?, ?, ?, ?, ?) RETURNING id"));
        ET_ASSIGN(const std::int64_t baseline,
                  add.returned(name, timeNow(), measurement.name, measurement.cycles, machine));
        ET_TRY(writeInfo(baseline, measurement));
        for (std::size_t i = 0; i < measurement.methods.size(); ++i) {
            ET_TRY(writeMethod(baseline, i, measurement.methods[i]));
        }
        for (auto& [table, adder] : lists) {
            ET_TRY(adder.finish());
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
        ET_TRY(insert("INSERT INTO machine (cpu, cores, system) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                      machine.cpu, machine.cores, machine.system));
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
        ET_ASSIGN(Statement add,
                  database.prepare("INSERT INTO method (baseline, position, name, total_measured) "
                                   "VALUES (?, ?, ?, ?) RETURNING id"));
        ET_ASSIGN(const std::int64_t row,
                  add.returned(baseline, position, method.method, method.totalMeasured));
        ET_TRY(writeList("run", {"method", "position", "time"}, row, method.total));
        for (std::size_t i = 0; i < method.operators.size(); ++i) {
            ET_TRY(writeOperator(row, i, method.operators[i]));
        }
        return {};
    }

    Result<> writeOperator(std::int64_t method, std::size_t position, const OperatorTimes& times) {
        if (!addOperator) {
            ET_ASSIGN(addOperator,
                      database.prepare("INSERT INTO operator (method, position, name, kind, backend, chain, "
                                       "instruction, module) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
        }
        ET_ASSIGN(const std::int64_t row,
                  addOperator->returned(method, position, times.name, inspector::name(times.kind),
                                        times.backend, times.chain, times.instruction.value, times.module));
        std::vector<std::int64_t> handles;
        for (const core::DebugHandle handle : times.handles) {
            handles.push_back(handle.value);
        }
        ET_TRY(writeList("sample", {"operator", "run", "time"}, row, times.samples));
        ET_TRY(writeList("operator_handle", {"operator", "position", "handle"}, row, handles));
        return writeList("operator_node", {"operator", "position", "name"}, row, times.nodes);
    }

    /// Writes the values of an owner with positions 0, 1, ...
    template <class T>
    Result<> writeList(std::string_view table, const std::array<std::string_view, 3>& columns,
                       std::int64_t owner, const std::vector<T>& values) {
        auto found = lists.find(table);
        if (found == lists.end()) {
            ET_ASSIGN(Statement adder, database.adder(table, columns));
            found = lists.emplace(table, std::move(adder)).first;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            ET_TRY(found->second.run(owner, i, values[i]));
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

    Connection& database;
    std::optional<Statement> addOperator;
    std::map<std::string_view, Statement> lists;  ///< insert statements, by table
};

}  // namespace

Result<> writeBaseline(Connection& database, std::string_view name, const Measurement& measurement) {
    return BaselineWriter(database).write(name, measurement);
}

}  // namespace et::inspector::store

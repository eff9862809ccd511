#include "inspector/store/baseline_io.h"
#include "inspector/store/row_reader.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::Result;

/// Maximum number of values of all kinds in a baseline, since a foreign file may claim any number.
constexpr std::size_t maxValues = 50'000'000;

/// Reads one baseline with full validation, because the file is untrusted.
class BaselineReader : RowReader {
  public:
    BaselineReader(Connection& opened, std::int64_t row) : RowReader(opened), baseline(row) {}

    Result<Measurement> read() {
        Measurement measurement{.source = MeasurementSource::Baseline};
        ET_TRY(readHead(measurement));
        ET_TRY(readInfo(measurement));
        ET_TRY(readMethods(measurement));
        ET_TRY(readOutputs(measurement));
        return measurement;
    }

  private:
    /// Calls `take` for each row of a query whose only parameter is `owner`.
    template <class Take>
    Result<> each(std::string_view sql, std::int64_t owner, Take take) {
        return RowReader::each(
            sql,
            [&](const Statement& row) -> Result<> {
                if (++values > maxValues) {
                    return damaged(database, "baseline",
                                   fmt::format("expected at most {} values in a baseline", maxValues),
                                   ErrorCode::Limit);
                }
                return take(row);
            },
            owner);
    }

    Result<> readHead(Measurement& measurement) {
        return each(
            "SELECT b.name, b.cycles, m.cpu, m.cores, m.system FROM baseline b LEFT JOIN machine m ON m.id "
            "= b.machine WHERE b.id = ?",
            baseline, [&](const Statement& row) -> Result<> {
                measurement.name = row.text(0);
                measurement.cycles = row.integer(1) != 0;
                if (!row.isNull(2)) {
                    ET_ASSIGN(const std::uint64_t cores, countOf(row, 3, "machine.cores"));
                    measurement.machine = Machine{
                        .cpu = std::string(row.text(2)), .cores = cores, .system = std::string(row.text(4))};
                }
                return {};
            });
    }

    Result<> readInfo(Measurement& measurement) {
        ET_TRY(each(
            "SELECT method, threads, warmup, iterations, warmup_detected, inputs, seed, load_ns, peak_bytes "
            "FROM settings WHERE baseline = ?",
            baseline, [&](const Statement& row) { return readSettings(row, measurement); }));
        ET_TRY(each(
            "SELECT sha256, bytes, planned_bytes, delegates, instructions FROM program WHERE baseline = ?",
            baseline, [&](const Statement& row) { return readProgram(row, measurement); }));
        return each("SELECT message FROM warning WHERE baseline = ? ORDER BY position", baseline,
                    [&](const Statement& row) -> Result<> {
                        measurement.warnings.emplace_back(row.text(0));
                        return {};
                    });
    }

    Result<> readSettings(const Statement& row, Measurement& measurement) const {
        RunSettings settings{.method = std::string(row.text(0)), .inputs = std::string(row.text(5))};
        settings.warmupDetected = row.integer(4) != 0;
        ET_ASSIGN(settings.threads, countOf(row, 1, "settings.threads"));
        ET_ASSIGN(settings.warmup, countOf(row, 2, "settings.warmup"));
        ET_ASSIGN(settings.iterations, countOf(row, 3, "settings.iterations"));
        settings.seed = static_cast<std::uint64_t>(row.integer(6));  // uses all 64 bits
        ET_ASSIGN(settings.loadNanoseconds, countOf(row, 7, "settings.load_ns"));
        ET_ASSIGN(settings.peakBytes, countOf(row, 8, "settings.peak_bytes"));
        measurement.settings = std::move(settings);
        return {};
    }

    Result<> readProgram(const Statement& row, Measurement& measurement) const {
        ProgramIdentity program{.sha256 = std::string(row.text(0))};
        ET_ASSIGN(program.bytes, countOf(row, 1, "program.bytes"));
        ET_ASSIGN(program.plannedBytes, countOf(row, 2, "program.planned_bytes"));
        ET_ASSIGN(program.delegates, countOf(row, 3, "program.delegates"));
        ET_ASSIGN(program.instructions, countOf(row, 4, "program.instructions"));
        measurement.program = std::move(program);
        return {};
    }

    Result<> readTimes(std::string_view sql, std::int64_t owner, const char* field,
                       std::vector<double>& times) {
        return each(sql, owner, [&](const Statement& row) -> Result<> {
            ET_ASSIGN(const double time, timeOf(row, 0, field));
            times.push_back(time);
            return {};
        });
    }

    Result<> readMethods(Measurement& measurement) {
        std::vector<std::int64_t> rows;
        ET_TRY(each("SELECT id, name, total_measured FROM method WHERE baseline = ? ORDER BY position",
                    baseline, [&](const Statement& row) -> Result<> {
                        rows.push_back(row.integer(0));
                        measurement.methods.push_back({.method = std::string(row.text(1)),
                                                       .total = {},
                                                       .totalMeasured = row.integer(2) != 0});
                        return {};
                    }));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ET_TRY(readMethod(rows[i], measurement.methods[i]));
        }
        return {};
    }

    Result<> readMethod(std::int64_t id, MethodTimes& method) {
        ET_TRY(readTimes("SELECT time FROM run WHERE method = ? ORDER BY position", id, "run.time",
                         method.total));
        std::vector<std::int64_t> rows;
        ET_TRY(
            each("SELECT id, name, kind, backend, chain, instruction, module FROM operator WHERE method = ? "
                 "ORDER BY "
                 "position",
                 id, [&](const Statement& row) -> Result<> {
                     rows.push_back(row.integer(0));
                     ET_ASSIGN(OperatorTimes times, readOperator(row));
                     method.operators.push_back(std::move(times));
                     return {};
                 }));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ET_TRY(readLists(rows[i], method.operators[i]));
        }
        return {};
    }

    [[nodiscard]] Result<OperatorTimes> readOperator(const Statement& row) const {
        ET_ASSIGN(const OperatorKind kind, kindOf(row, 2, "operator.kind"));
        const std::int64_t instruction = row.integer(5);
        if (instruction < -1 || instruction > std::numeric_limits<std::int32_t>::max()) {
            return damaged(database, "operator.instruction",
                           fmt::format("expected an instruction index, got {}", instruction));
        }
        return OperatorTimes{.name = std::string(row.text(1)),
                             .kind = kind,
                             .backend = std::string(row.text(3)),
                             .chain = row.integer(4),
                             .instruction = core::InstructionId(static_cast<std::int32_t>(instruction)),
                             .module = std::string(row.text(6))};
    }

    Result<> readLists(std::int64_t id, OperatorTimes& times) {
        ET_TRY(readTimes("SELECT time FROM sample WHERE operator = ? ORDER BY run", id, "sample.time",
                         times.samples));
        ET_TRY(each("SELECT handle FROM operator_handle WHERE operator = ? ORDER BY position", id,
                    [&](const Statement& row) -> Result<> {
                        times.handles.emplace_back(row.integer(0));
                        return {};
                    }));
        return each("SELECT name FROM operator_node WHERE operator = ? ORDER BY position", id,
                    [&](const Statement& row) -> Result<> {
                        times.nodes.emplace_back(row.text(0));
                        return {};
                    });
    }

    Result<> readOutputs(Measurement& measurement) {
        return each(
            "SELECT method, number, type, checksum, elements, non_finite, minimum, maximum, mean FROM output "
            "WHERE baseline = ? ORDER BY position",
            baseline, [&](const Statement& row) -> Result<> {
                OutputSummary output{.method = std::string(row.text(0)),
                                     .type = std::string(row.text(2)),
                                     .checksum = std::string(row.text(3)),
                                     .minimum = row.optionalReal(6),
                                     .maximum = row.optionalReal(7),
                                     .mean = row.optionalReal(8)};
                ET_ASSIGN(output.index, countOf(row, 1, "output.number"));
                ET_ASSIGN(output.elements, countOf(row, 4, "output.elements"));
                ET_ASSIGN(output.nonFinite, countOf(row, 5, "output.non_finite"));
                measurement.outputs.push_back(std::move(output));
                return {};
            });
    }

    std::int64_t baseline;
    std::size_t values = 0;
};

}  // namespace

Result<Measurement> readBaseline(Connection& database, std::int64_t baseline) {
    return BaselineReader(database, baseline).read();
}

}  // namespace et::inspector::store

#include "app/tasks/trend/runner_lines.h"

#include "app/devices/runner_log.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::MethodTimes;

constexpr std::string_view runnerMark = "PyTorchObserver {";
constexpr std::size_t maxRunnerBytes = std::size_t{64} << 20;

/// The fields of one line.
class RunnerLine {
  public:
    RunnerLine(const simdjson::dom::element& from, std::size_t number) : element(from), line(number) {}

    /// Reads the time unit, a fraction of a second; ours are nanoseconds.
    Result<> readScale() {
        constexpr double nanosecondsPerSecond = 1e9;
        ET_ASSIGN(const std::int64_t parts, count("SCALING_FACTOR_UNITS_PER_SECOND"));
        if (parts == 0) {
            return wrong("SCALING_FACTOR_UNITS_PER_SECOND", "a number above 0");
        }
        unit = nanosecondsPerSecond / static_cast<double>(parts);
        return {};
    }

    [[nodiscard]] Result<std::int64_t> count(std::string_view field) const {
        std::int64_t found = 0;
        if (element.at_key(field).get(found) != simdjson::SUCCESS || found < 0) {
            return wrong(field, "a non-negative integer");
        }
        return found;
    }

    /// Nanoseconds from one field to another.
    [[nodiscard]] Result<double> between(std::string_view from, std::string_view to) const {
        ET_ASSIGN(const std::int64_t start, count(from));
        ET_ASSIGN(const std::int64_t end, count(to));
        if (end < start) {
            return wrong(to, fmt::format("a time of at least {}, the value of {}", start, from));
        }
        return static_cast<double>(end - start) * unit;
    }

  private:
    [[nodiscard]] std::unexpected<core::Error> wrong(std::string_view field,
                                                     std::string_view expected) const {
        return fail(ErrorCode::Format, fmt::format("expected {}", expected),
                    {.field = fmt::format("line {}: {}", line, field)});
    }

    simdjson::dom::element element;
    std::size_t line;
    double unit = 0;
};

struct RunnerTimes {
    MethodTimes load{.method = "load"};
    MethodTimes prefill{.method = "prefill"};
    MethodTimes decode{.method = "decode"};

    Result<> add(const RunnerLine& line) {
        ET_ASSIGN(const std::int64_t prompt, line.count("prompt_tokens"));
        ET_ASSIGN(const std::int64_t generated, line.count("generated_tokens"));
        ET_ASSIGN(const double loading, line.between("model_load_start_ms", "model_load_end_ms"));
        ET_ASSIGN(const double prefilling, line.between("inference_start_ms", "prompt_eval_end_ms"));
        ET_ASSIGN(const double decoding, line.between("prompt_eval_end_ms", "inference_end_ms"));
        load.total.push_back(loading);
        if (prompt > 0) {
            prefill.total.push_back(prefilling / static_cast<double>(prompt));
        }
        if (generated > 0) {
            decode.total.push_back(decoding / static_cast<double>(generated));
        }
        return {};
    }

    /// Adds a log of executor_runner; returns the times of its method.
    MethodTimes addLog(const devices::RunnerLog& log) {
        MethodTimes method{.method = log.method.empty() ? "forward" : log.method};
        if (!log.executionNanoseconds.empty()) {
            load.total.insert(load.total.end(), log.loadNanoseconds.begin(), log.loadNanoseconds.end());
            method.total = log.executionNanoseconds;
        }
        return method;
    }
};

}  // namespace

bool hasRunnerLines(core::Bytes bytes) {
    return core::textOf(bytes).contains(runnerMark) ||
           !devices::readRunnerLog(core::textOf(bytes)).executionNanoseconds.empty();
}

Result<inspector::Measurement> readRunnerLines(core::Bytes bytes) {
    if (bytes.size() > maxRunnerBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("expected at most {} bytes, got {}", maxRunnerBytes, bytes.size()));
    }
    simdjson::dom::parser parser;
    RunnerTimes times;
    std::size_t number = 0;
    for (std::string_view rest = core::textOf(bytes); !rest.empty();) {
        ++number;
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        const std::size_t mark = line.find(runnerMark);
        if (mark == std::string_view::npos) {
            continue;
        }
        line.remove_prefix(mark + runnerMark.size() - 1);
        line = line.substr(0, line.rfind('}') + 1);  // may contain terminal colours
        simdjson::dom::element root;
        if (const auto error = parser.parse(line.data(), line.size()).get(root)) {
            return fail(ErrorCode::Format, fmt::format("invalid JSON: {}", simdjson::error_message(error)),
                        {.field = fmt::format("line {}", number)});
        }
        RunnerLine statistics(root, number);
        ET_TRY(statistics.readScale());
        ET_TRY(times.add(statistics));
    }
    MethodTimes method = times.addLog(devices::readRunnerLog(core::textOf(bytes)));
    inspector::Measurement measurement{.source = inspector::MeasurementSource::Program};
    for (MethodTimes* const each : {&times.load, &times.prefill, &times.decode, &method}) {
        if (!each->total.empty()) {
            measurement.methods.push_back(std::move(*each));
        }
    }
    return measurement;
}

}  // namespace et::tasks

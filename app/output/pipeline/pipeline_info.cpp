#include "app/output/pipeline/pipeline_info.h"

#include "inspector/events/tensor_summary.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using tasks::AcceptanceRates;
using tasks::CallTimes;
using tasks::PipelineResult;
using tasks::ProgramMemory;
using tasks::StageTimes;

double inMilliseconds(std::uint64_t nanoseconds) {
    constexpr double each = 1e6;
    return static_cast<double>(nanoseconds) / each;
}

std::uint64_t middleOf(std::vector<std::uint64_t> times) {
    if (times.empty()) {
        return 0;
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

double hostShare(std::uint64_t program, std::uint64_t host) {
    return program + host == 0 ? 0 : static_cast<double>(host) / static_cast<double>(program + host);
}

Table stageTable(const PipelineResult& result) {
    Table table{.columns = {textColumn("stage"), textColumn("runs"), numberColumn("calls"),
                            numberColumn("program_ms", "program (ms)", Measure::Milliseconds),
                            numberColumn("host_ms", "host (ms)", Measure::Milliseconds),
                            numberColumn("share", "share (%)", Measure::Percent)},
                .indexed = false};
    const std::uint64_t all = result.programNanoseconds() + result.hostNanoseconds();
    for (const StageTimes& stage : result.stages) {
        const std::uint64_t program = stage.programNanoseconds();
        const std::uint64_t host = stage.hostNanoseconds();
        constexpr double percent = 100;
        table.rows.push_back(
            {stage.path, stage.program.empty() ? stage.action : stage.program,
             std::uint64_t{stage.calls.size()}, inMilliseconds(program), inMilliseconds(host),
             all == 0 ? 0.0 : percent * static_cast<double>(program + host) / static_cast<double>(all)});
    }
    return table;
}

Dict tensorDict(const std::string& name, const tasks::ReferenceTensor& tensor) {
    Dict info{{"name", name},
              {"dtype", core::scalarTypeName(tensor.view.dtype())},
              {"sizes", std::vector<std::int64_t>(tensor.view.sizes().begin(), tensor.view.sizes().end())}};
    std::ranges::move(inspector::events::elementStatistics(static_cast<std::int8_t>(tensor.view.dtype()),
                                                           tensor.view.rawBytes()),
                      std::back_inserter(info));
    return info;
}

std::string outputsText(const PipelineResult& result) {
    std::string text = result.outputNames.empty() ? "" : "outputs:\n";
    for (const std::string& name : result.outputNames) {
        const tasks::ReferenceTensor& tensor = result.outputs.at(name);
        text += fmt::format("  {}: {}", core::printable(name), core::describe(tensor.view));
        for (const auto& [key, cell] : tensorDict(name, tensor)) {
            if (const auto number = cellNumber(cell); number && key != "elements") {
                text += fmt::format(", {} {:.6g}", key, *number);
            }
        }
        text += "\n";
    }
    return text;
}

std::string memoryText(const PipelineResult& result) {
    const auto sum = [&](std::uint64_t ProgramMemory::* part) {
        return std::accumulate(
            result.memory.begin(), result.memory.end(), std::uint64_t{0},
            [&](std::uint64_t all, const ProgramMemory& each) { return all + each.*part; });
    };
    const std::size_t programs = result.memory.size();
    return fmt::format(
        "memory of {} program{}: {} planned, {} constants, {} packed weights, {} temporary{}\n", programs,
        plural(programs), readableBytes(sum(&ProgramMemory::planned)),
        readableBytes(sum(&ProgramMemory::constants)), readableBytes(sum(&ProgramMemory::packed)),
        readableBytes(sum(&ProgramMemory::workspace)),
        result.peakResident == 0
            ? ""
            : fmt::format("; peak of the process {}", readableBytes(result.peakResident)));
}

std::string ratesText(const AcceptanceRates& rates) {
    std::string text = fmt::format(
        "{}: {} tokens in {} rounds, {:.2f} per round; accepted by position:", core::printable(rates.stage),
        rates.tokens, rates.rounds,
        static_cast<double>(rates.tokens) / static_cast<double>(std::max(rates.rounds, std::size_t{1})));
    for (std::size_t i = 0; i < rates.offered.size(); ++i) {
        text +=
            fmt::format("{} {} ({} of {})", i == 0 ? "" : ",",
                        readablePercent(rates.offered[i] == 0 ? 0
                                                              : static_cast<double>(rates.accepted[i]) /
                                                                    static_cast<double>(rates.offered[i])),
                        rates.accepted[i], rates.offered[i]);
    }
    return text + "\n";
}

Dict callDict(const CallTimes& call) {
    return {{"iteration", call.iteration},
            {"program", inMilliseconds(middleOf(call.program))},
            {"host", inMilliseconds(middleOf(call.host))}};
}

Dict ratesDict(const AcceptanceRates& rates) {
    return {{"stage", rates.stage},
            {"rounds", std::uint64_t{rates.rounds}},
            {"tokens", std::uint64_t{rates.tokens}},
            {"offered", std::vector<std::uint64_t>(rates.offered.begin(), rates.offered.end())},
            {"accepted", std::vector<std::uint64_t>(rates.accepted.begin(), rates.accepted.end())}};
}

Dict memoryDict(const ProgramMemory& memory) {
    return {{"program", memory.name},         {"file", memory.file.string()},
            {"file_bytes", memory.fileBytes}, {"planned", memory.planned},
            {"constants", memory.constants},  {"packed_weights", memory.packed},
            {"temporary", memory.workspace},  {"load", inMilliseconds(memory.loadNanoseconds)}};
}

}  // namespace

Table pipelineCalls(const PipelineResult& result) {
    Table table{.columns = {textColumn("stage"), textColumn("iteration"), textColumn("runs"),
                            numberColumn("program_ms", "program (ms)", Measure::Milliseconds),
                            numberColumn("host_ms", "host (ms)", Measure::Milliseconds)},
                .indexed = false};
    for (const StageTimes& stage : result.stages) {
        for (const CallTimes& call : stage.calls) {
            table.rows.push_back(
                {stage.path, call.iteration, stage.program.empty() ? stage.action : stage.program,
                 inMilliseconds(middleOf(call.program)), inMilliseconds(middleOf(call.host))});
        }
    }
    return table;
}

std::string firstCallsText(Table calls, Style style) {
    constexpr std::size_t shown = 40;
    const std::size_t count = calls.rows.size();
    calls.rows.resize(std::min(shown, count));
    std::string text = render(calls, Format::Table, style);
    if (count > shown) {
        text += fmt::format("{} more calls (--format csv lists all)\n", count - shown);
    }
    return text;
}

std::string pipelineText(const PipelineResult& result, bool byIteration, Style style) {
    const std::uint64_t program = result.programNanoseconds();
    const std::uint64_t host = result.hostNanoseconds();
    const std::size_t calls =
        std::accumulate(result.stages.begin(), result.stages.end(), std::size_t{0},
                        [](std::size_t sum, const StageTimes& stage) { return sum + stage.calls.size(); });
    std::string text =
        fmt::format("{}: {} stage call{} in {}, host {}\n", core::printable(result.name), calls,
                    plural(calls), readableTime(static_cast<double>(middleOf(result.totals))),
                    readablePercent(hostShare(program, host)));
    text += render(stageTable(result), Format::Table, style.withUnits());
    if (byIteration) {
        text += firstCallsText(pipelineCalls(result), style.withUnits());
    }
    text += outputsText(result) + memoryText(result);
    for (const AcceptanceRates& rates : result.acceptance) {
        text += ratesText(rates);
    }
    return text;
}

Dict pipelineInfo(const PipelineResult& result) {
    List stages;
    for (const StageTimes& stage : result.stages) {
        stages.emplace_back(Dict{{"stage", stage.path},
                                 {"program", stage.program.empty() ? Cell() : Cell(stage.program)},
                                 {stage.program.empty() ? "step" : "method", stage.action},
                                 {"program_time", inMilliseconds(stage.programNanoseconds())},
                                 {"host_time", inMilliseconds(stage.hostNanoseconds())},
                                 {"calls", listOf(stage.calls, callDict)}});
    }
    List outputs;
    for (const std::string& name : result.outputNames) {
        outputs.emplace_back(tensorDict(name, result.outputs.at(name)));
    }
    std::vector<double> totals;
    std::ranges::transform(result.totals, std::back_inserter(totals), inMilliseconds);
    const std::uint64_t program = result.programNanoseconds();
    const std::uint64_t host = result.hostNanoseconds();
    return {{"pipeline", result.name},
            {"times", totals},
            {"program_time", inMilliseconds(program)},
            {"host_time", inMilliseconds(host)},
            {"host_share", hostShare(program, host)},
            {"stages", std::move(stages)},
            {"outputs", std::move(outputs)},
            {"memory", listOf(result.memory, memoryDict)},
            {"peak_resident", result.peakResident},
            {"acceptance", listOf(result.acceptance, ratesDict)}};
}

}  // namespace et::output

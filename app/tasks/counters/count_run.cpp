#include "app/tasks/counters/count_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// The number in `file` of each folder in `parent` whose name begins with `prefix`.
std::vector<double> numbersIn(const fs::path& parent, std::string_view prefix, const fs::path& file) {
    std::vector<double> out;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(parent, ignored)) {
        double number = 0;
        if (entry.path().filename().string().starts_with(prefix) &&
            std::ifstream(entry.path() / file) >> number) {
            out.push_back(number);
        }
    }
    return out;
}

/// The name of an instruction.
std::string nameOf(const program::Method& method, CountedSite site) {
    const auto chain = static_cast<std::size_t>(site.chain);
    const auto at = static_cast<std::size_t>(site.instruction);
    if (chain >= method.chains.size() || at >= method.chains[chain].instructions.size()) {
        return fmt::format("instruction {}", at);
    }
    const program::Instruction& instruction = method.chains[chain].instructions[at];
    if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
        return method.op(kernel->op).fullName();
    }
    if (const auto* const call = std::get_if<program::DelegateCall>(&instruction)) {
        const std::size_t number = call->delegate.value;
        return fmt::format("delegate {} ({})", number, method.delegates[number].backend);
    }
    return std::string(program::instructionName(instruction));
}

CountedRow rowOf(const CountedInstruction& from, const CounterSet& counters, std::size_t runs) {
    const auto perRun = [&](double sum) { return sum / static_cast<double>(runs); };
    CountedRow row{.calls = perRun(static_cast<double>(from.calls)),
                   .nanoseconds = perRun(static_cast<double>(from.nanoseconds))};
    for (std::size_t i = 0; i < counterKinds; ++i) {
        if (counters.has(static_cast<Counter>(i))) {
            row.counted[i] = from.counted[i].scaled().transform(perRun);
        }
    }
    return row;
}

/// Time of one reading on this machine, the median of a few hundred.
double readingTime(const CounterSet& counters) {
    constexpr std::size_t tries = 301;
    std::vector<std::uint64_t> times(tries);
    for (std::uint64_t& time : times) {
        const std::uint64_t start = core::EventTracer::now();
        [[maybe_unused]] const CounterSet::Readings ignored = counters.read();
        time = core::EventTracer::now() - start;
    }
    std::ranges::nth_element(times, times.begin() + tries / 2);
    return static_cast<double>(times[tries / 2]);
}

void fill(CountReport& report, const CountingTracer& tracer, const CounterSet& counters,
          const program::Method& method) {
    report.runs = tracer.runs();
    CountedInstruction all;
    for (const auto& [site, counted] : tracer.instructions()) {
        CountedRow& row = report.rows.emplace_back(rowOf(counted, counters, report.runs));
        row.site = site;
        row.name = nameOf(method, site);
        all.calls += counted.calls;
        all.nanoseconds += counted.nanoseconds;
        for (std::size_t i = 0; i < counterKinds; ++i) {
            all.counted[i] += counted.counted[i];
        }
    }
    std::ranges::stable_sort(report.rows, std::greater{}, &CountedRow::nanoseconds);
    report.total = rowOf(all, counters, report.runs);
    for (const CounterReading& each : all.counted) {
        if (each.enabled > 0) {
            report.leastRunning = std::min(
                report.leastRunning, static_cast<double>(each.running) / static_cast<double>(each.enabled));
        }
    }
}

}  // namespace

MachineState machineState(const fs::path& system) {
    constexpr double thousandth = 1e-3;  // converts kHz, and thousandths of a degree
    MachineState out;
    const auto clocks = numbersIn(system / "devices/system/cpu", "cpu", "cpufreq/scaling_cur_freq");
    if (!clocks.empty()) {
        const auto [slowest, fastest] = std::ranges::minmax(clocks);
        out.slowestClock = slowest * thousandth;
        out.fastestClock = fastest * thousandth;
    }
    const auto degrees = numbersIn(system / "class/thermal", "thermal_zone", "temp");
    if (!degrees.empty()) {
        out.temperature = std::ranges::max(degrees) * thousandth;
    }
    return out;
}

CountReport reportOf(const std::filesystem::path& program, const Model& model, std::size_t threads,
                     const CountingTracer& tracer, const CounterSet& counters) {
    CountReport report{.file = program.string(),
                       .method = std::string(model.method->description().name),
                       .threads = threads,
                       .refusals = counters.refusals(),
                       .readingNanoseconds = readingTime(counters)};
    if (tracer.runs() > 0) {
        fill(report, tracer, counters, model.method->description());
    }
    return report;
}

Result<CountReport> countRun(const std::filesystem::path& program, const ModelOptions& options,
                             Repetitions repetitions, const CounterSet& counters, ProgressReporter& watch,
                             const std::function<void(std::string_view)>& note) {
    ET_ASSIGN(const std::unique_ptr<Model> model, Model::open(program, options, nullptr));
    ET_ASSIGN(const InputSet inputs, model->inputs(options, note));
    // One-time preparations of a traced method are not work of its operators.
    CountingTracer preparing(counters);
    model->method->setTracer(&preparing);
    ET_TRY(measure(*model, inputs, {.warmup = 0, .measured = 1}, nullptr, watch));
    const MachineState before = machineState();
    CountingTracer tracer(counters);
    if (repetitions.warmup == 0) {
        model->method->setTracer(&tracer);
    }
    auto ran = measure(*model, inputs, repetitions, &tracer, watch);
    model->method->setTracer(nullptr);
    ET_TRY(ran);
    if (tracer.runs() == 0) {
        return core::fail(core::ErrorCode::Cancelled, "ended early");
    }
    CountReport report = reportOf(program, *model, options.threads, tracer, counters);
    report.before = before;
    report.after = machineState();
    return report;
}

}  // namespace et::tasks

#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/run/bench_table.h"
#include "app/pages/run/run_info.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/watch.h"
#include "inspector/format/json_text.h"
#include "inspector/format/table.h"
#include "runtime/core/process_memory.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
namespace report = inspector::report;
using core::Result;
using report::Cell;
using report::Dict;
using report::List;

enum class BenchFormat : std::uint8_t { Table, Json };
constexpr std::array formats{Word{"table", BenchFormat::Table}, Word{"json", BenchFormat::Json}};

constexpr std::int64_t schema = 1;

/// The published method: warm-up, then measured executions, on one thread.
constexpr Repetitions published{.warmup = 10, .measured = 50};

/// Measures how fast models run.
class BenchVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "bench"; }
    [[nodiscard]] std::string_view summary() const override { return "Measure how fast models load and run"; }
    [[nodiscard]] std::string details() const override {
        return "The method that ExecuTorch's figures are published with: 10 executions to warm up, then 50 "
               "that "
               "count, on one thread. Inputs are given before the clock starts. 'first' is the first "
               "execution "
               "of all; the peak is that of the process while the model was there.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect bench model.pte", "Load time, median and the rest of one model"},
                {"et-inspect bench --threads 2 --format json a.pte b.pte",
                 "Two models side by side, for scripts"}};
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    /// Nothing: interrupted before any execution ended.
    [[nodiscard]] Result<std::optional<Dict>> benchModel(const fs::path& path, const Invocation& invocation,
                                                         Watch& watch) const;
    [[nodiscard]] std::string render(const List& models, const report::Style& style) const;

    std::vector<fs::path> paths;
    ModelOptions options;
    Repetitions repetitions = published;
    ProgressOptions progress;
    BenchFormat format = BenchFormat::Table;
    OutputOptions output;
};

void BenchVerb::addOptions(CLI::App& app) {
    app.add_option("MODEL", paths, "Programs (.pte) or bundled programs (.bpte)")
        ->type_name(fileValue)
        ->required();
    addModelOptions(app, options);
    addEmulationOptions(app, options);
    app.option_defaults()->group("Executions");
    addWhole(app, "--iterations", repetitions.measured, "Executions that count (default: 50)", 1);
    addWhole(app, "--warmup", repetitions.warmup, "Executions before those (default: 10)");
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How to print (default: table)");
    addOutputOptions(app, output);
    addProgressOptions(app, progress);
}

Result<std::optional<Dict>> BenchVerb::benchModel(const fs::path& path, const Invocation& invocation,
                                                  Watch& watch) const {
    watch.begin("load", 1);
    core::resetPeakResident();
    ET_ASSIGN(const std::unique_ptr<Model> model, Model::open(path, options, nullptr));
    const auto note = [&](std::string_view line) {
        if (path == paths.front()) {
            invocation.console.complain(line);
        }
    };
    if (const std::string emulated = model->emulation.note(); !emulated.empty()) {
        invocation.console.warn(fmt::format("{}: no measurement: {}", path.string(), emulated));
    }
    ET_ASSIGN(const InputSet inputs, model->inputs(options, note));
    ET_ASSIGN(const Timings timings, measure(*model, inputs, repetitions, nullptr, watch));
    if (timings.measured.empty()) {
        return std::nullopt;
    }
    Dict info{{"file", path.string()},
              {"method", std::string(model->method->description().name)},
              {"executions", static_cast<std::uint64_t>(timings.measured.size())},
              {"warmup", static_cast<std::uint64_t>(repetitions.warmup)},
              {"threads", static_cast<std::uint64_t>(model->threads.threads())},
              {"time_ms", timeInfo(timings)},
              {"instructions", timings.instructions},
              {"instructions_per_second", instructionRate(timings)},
              {"memory", memoryInfo(*model->method)}};
    if (!model->emulation.backends.empty()) {
        info.emplace_back("emulated", emulatedInfo(model->emulation));
    }
    return info;
}

std::string BenchVerb::render(const List& models, const report::Style& style) const {
    if (format == BenchFormat::Json) {
        std::string text;
        report::appendJson(text, Cell(Dict{{"schema", schema}, {"models", models}}));
        return text + "\n";
    }
    report::Style readable = style;
    readable.adaptUnits = true;
    return report::render(benchTable(models), report::Format::Table, readable);
}

Result<ExitCode> BenchVerb::run(const Invocation& invocation) {
    const InterruptionGuard guard;
    Watch watch(progress, options.timeoutSeconds);
    List models;
    ExitCode code = ExitCode::Fine;
    for (const fs::path& path : paths) {
        auto measured = benchModel(path, invocation, watch);
        if (measured && *measured) {
            models.emplace_back(**std::move(measured));
        }
        if (InterruptionGuard::requested()) {
            break;
        }
        if (!measured) {
            invocation.console.complain(measured.error().toString());
            code = worse(code, exitCode(measured.error().code));
        }
    }
    watch.finish();
    if (!models.empty()) {
        const std::string text = render(models, output.style(invocation.console));
        ET_TRY(deliver(invocation.console, output, producerOf(text), paths));
    }
    if (const InterruptionInfo& end = infoOf(InterruptionGuard::cause()); end.cause != Interruption::None) {
        std::uint64_t executions = 0;
        for (const Cell& model : models) {
            executions += std::get<std::uint64_t>(*find(std::get<Dict>(model), "executions"));
        }
        invocation.console.complain(fmt::format("{} after {} of {} executions", end.message, executions,
                                                repetitions.measured * paths.size()));
        return end.code;
    }
    return code;
}

}  // namespace

std::unique_ptr<Verb> makeBenchVerb() {
    return std::make_unique<BenchVerb>();
}

}  // namespace et::cli

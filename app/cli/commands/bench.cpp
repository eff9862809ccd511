#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/generate/bench_matrix.h"
#include "app/output/run/bench_table.h"
#include "app/output/run/option_cost_table.h"
#include "app/output/shapes/size_table.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/option_costs.h"
#include "app/tasks/compare/thread_curve.h"
#include "app/tasks/generate/language_bench.h"
#include "app/tasks/model/bench_files.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"
#include "app/tasks/run/run_settings.h"
#include "app/tasks/shapes/shapes_run.h"
#include "app/tasks/trend/bench_json.h"
#include "inspector/format/json_text.h"
#include "inspector/format/table.h"
#include "runtime/core/process_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::format::Dict;
using inspector::format::List;

/// Measures the execution time of models.
class BenchCommand final : public Command {
  public:
    BenchCommand() : Command("bench", "Measure load and run times of models") {}

    [[nodiscard]] std::string details() const override {
        return "Uses the method of ExecuTorch's published figures: 10 warm-up executions, then 50 measured "
               "ones, on one thread. Setting inputs is not measured. 'first' is the very first execution, in "
               "which delegates plan their memory; 'peak' is the peak memory of the process while the model "
               "was loaded. An ETRecord and external weights (.ptd) among the files are used for all models. "
               "Several values of --threads, without --dim and tokens, report the speedup of each and the "
               "operators that do not scale. --dim measures each size of a dynamic dimension in two launches "
               "(see 'shapes'). --prompt-tokens and --generate-tokens measure every combination of prompt "
               "length, number of generated tokens and --threads on generated tokens: 1 warm-up and 5 "
               "measured repetitions by default; ± is the standard deviation. --xnnpack-options loads and "
               "runs "
               "all models with each combination in turns; ratios compare with the default in the same turn.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect bench model.pte", "Measure load time, median and percentiles of one model"},
                {"et-inspect bench --threads 2 --format json a.pte b.pte", "Measure two models, for scripts"},
                {"et-inspect bench --threads 1,2,4 model.pte", "Show the speedup from more threads"},
                {"et-inspect bench model.pte model.etrecord --dim s0=1..128:16",
                 "Measure input sizes 1, 17, 33, ... 128"},
                {"et-inspect bench model.pte --xnnpack-options",
                 "Show the time and memory of XNNPACK's workspace sharing and weight cache"},
                {"et-inspect bench llama.pte --method prefill,decode", "Measure two methods of one program"},
                {"et-inspect bench llama.pte --prompt-tokens 16,128 --generate-tokens 32,128 --threads 1,2",
                 "Measure prefill and decode of a language model in tokens per second"}};
    }
    void addOptions(OptionList& list) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    /// Returns nothing if interrupted before the first execution ended.
    [[nodiscard]] Result<std::optional<Dict>> benchModel(const fs::path& path,
                                                         const tasks::ModelOptions& used,
                                                         const Invocation& invocation,
                                                         tasks::ProgressReporter& watch) const;
    [[nodiscard]] Result<tasks::ExitCode> benchModels(const Invocation& invocation,
                                                      tasks::ProgressReporter& watch);
    [[nodiscard]] std::string render(const List& models, const inspector::format::Style& style) const;
    [[nodiscard]] std::string renderMatrix(std::span<const tasks::BenchCell> cells,
                                           const inspector::format::Style& style) const;
    [[nodiscard]] Result<tasks::ExitCode> benchMatrix(const Invocation& invocation,
                                                      tasks::ProgressReporter& watch);
    [[nodiscard]] std::string renderCurves(std::span<const tasks::ThreadCurve> curves,
                                           const inspector::format::Style& style) const;
    [[nodiscard]] Result<tasks::ExitCode> benchThreads(const Invocation& invocation);
    [[nodiscard]] std::string renderSizes(std::span<const tasks::ShapesResult> models,
                                          const inspector::format::Style& style) const;
    [[nodiscard]] Result<tasks::ExitCode> benchSizes(const Invocation& invocation);
    [[nodiscard]] std::string renderOptions(std::span<const tasks::OptionCost> costs,
                                            const inspector::format::Style& style) const;
    [[nodiscard]] Result<tasks::ExitCode> benchOptions(const Invocation& invocation,
                                                       tasks::ProgressReporter& watch);
    [[nodiscard]] inspector::format::Format tableFormat() const {
        return format == OutputFormat::Markdown ? inspector::format::Format::Markdown
                                                : inspector::format::Format::Table;
    }

    tasks::BenchSettings bench;
    std::vector<fs::path> paths;  ///< the model files among the arguments
    tasks::ProgressOptions progress;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
};

void BenchCommand::addOptions(OptionList& list) {
    tasks::addBenchOptions(list, bench);
    list.group("Output");
    addFormat(list, format,
              {OutputFormat::Table, OutputFormat::Json, OutputFormat::Csv, OutputFormat::Markdown});
    addOutputOptions(list, output);
    addProgressOptions(list, progress);
}

Result<std::optional<Dict>> BenchCommand::benchModel(const fs::path& path, const tasks::ModelOptions& used,
                                                     const Invocation& invocation,
                                                     tasks::ProgressReporter& watch) const {
    watch.begin("load", 1);
    core::resetPeakResident();
    ET_ASSIGN(const std::unique_ptr<tasks::Model> model, tasks::Model::open(path, used, nullptr));
    const auto note = [&](std::string_view line) {
        if (path == paths.front()) {
            invocation.console.complain(line);
        }
    };
    if (const std::string emulated = model->emulation.note(); !emulated.empty()) {
        invocation.console.warn(fmt::format("{}: not a valid measurement: {}", path.string(), emulated));
    }
    ET_ASSIGN(const tasks::InputSet inputs, model->inputs(used, note));
    ET_ASSIGN(const tasks::Timings timings,
              tasks::measure(*model, inputs, bench.repetitions, nullptr, watch));
    if (timings.measured.empty()) {
        return std::nullopt;
    }
    return output::benchInfo(path.string(), *model, timings, bench.repetitions);
}

std::string BenchCommand::render(const List& models, const inspector::format::Style& style) const {
    if (format == OutputFormat::Json) {
        return inspector::format::jsonDocument(tasks::benchSchema, {{"models", models}});
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::benchCsvTable(models), inspector::format::Format::Csv);
    }
    return inspector::format::render(output::benchTable(models), tableFormat(), style.withUnits());
}

std::string BenchCommand::renderMatrix(std::span<const tasks::BenchCell> cells,
                                       const inspector::format::Style& style) const {
    if (format == OutputFormat::Json) {
        return output::matrixJson(cells);
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::matrixTable(cells, false), inspector::format::Format::Csv);
    }
    return inspector::format::render(output::matrixTable(cells, true), tableFormat(), style);
}

Result<tasks::ExitCode> BenchCommand::benchMatrix(const Invocation& invocation,
                                                  tasks::ProgressReporter& watch) {
    const auto orElse = [](const std::vector<std::size_t>& given, std::size_t usual) {
        return given.empty() ? std::vector{usual} : given;
    };
    tasks::BenchMatrix matrix{.promptTokens = orElse(bench.promptTokens, 0),
                              .generateTokens = orElse(bench.generateTokens, 0),
                              .threads = orElse(bench.threadCounts, bench.model.threads)};
    // A repetition generates a whole text.
    matrix.repetitions.measured = bench.repetitions.measured == tasks::BenchSettings::published.measured
                                      ? matrix.repetitions.measured
                                      : bench.repetitions.measured;
    matrix.repetitions.warmup = bench.repetitions.warmup == tasks::BenchSettings::published.warmup
                                    ? matrix.repetitions.warmup
                                    : bench.repetitions.warmup;
    std::vector<tasks::BenchCell> cells;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    for (const fs::path& path : paths) {
        auto measured = tasks::benchLanguage(path, bench.model, matrix, watch);
        if (measured) {
            std::ranges::move(*measured, std::back_inserter(cells));
        } else {
            invocation.console.complain(measured.error().toString());
            code = tasks::worse(code, tasks::exitCode(measured.error().code));
        }
        if (tasks::InterruptionGuard::requested()) {
            break;
        }
    }
    watch.finish();
    if (!cells.empty()) {
        const std::string text = renderMatrix(cells, output.style(invocation.console));
        ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), bench.files));
    }
    return unlessInterrupted(invocation.console, code);
}

std::string BenchCommand::renderCurves(std::span<const tasks::ThreadCurve> curves,
                                       const inspector::format::Style& style) const {
    if (format == OutputFormat::Json) {
        return output::threadCurveJson(curves);
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::threadCurveTable(curves), inspector::format::Format::Csv);
    }
    const std::string table =
        inspector::format::render(output::threadCurveTable(curves), tableFormat(), style.withUnits());
    return format == OutputFormat::Table ? table + output::notScalingText(curves) : table;
}

/// Measures each number of threads in a separate process.
Result<tasks::ExitCode> BenchCommand::benchThreads(const Invocation& invocation) {
    std::vector<tasks::ThreadCurve> curves;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    for (const fs::path& path : paths) {
        auto curve =
            tasks::measureThreadCurve(path, bench.model, bench.threadCounts, bench.repetitions, progress);
        if (curve) {
            curves.push_back(*std::move(curve));
        } else {
            invocation.console.complain(curve.error().toString());
            code = tasks::worse(code, tasks::exitCode(curve.error().code));
        }
        if (tasks::InterruptionGuard::requested()) {
            break;
        }
    }
    if (!curves.empty()) {
        const std::string text = renderCurves(curves, output.style(invocation.console));
        ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), bench.files));
    }
    return unlessInterrupted(invocation.console, code);
}

std::string BenchCommand::renderSizes(std::span<const tasks::ShapesResult> models,
                                      const inspector::format::Style& style) const {
    if (format == OutputFormat::Json) {
        return inspector::format::jsonDocument(tasks::benchSchema, output::sizesInfo(models));
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::sizeTable(models), inspector::format::Format::Csv);
    }
    const std::string table =
        inspector::format::render(output::sizeTable(models), tableFormat(), style.withUnits());
    return format == OutputFormat::Table ? table + output::growthLines(models) : table;
}

/// Measures each size in separate processes.
Result<tasks::ExitCode> BenchCommand::benchSizes(const Invocation& invocation) {
    tasks::ShapesSettings settings{.model = {}, .options = bench.model, .ranges = bench.dims};
    settings.checks = false;
    settings.iterations = bench.repetitions.measured;
    settings.progress = progress;
    std::vector<tasks::ShapesResult> models;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    for (const fs::path& path : paths) {
        settings.model = path;
        auto measured = tasks::runShapes(settings);
        if (measured) {
            models.push_back(*std::move(measured));
        } else {
            invocation.console.complain(measured.error().toString());
            code = tasks::worse(code, tasks::exitCode(measured.error().code));
        }
        if (tasks::InterruptionGuard::requested()) {
            break;
        }
    }
    if (!models.empty()) {
        const std::string text = renderSizes(models, output.style(invocation.console));
        ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), bench.files));
    }
    return unlessInterrupted(invocation.console, code);
}

std::string BenchCommand::renderOptions(std::span<const tasks::OptionCost> costs,
                                        const inspector::format::Style& style) const {
    if (format == OutputFormat::Json) {
        return output::optionCostJson(costs);
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::optionCostTable(costs), inspector::format::Format::Csv);
    }
    return inspector::format::render(output::optionCostTable(costs), tableFormat(), style.withUnits());
}

/// Measures each combination of XNNPACK's options in this process.
Result<tasks::ExitCode> BenchCommand::benchOptions(const Invocation& invocation,
                                                   tasks::ProgressReporter& watch) {
    ET_ASSIGN(const auto costs,
              tasks::measureOptionCosts(paths, bench.model, bench.repetitions, watch,
                                        [&](std::string_view line) { invocation.console.complain(line); }));
    watch.finish();
    if (!costs.empty()) {
        const std::string text = renderOptions(costs, output.style(invocation.console));
        ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), bench.files));
    }
    return unlessInterrupted(invocation.console, tasks::ExitCode::Fine);
}

/// Measures every method of every model in this process.
Result<tasks::ExitCode> BenchCommand::benchModels(const Invocation& invocation,
                                                  tasks::ProgressReporter& watch) {
    List models;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    std::size_t planned = 0;
    tasks::ModelOptions used = bench.model;
    const std::vector<std::string> wanted =
        bench.methods.empty() ? std::vector<std::string>{""} : bench.methods;
    for (const fs::path& path : paths) {
        for (const std::string& method : wanted) {
            planned += bench.repetitions.measured;
            if (tasks::InterruptionGuard::requested()) {
                continue;
            }
            used.method = method;
            auto measured = benchModel(path, used, invocation, watch);
            if (!measured) {
                invocation.console.complain(measured.error().toString());
                code = tasks::worse(code, tasks::exitCode(measured.error().code));
            } else if (*measured) {
                models.emplace_back(std::move(**measured));
            }
        }
    }
    watch.finish();
    if (!models.empty()) {
        const std::string text = render(models, output.style(invocation.console));
        ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), bench.files));
    }
    return unlessInterrupted(
        invocation.console, code,
        fmt::format("after {} of {} executions", output::benchExecutions(models), planned));
}

Result<tasks::ExitCode> BenchCommand::run(const Invocation& invocation) {
    ET_ASSIGN(paths, tasks::sortBenchFiles(bench.files, bench.model));
    const bool hasTokens = !bench.promptTokens.empty() || !bench.generateTokens.empty();
    const bool isCurve = bench.threadCounts.size() > 1 && !hasTokens;
    if (bench.methods.size() > 1 && (!bench.dims.empty() || hasTokens || isCurve)) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            "--method: several methods cannot be combined with --dim, with tokens or with several --threads");
    }
    if (bench.xnnpackOptions && (hasTokens || isCurve || bench.methods.size() > 1)) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--xnnpack-options cannot be combined with tokens, several --threads or several "
                          "methods");
    }
    if (bench.methods.size() == 1) {
        bench.model.method = bench.methods.front();
    }
    // Sizes and curves are measured in processes that sandbox themselves; a sandbox here could not end them.
    if (!bench.dims.empty()) {
        if (bench.model.on.isRemote()) {
            return core::fail(core::ErrorCode::InvalidArgument, "--dim cannot be combined with --on");
        }
        const tasks::InterruptionGuard guard;
        return benchSizes(invocation);
    }
    if (isCurve) {
        const tasks::InterruptionGuard guard;
        return benchThreads(invocation);
    }
    ET_TRY(confineModel(invocation.console, bench.model, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, bench.model.timeoutSeconds, bench.model.executionSeconds);
    if (bench.xnnpackOptions) {
        return benchOptions(invocation, watch);
    }
    return hasTokens ? benchMatrix(invocation, watch) : benchModels(invocation, watch);
}

}  // namespace

const CommandFactory makeBenchCommand = newCommand<BenchCommand>;

}  // namespace et::cli

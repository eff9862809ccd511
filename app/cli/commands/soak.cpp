#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/memory_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/soak/soak_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/soak/soak_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

using tasks::NumberKind;
using Origin = std::optional<NumberKind>;

constexpr std::array origins{Choice<Origin>{"all", std::nullopt}, Choice<Origin>{"nan", NumberKind::Nan},
                             Choice<Origin>{"inf", NumberKind::Infinite},
                             Choice<Origin>{"denormal", NumberKind::Denormal},
                             Choice<Origin>{"saturated", NumberKind::Saturated}};
constexpr std::int64_t soakSchema = 1;

/// Runs a program repeatedly and reports differences between runs.
class SoakCommand final : public Command {
  public:
    SoakCommand() : Command("soak", "Run a program repeatedly, and find the operator whose results differ") {}

    [[nodiscard]] std::string details() const override {
        return "Every value written by an instruction is compared, bit by bit, with the first execution on "
               "the same inputs: in a method that is used again, after other inputs, loaded again, with "
               "several threads, and with other bytes in uninitialized memory. Only the first differing "
               "operator in execution order is reported, not those after it. Inputs are all cases of a "
               "bundled program (the first 16), or two random input sets. The origins of NaN, infinite and "
               "denormal values are also reported. The interval is that of Clopper and Pearson: 0 of 3000 "
               "means below 0.1 %. The exit code is 1 if anything differs, 6 for memory errors (--sanitize).";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect soak model.bpte", "Run 500 times"},
                {"et-inspect soak model.pte --time 60s --plugin ./libmine.so", "Test custom operators"},
                {"et-inspect soak model.pte --runs 2 --origin nan",
                 "Find the operator that produces the first NaN"},
                {"et-inspect soak device.etdp --debug-buffer device_debug.bin --origin inf",
                 "Find the first infinity in the values logged by a device"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] MemoryReport memoryReport() const;

    tasks::SoakSettings settings;
    std::filesystem::path debugBuffer;
    Origin origin;  ///< nothing: all except saturated values
    OutputFormat format = OutputFormat::Text;
    tasks::ProgressOptions progress;
};

void SoakCommand::addOptions(OptionList& options) {
    addSoakOptions(options, settings);
    options.group("Output");
    options
        .file("--debug-buffer", debugBuffer,
              "Run nothing: find the origin of suspicious values in the trace MODEL, from any device")
        .takesFiles({SessionFile::DebugBuffer})
        .accompanies();
    options.choice("--origin", origin, origins,
                   "Values to report the origin of (default: all except saturated ones)");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, progress);
}

MemoryReport SoakCommand::memoryReport() const {
    const auto arguments = tasks::argumentsOf(settings, &tasks::addSoakOptions, tasks::PathStyle::Absolute);
    return {.command = commandText("soak", arguments),
            .program = settings.model,
            .file = settings.memoryReport,
            .format = format};
}

Result<tasks::ExitCode> SoakCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    if (!debugBuffer.empty()) {
        ET_ASSIGN(const tasks::TracedOrigins traced, tasks::tracedOrigins(settings.model, debugBuffer));
        return fineAfter(
            console.out(format == OutputFormat::Json
                            ? inspector::format::jsonDocument(soakSchema, output::originsInfo(traced))
                            : output::originsText(traced, origin)));
    }
    ET_TRY(confineModel(console, settings.options, {.files = {settings.memoryReport}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.options.timeoutSeconds,
                                  settings.options.executionSeconds);
    const MemoryReport memory = memoryReport();
    if (settings.options.sanitize) {
        memory.watchCrashes(console);
    }
    auto soaked = tasks::soak(settings, watch);
    watch.finish();
    ET_ASSIGN(const tasks::SoakResult result, std::move(soaked));
    ET_TRY(console.out(format == OutputFormat::Json
                           ? inspector::format::jsonDocument(soakSchema, output::soakInfo(result))
                           : output::soakText(result, origin)));
    tasks::ExitCode code = result.differing > 0 ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine;
    if (result.memoryErrors) {
        ET_TRY(memory.deliver(console, *result.memoryErrors));
        code = MemoryReport::exitCode(*result.memoryErrors, code);
    }
    return unlessInterrupted(console, code, fmt::format("after {} executions", result.runs));
}

}  // namespace

const CommandFactory makeSoakCommand = newCommand<SoakCommand>;

}  // namespace et::cli

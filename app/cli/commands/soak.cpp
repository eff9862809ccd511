#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/output/soak/soak_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/soak/soak_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

enum class Origin : std::uint8_t { All, Nan, Inf, Denormal, Saturated };

constexpr std::array origins{Choice{"all", Origin::All}, Choice{"nan", Origin::Nan},
                             Choice{"inf", Origin::Inf}, Choice{"denormal", Origin::Denormal},
                             Choice{"saturated", Origin::Saturated}};
constexpr std::int64_t soakSchema = 1;

std::optional<tasks::NumberKind> kindOf(Origin origin) {
    return origin == Origin::All
               ? std::nullopt
               : std::optional(static_cast<tasks::NumberKind>(static_cast<std::size_t>(origin) - 1));
}

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
               "means below 0.1 %. The exit code is 1 if anything differs.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect soak model.bpte", "Run 500 times"},
                {"et-inspect soak model.pte --for 60s --plugin ./libmine.so", "Test custom operators"},
                {"et-inspect soak model.pte --runs 2 --origin nan",
                 "Find the operator that produces the first NaN"},
                {"et-inspect soak device.etdp --debug-buffer device_debug.bin --origin inf",
                 "Find the first infinity in the values logged by a device"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> readDuration();

    tasks::SoakSettings settings{.model = {}, .options = {}};
    std::string duration;
    std::filesystem::path debugBuffer;
    Origin origin = Origin::All;
    OutputFormat format = OutputFormat::Text;
    tasks::ProgressOptions progress;
};

void SoakCommand::addOptions(OptionList& options) {
    options
        .file("MODEL", settings.model,
              "Program (.pte) or bundled program (.bpte); with --debug-buffer, a trace (.etdp)")
        .mustBeGiven();
    addModelOptions(options, settings.options);
    addSandbox(options, settings.options);
    addTarget(options, settings.options);
    options.group("Executions");
    options.integer("--runs", settings.runs, "Number of rounds, of one to three executions (default: 500)",
                    1);
    options.text("--for TIME", duration, "Repeat for this time instead: 90s, 5m, 1h").notWith("--runs");
    options
        .integer("--soak-threads", settings.threads,
                 "Number of threads in multithreaded executions (default: 4)", 1)
        .atMost(64);
    options.group("Output");
    options.file("--debug-buffer", debugBuffer,
                 "Run nothing: find the origin of suspicious values in the trace MODEL, from any device");
    options.choice("--origin", origin, origins,
                   "Values to report the origin of (default: all except saturated ones)");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, progress);
}

Result<> SoakCommand::readDuration() {
    if (duration.empty()) {
        return {};
    }
    constexpr double minute = 60;
    constexpr double hour = 3600;
    const std::string_view units = "smh";
    const std::size_t unit = units.find(duration.back());
    const std::string number =
        unit == std::string_view::npos ? duration : duration.substr(0, duration.size() - 1);
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !std::isfinite(value) || value <= 0) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("--for: expected a time such as 90s, 5m or 1h, got \"{}\"",
                                      core::printable(duration)));
    }
    settings.seconds = value * (unit == 1 ? minute : unit == 2 ? hour : 1);
    return {};
}

Result<tasks::ExitCode> SoakCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    if (!debugBuffer.empty()) {
        ET_ASSIGN(const tasks::TracedOrigins traced, tasks::tracedOrigins(settings.model, debugBuffer));
        return fineAfter(
            console.out(format == OutputFormat::Json
                            ? inspector::format::jsonDocument(soakSchema, output::originsInfo(traced))
                            : output::originsText(traced, kindOf(origin))));
    }
    ET_TRY(readDuration());
    ET_TRY(confineModel(console, settings.options, {}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.options.timeoutSeconds,
                                  settings.options.executionSeconds);
    auto soaked = tasks::soak(settings, watch);
    watch.finish();
    ET_ASSIGN(const tasks::SoakResult result, std::move(soaked));
    std::string text;
    if (format == OutputFormat::Json) {
        text = inspector::format::jsonDocument(soakSchema, output::soakInfo(result));
    } else {
        text = output::soakText(result, kindOf(origin));
    }
    ET_TRY(console.out(text));
    const tasks::InterruptionInfo& end = tasks::infoOf(tasks::InterruptionGuard::cause());
    if (end.cause != tasks::Interruption::None) {
        console.complain(fmt::format("{} after {} executions", end.message, result.runs));
        return end.code;
    }
    return result.differing > 0 ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeSoakCommand = newCommand<SoakCommand>;

}  // namespace et::cli

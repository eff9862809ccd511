#include "app/cli/commands/commands.h"
#include "app/cli/options/limit_options.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/output/roofline/roofline_picture.h"
#include "app/tasks/session/trace_input.h"
#include "inspector/format/json_text.h"
#include "inspector/format/time_scale.h"
#include "inspector/roofline/roofline_points.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

enum class RooflineFormat : std::uint8_t { Svg, Json };

constexpr std::array rooflineFormats{Choice{"svg", RooflineFormat::Svg},
                                     Choice{"json", RooflineFormat::Json}};

/// Compares operators with the limits of the machine.
class RooflineCommand final : public Command {
  public:
    [[nodiscard]] std::string_view name() const override { return "roofline"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Plot operators against the limits of the machine";
    }
    [[nodiscard]] std::string details() const override {
        return "Needs a measurement of the machine ('et-inspect machine') and the program that ran. Each "
               "point is an operator; the lines are the limits of the machine for arithmetic and for each "
               "level of memory. Points far below the lines are slower than necessary.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect roofline trace.etdp --program model.pte -o roofline.svg",
                 "Plot the operators of a trace"}};
    }
    void addOptions(OptionList& options) override {
        addTraceInput(options, input);
        options.group("Limits of the machine");
        options.file("--program", input.program, "Program or bundled program that ran").mustBeGiven();
        addLimitOptions(options, limits);
        options.group("Output");
        options.choice("--format", format, rooflineFormats, "Output format (default: svg)");
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::TraceInput input;
    tasks::LimitOptions limits;
    RooflineFormat format = RooflineFormat::Svg;
    OutputOptions output;
};

Result<tasks::ExitCode> RooflineCommand::run(const Invocation& invocation) {
    const auto ignore = [](const std::string& /*line*/) {};
    ET_ASSIGN(const auto machine, tasks::machineFor(limits, ignore));
    if (!machine) {
        return core::fail(
            core::ErrorCode::NotFound,
            "no measurement of a machine: run 'et-inspect machine', or pass one with --machine");
    }
    ET_ASSIGN(const tasks::OpenedSession opened, tasks::openTraceInput(input));
    invocation.console.warnAll(opened.warnings);
    const inspector::Session& session = *opened.session;
    if (session.blocks->options().target == inspector::TimeScale::Cycles) {
        return core::fail(core::ErrorCode::InvalidArgument, "a trace in cycles has no times in seconds");
    }
    ET_ASSIGN(const auto found, tasks::sessionLimits(session, limits, [&](const std::string& line) {
                  invocation.console.warn(line);
              }));
    const std::size_t threads = limits.threads == 0 ? machine->mostThreads() : limits.threads;
    const std::vector<inspector::RooflinePoint> points =
        found == nullptr ? std::vector<inspector::RooflinePoint>()
                         : inspector::rooflinePoints(*session.blocks, *found);
    std::string text;
    if (format == RooflineFormat::Json) {
        inspector::format::appendJson(text, output::rooflineInfo(points, *machine, threads));
        text += "\n";
    } else {
        text = output::rooflinePicture(points, *machine, threads);
    }
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), tasks::inputsOf(session)));
    return tasks::ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Command> makeRooflineCommand() {
    return std::make_unique<RooflineCommand>();
}

}  // namespace et::cli

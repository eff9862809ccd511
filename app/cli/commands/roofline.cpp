#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/roofline/roofline_picture.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/machine/session_limits.h"
#include "app/tasks/session/trace_input.h"
#include "inspector/format/time_scale.h"
#include "inspector/roofline/roofline_points.h"

#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Compares operators with the limits of the machine.
class RooflineCommand final : public Command {
  public:
    RooflineCommand() : Command("roofline", "Plot operators against the limits of the machine") {}

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
        options.file("--program", input.program, "Program or bundled program that ran")
            .takesFiles(tasks::anyProgram)
            .mustBeGiven();
        addLimitOptions(options, limits);
        options.group("Output");
        addFormat(options, format, {OutputFormat::Svg, OutputFormat::Json});
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::TraceInput input;
    tasks::LimitOptions limits;
    OutputFormat format = OutputFormat::Svg;
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
    if (points.empty()) {
        invocation.console.warn(
            "nothing to plot: no timed operator has a known cost; those inside delegates need the ETRecord "
            "and the program of the trace");
    }
    const std::string text = format == OutputFormat::Json
                                 ? output::rooflineJson(points, *machine, threads)
                                 : output::rooflinePicture(points, *machine, threads);
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), tasks::inputsOf(session)));
}

}  // namespace

const CommandFactory makeRooflineCommand = newCommand<RooflineCommand>;

}  // namespace et::cli

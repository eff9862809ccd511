#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/roofline/machine_text.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/machine/machine_source.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Measures the performance limits of this machine.
class MachineCommand final : public Command {
  public:
    MachineCommand()
        : Command("machine", "Measure the limits of this machine: operations and bytes per second") {}

    [[nodiscard]] std::string details() const override {
        return "Takes some seconds once, and stores the result in et-inspect/machine.json in XDG_CACHE_HOME "
               "or ~/.cache. Columns such as efficiency compare a trace with it: for a trace of another "
               "machine, write JSON there and import it here. Rates are the best of many short bursts, with "
               "1 thread and with one per CPU core; the spread is the difference between two halves of the "
               "measurement. A multiply-add counts as two operations; bytes include reads and writes.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect machine", "Show the limits of this machine"},
                {"et-inspect machine --format json -o phone.json", "Write it for another machine"},
                {"et-inspect machine --import phone.json", "Compare traces with that machine from now on"},
                {"et-inspect machine --refresh", "Measure this machine again"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Measuring");
        options.flag("--refresh", request.refresh, "Measure again");
        options.file("--import", request.import, "Use this measurement of another machine from now on (JSON)")
            .notWith("--refresh");
        options.group("Output");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
        addOutputFile(options, output);
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::MachineRequest request;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

Result<tasks::ExitCode> MachineCommand::run(const Invocation& invocation) {
    // Without a guard, an interruption ends the process: there are no partial results.
    tasks::ProgressReporter watch(progress, std::nullopt);
    constexpr std::size_t steps = 100;
    watch.begin("measure", steps);
    std::size_t shown = 0;
    const auto profile = tasks::machineProfile(
        request, [&](const std::string& line) { invocation.console.warn(line); },
        [&](double part) {
            for (; static_cast<double>(shown) < part * steps; ++shown) {
                watch.step();
            }
        },
        {});
    watch.finish();
    if (!profile) {
        return std::unexpected(profile.error());
    }
    const std::string text =
        format == OutputFormat::Json ? inspector::profileJson(*profile) : output::machineText(*profile);
    std::vector<std::filesystem::path> inputs{request.import};
    std::erase(inputs, std::filesystem::path{});
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), inputs));
}

}  // namespace

const CommandFactory makeMachineCommand = newCommand<MachineCommand>;

}  // namespace et::cli

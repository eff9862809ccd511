#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/probe/probe_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/probe/probe_run.h"
#include "inspector/format/json_text.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t probeSchema = 1;

/// Finds the shapes for which a delegate computes wrong results.
class ProbeCommand final : public Command {
  public:
    ProbeCommand()
        : Command("probe", "Find the operators and shapes for which a delegate computes wrong results") {}

    [[nodiscard]] std::string details() const override {
        return "Writes small bundled programs (.bpte) for a device to run: each operator of the delegates "
               "with the shapes, weights and inputs of the model, with NaN, and with one size changed at a "
               "time, and each delegate as a whole. Expected outputs are those of the ETRecord's graph. "
               "Programs for XNNPACK are delegated to it; those for other backends run on kernels, and the "
               "script reexport.py lowers their ETRecords with your partitioner. --judge compares the "
               "outputs of the device and writes further probes that narrow the sizes that are wrong, until "
               "their bounds are exact. --run does all of this on this machine or a target. Outputs are "
               ".npy, .npz or raw (.bin) files named NAME/output_0.npy, NAME_0.npy or NAME.npz, or those of "
               "verify --save-failures --save-all. The exit code is 1 if any probe is wrong.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect probe model.pte model.etrecord -o probes", "Write probes"},
                {"et-inspect probe --judge results -o probes", "Compare the outputs of a device"},
                {"et-inspect probe model.pte model.etrecord -o probes --run --on phone",
                 "Run and narrow probes on a target"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> confine(Console& console) const;

    tasks::ProbeSettings settings;
    OutputFormat format = OutputFormat::Text;
};

void ProbeCommand::addOptions(OptionList& options) {
    addProbeOptions(options, settings);
    options.group("Format");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, settings.progress);
}

/// With --run, each probe runs in a separate sandboxed process.
Result<> ProbeCommand::confine(Console& console) const {
    if (!settings.run) {
        ET_ASSIGN(const std::filesystem::path folder, tasks::probeFolder(settings));
        return confineModel(console, settings.options, {.files = {}, .folders = {folder}});
    }
    ET_ASSIGN(const std::string lack, tasks::sandboxLack(settings.options.sandbox));
    if (!lack.empty()) {
        console.warn(lack);
    }
    return {};
}

Result<tasks::ExitCode> ProbeCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    ET_TRY(confine(console));
    const tasks::InterruptionGuard guard;
    ET_ASSIGN(const tasks::ProbeResult result, tasks::runProbes(settings));
    console.warnAll(result.warnings);
    const OutputOptions screen;
    ET_TRY(console.out(format == OutputFormat::Json
                           ? inspector::format::jsonDocument(probeSchema, output::probeInfo(result))
                           : output::probeText(result, screen.style(console))));
    return result.set.count(tasks::ProbeVerdict::Wrong) > 0 ? tasks::ExitCode::CheckFailed
                                                            : tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeProbeCommand = newCommand<ProbeCommand>;

}  // namespace et::cli

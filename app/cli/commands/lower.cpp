#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/lab/lower_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <optional>
#include <string>
#include <utility>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t lowerSchema = 1;

/// Builds a program from an ETRecord: from the exporter's graph before lowering.
class LowerCommand final : public Command {
  public:
    LowerCommand()
        : Command("lower", "Delegate an ETRecord or a program to XNNPACK and write the new program") {}

    [[nodiscard]] std::string details() const override {
        return "An ETRecord must contain the weights. A program is lowered from its instructions; existing "
               "delegates, control flow and state are kept. Every method is lowered. Undelegated nodes are "
               "listed with the rule that excludes them and their Python line (for a program: with "
               "--etrecord). --except and --only accept names of nodes (of a program: instruction_12), "
               "operators (aten.add.Tensor) and modules (layers.0, including all submodules).";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect lower model.etrecord -o model.pte", "Delegate everything that XNNPACK supports"},
                {"et-inspect lower model.etrecord --dry-run", "Show which nodes stay undelegated, and why"},
                {"et-inspect lower model.etrecord -o model.pte --etrecord-out lowered.etrecord --except "
                 "layers.0",
                 "Keep a module on kernels, and write the ETRecord of the new program"},
                {"et-inspect lower portable.pte -o model.pte --etrecord portable.etrecord",
                 "Delegate the instructions of a program that XNNPACK supports"},
                {"et-inspect lower model.etrecord -o portable.pte --backend none", "Delegate nothing"}};
    }
    void addOptions(OptionList& options) override {
        addLowerOptions(options, settings);
        options.flag("--dry-run", settings.inPieces, "Write nothing");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::LowerSettings settings;
    OutputFormat format = OutputFormat::Text;
    tasks::ProgressOptions progress;
};

Result<tasks::ExitCode> LowerCommand::run(const Invocation& invocation) {
    if (settings.inPieces) {
        settings.output.clear();
        settings.recordOutput.clear();
    } else if (settings.output.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "missing -o: name the program to write, or pass --dry-run");
    }
    ET_TRY(confineOrWarn(invocation.console, tasks::SandboxMode::Auto,
                         {.files = {settings.output, settings.recordOutput}, .folders = {}}));
    const tasks::InterruptionGuard interruptible;
    tasks::ProgressReporter watch(progress, std::nullopt);
    settings.progress = &watch;
    auto lowered = tasks::lower(settings);
    watch.finish();
    if (!lowered && lowered.error().code == core::ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, settings.inPieces ? "" : "nothing was written");
    }
    ET_ASSIGN(const tasks::LowerResult result, std::move(lowered));
    const std::string text = format == OutputFormat::Json
                                 ? inspector::format::jsonDocument(lowerSchema, output::lowerInfo(result))
                                 : output::lowerText(result);
    return fineAfter(invocation.console.out(text));
}

}  // namespace

const CommandFactory makeLowerCommand = newCommand<LowerCommand>;

}  // namespace et::cli

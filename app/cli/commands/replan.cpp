#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/rewrite/replan_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/rewrite/replan_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <bit>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace et::cli {
namespace {

using core::Result;
using inspector::ReplanAlgorithm;

constexpr std::int64_t replanSchema = 1;

/// Rewrites a program: a smaller memory plan, embedded or external weights, fewer methods.
class ReplanCommand final : public Command {
  public:
    ReplanCommand()
        : Command(
              "replan",
              "Write a program with a smaller memory plan, or with its weights, methods or names moved or "
              "dropped") {}

    [[nodiscard]] std::string details() const override {
        return "Tensors keep their arena and lifetime; only their offsets change, and a plan never grows "
               "unless an algorithm other than 'best' is selected. The result is run alongside the original "
               "on all cases of a bundled program, else on random inputs, while dead memory is overwritten; "
               "if any output differs in any bit, nothing is written and the exit code is 1. Arenas shared "
               "by several methods are not changed. Equal constants and named data are always written once. "
               "Without -o, the changes are only listed.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect replan model.pte -o smaller.pte", "Write a smaller memory plan"},
                {"et-inspect replan model.pte", "Show the savings of a better plan"},
                {"et-inspect replan model.pte --in-place -o smaller.pte",
                 "Save more memory with in-place operators"},
                {"et-inspect replan model.pte --algorithm none --externalize weights.ptd -o program.pte",
                 "Move the weights to a separate file"},
                {"et-inspect replan program.pte --data weights.ptd --inline -o model.pte", "Move them back"},
                {"et-inspect replan model.pte --methods decode --strip -o decode.pte",
                 "Keep one method and its data"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> prepare(Console& console);

    tasks::ReplanSettings settings;
    bool dedupe = false;
    OutputFormat format = OutputFormat::Text;
    tasks::ProgressOptions progress;
};

void ReplanCommand::addOptions(OptionList& options) {
    addReplanOptions(options, settings);
    options.flag("--dedupe", dedupe, "Write equal data once; always done");
    options.group("Output");
    options.path("-o,--output FILE", settings.output, "Program to write, of the same kind as MODEL");
    options.offFlag("--no-check", settings.check, "Do not run the result alongside the original");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, progress);
}

Result<> ReplanCommand::prepare(Console& console) {
    if (!std::has_single_bit(settings.plan.alignment) || settings.plan.alignment > std::size_t{1} << 20U) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--alignment: expected a power of two up to 1048576");
    }
    if (settings.output.empty() && !settings.weights.empty()) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            "--externalize needs -o: the program must be written together with its weights file");
    }
    settings.plan.larger = settings.plan.algorithm != ReplanAlgorithm::Best;
    if (settings.check) {
        ET_TRY(confineOrWarn(console, tasks::SandboxMode::Auto,
                             {.files = {settings.output, settings.weights}, .folders = {}}));
    }
    return {};
}

Result<tasks::ExitCode> ReplanCommand::run(const Invocation& invocation) {
    ET_TRY(prepare(invocation.console));
    const tasks::InterruptionGuard interruptible;
    tasks::ProgressReporter watch(progress, std::nullopt);
    settings.progress = &watch;
    auto replanned = tasks::replanProgram(settings);
    watch.finish();
    if (!replanned && replanned.error().code == core::ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, settings.output.empty() ? "" : "nothing was written");
    }
    ET_ASSIGN(const tasks::ReplanResult result, std::move(replanned));
    invocation.console.warnAll(result.warnings);
    return fineAfter(
        invocation.console.out(format == OutputFormat::Json
                                   ? inspector::format::jsonDocument(replanSchema, output::replanInfo(result))
                                   : output::replanText(result)));
}

}  // namespace

const CommandFactory makeReplanCommand = newCommand<ReplanCommand>;

}  // namespace et::cli

#include "app/cli/commands/gradient_verification.h"

#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/output/train/train_report.h"
#include "app/tasks/base/exit_code.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/model/bench_files.h"
#include "app/tasks/train/gradient_check.h"

#include <string>
#include <string_view>
#include <utility>

namespace et::cli {

void GradientVerification::addOptions(OptionList& options) {
    options.group("Training programs");
    options.flag("--gradients", requested,
                 "Check the gradients of training programs instead, by finite differences (see below)");
    options
        .integer("--elements", settings.elements,
                 "Number of elements of each parameter to check (default: 16)", 1)
        .onlyWith("--gradients");
    options
        .number("--gradient-tolerance", settings.tolerance,
                "Allowed relative error of a gradient (default: 0.01; 0.1 for float16 and bfloat16)",
                "a number above 0", {.above = 0, .below = 1e9})
        .onlyWith("--gradients");
}

core::Result<tasks::ExitCode> GradientVerification::run(const Invocation& invocation,
                                                        const std::vector<std::filesystem::path>& files,
                                                        const tasks::ModelOptions& model, OutputFormat format,
                                                        const OutputOptions& output,
                                                        const tasks::ProgressOptions& progress) {
    Console& console = invocation.console;
    settings.model = model;
    ET_ASSIGN(const std::vector<std::filesystem::path> programs,
              tasks::sortBenchFiles(files, settings.model));
    ET_TRY(confineModel(console, settings.model, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, model.timeoutSeconds, model.executionSeconds);
    std::vector<output::CheckedGradients> reports;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    for (const std::filesystem::path& path : programs) {
        settings.program = path;
        auto check =
            tasks::checkGradients(settings, watch, [&](std::string_view line) { console.complain(line); });
        if (tasks::InterruptionGuard::requested()) {
            break;
        }
        output::CheckedGradients& report = reports.emplace_back();
        report.file = path.string();
        if (check) {
            report.check = *std::move(check);
            code = tasks::worse(code, report.passed() ? tasks::ExitCode::Fine : tasks::ExitCode::CheckFailed);
        } else {
            report.error = check.error().toString();
            code = tasks::worse(code, tasks::exitCode(check.error().code));
        }
    }
    watch.finish();
    const std::string text = format == OutputFormat::Json
                                 ? output::gradientsJson(reports)
                                 : output::gradientsText(reports, output.style(console));
    ET_TRY(deliver(console, output, tasks::producerOf(text), files));
    return unlessInterrupted(console, code);
}

}  // namespace et::cli

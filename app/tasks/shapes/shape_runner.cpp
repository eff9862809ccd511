#include "app/tasks/shapes/shape_runner.h"

#include "app/tasks/base/exit_code.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/shapes/shapes_run.h"
#include "app/tasks/verify/run_self.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Word for values without sizes.
constexpr std::string_view noSizes = "none";

Result<std::vector<std::int64_t>> parseSizes(std::string_view text) {
    auto given = sizesOf(text == noSizes ? std::string_view() : text);
    return given ? Result<std::vector<std::int64_t>>(*std::move(given))
                 : fail(ErrorCode::InvalidArgument,
                        fmt::format("expected sizes such as 1x17, got \"{}\"", core::printable(text)));
}

std::string sizesText(const std::vector<std::int64_t>& sizes) {
    return sizes.empty() ? std::string(noSizes) : sizesWord(sizes);
}

std::vector<std::string> shapeArguments(const ShapeTask& task) {
    ShapesSettings child{.model = task.model, .options = task.options};
    child.options.timeoutSeconds.reset();  // this process enforces it
    CommandArguments arguments = argumentsOf(std::move(child), &addShapesOptions);
    arguments.options.emplace_back(shapeInProcessOption);
    arguments.options.push_back(fmt::format("--output={}", reportPath));
    return arguments.add(argumentsOf(task, &addShapeTaskOptions)).of("shapes");
}

/// The last line that a process printed, without the program's name.
std::string lastOutputLine(std::string_view said) {
    while (said.ends_with('\n')) {
        said.remove_suffix(1);
    }
    const std::size_t lineBreak = said.rfind('\n');
    said.remove_prefix(lineBreak == std::string_view::npos ? 0 : lineBreak + 1);
    constexpr std::string_view program = "et-inspect: ";
    said.remove_prefix(said.starts_with(program) ? program.size() : 0);
    return std::string(said);
}

/// Report for a process that ended without one.
Result<ShapeReport> withoutReport(const ChildResult& end) {
    const int code = end.process.code;
    const bool isOver = end.process.signal == 0 && end.cause == ChildResult::Cause::Itself;
    if (end.cause == ChildResult::Cause::Timeout ||
        (isOver && code == static_cast<int>(ExitCode::TimedOut))) {
        return ShapeReport{.end = ShapeEnd::TimedOut, .message = "an execution did not finish in time"};
    }
    if (isOver && code == static_cast<int>(ExitCode::Usage)) {
        return fail(ErrorCode::InvalidArgument, lastOutputLine(end.said));
    }
    if (isOver && code == static_cast<int>(ExitCode::Unreadable)) {
        return fail(ErrorCode::Unsupported, lastOutputLine(end.said));
    }
    return ShapeReport{.end = ShapeEnd::Crashed, .message = core::endText(end.process)};
}

}  // namespace

void addShapeTaskOptions(OptionList& options, ShapeTask& task) {
    options.flag("--locate", task.locate, "Name the incorrect operator").withoutHelp();
    options.custom("--sizes", task.sizes, &parseSizes, &sizesText, "Sizes of the next input").withoutHelp();
    options.custom("--before", task.before, &parseSizes, &sizesText, "Sizes of an input in a preceding run")
        .withoutHelp();
}

Result<ShapeReport> runShapeApart(const ShapeTask& task) {
    const ModelOptions& options = task.options;
    std::optional<std::chrono::duration<double>> patience;
    if (options.executionSeconds > 0) {
        // A case has several executions and that of the reference.
        constexpr double executions = 10;
        patience.emplace(executions * options.executionSeconds);
    }
    ET_ASSIGN(const ChildResult end, runSelf(shapeArguments(task), patience));
    if (end.cause == ChildResult::Cause::Interruption || InterruptionGuard::requested()) {
        return fail(ErrorCode::Cancelled, "interrupted");
    }
    if (end.process.signal == 0 && end.cause == ChildResult::Cause::Itself) {
        if (auto report = readShapeReport(end.report)) {
            return report;
        }
    }
    return withoutReport(end);
}

}  // namespace et::tasks

#include "inspector/trend/trend.h"

#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/trend/trend_page.h"
#include "app/tasks/compare/comparison_run.h"
#include "app/tasks/compare/sides.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/moment.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// Shows the history of a model's measurements.
class TrendCommand final : public Command {
  public:
    TrendCommand()
        : Command("trend",
                  "Show the history of a model: when it became slower, on which devices, and in which "
                  "operators") {}

    [[nodiscard]] std::string details() const override {
        return "MODEL is the name used by 'et-inspect import'. All measurements of a commit on one kind of "
               "device are one point. A change is a point where the level of the times before and after "
               "differs by more than the threshold and by more than chance: at most 1 % of histories without "
               "a change report one (--confidence 99). See docs/explanation/trend.md for the method. Exit "
               "codes: 0, no regression; 1, the last change of a total, on any device, is a slowdown; 3, the "
               "store cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect trend mobilenet --store team.db", "Show changes, and fail if the model is slower"},
            {"et-inspect trend mobilenet --store team.db --since 2026-11-01 --format svg -o trend.svg",
             "Plot measurements from a date on"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    std::string model;
    fs::path store;
    std::vector<std::string> by;
    std::string since;
    inspector::TrendOptions trend;
    double thresholdPercent = 1;
    double confidencePercent = 99;
    tasks::FailOn failOn = tasks::FailOn::Total;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
};

void TrendCommand::addOptions(OptionList& options) {
    options.text("MODEL", model, "Name of a model in the store").mustBeGiven();
    options.group("Store");
    addStoreOption(options, store);
    options.text("--by TAG,...", by,
                 "Tags that distinguish devices, and commit to combine the measurements of each commit "
                 "(default: device,commit)");
    options.text("--since DATE", since, "Only measurements from this date on: 2026-11-25");
    options.integer("--points", trend.grouping.maxPoints,
                    "Number of latest points of each device to use (default: 500)", 1);
    options.group("Verdict");
    options.number("--threshold PERCENT", thresholdPercent,
                   "Ignore changes below this percentage (default: 1)", "a non-negative percentage",
                   {.least = 0});
    options.number("--confidence PERCENT", confidencePercent, "Confidence level (default: 99)",
                   "a percentage from 50 to 99.9", {.least = 50, .most = 99.9});
    addFailOn(options, failOn);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Svg});
    addOutputOptions(options, output);
}

Result<tasks::ExitCode> TrendCommand::run(const Invocation& invocation) {
    constexpr double percent = 100;
    trend.threshold = thresholdPercent / percent;
    trend.confidence = confidencePercent / percent;
    if (!by.empty()) {
        trend.grouping.by = std::move(by);
    }
    if (!since.empty()) {
        ET_ASSIGN(since, inspector::utcText(since));
    }
    ET_ASSIGN(const fs::path path, tasks::baselineFile(store));
    ET_ASSIGN(const auto opened,
              inspector::store::TrendStore::open(path, {.mode = inspector::store::OpenMode::Reading}));
    ET_ASSIGN(const inspector::MeasuredModel measured, opened.load(model, since));
    ET_ASSIGN(const inspector::Trend found, findTrend(measured, trend));
    const std::string text = format == OutputFormat::Json ? output::trendJson(found)
                             : format == OutputFormat::Svg
                                 ? output::trendPicture(found)
                                 : output::trendText(found, output.style(invocation.console));
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), {path}));
    const bool fails = failOn == tasks::FailOn::Total
                           ? found.slower()
                           : failOn == tasks::FailOn::Operator && found.anythingSlower();
    return fails ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeTrendCommand = newCommand<TrendCommand>;

}  // namespace et::cli

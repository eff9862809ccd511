#include "inspector/history/trend.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/store_options.h"
#include "app/cli/output_options.h"
#include "app/pages/compare/report.h"
#include "app/pages/history/trend_page.h"
#include "app/tasks/compare/sides.h"
#include "inspector/history/moment.h"
#include "inspector/store/history_store.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::Result;

enum class TrendFormat : std::uint8_t { Text, Json, Svg };
constexpr std::array trendFormats{Choice{"text", TrendFormat::Text}, Choice{"json", TrendFormat::Json},
                                  Choice{"svg", TrendFormat::Svg}};
constexpr std::array trendFailures{Choice{"total", FailOn::Total}, Choice{"operator", FailOn::Operator},
                                   Choice{"never", FailOn::Never}};

/// Shows the history of a model's measurements.
class TrendVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "trend"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Show the history of a model: when it became slower, on which devices, by which operators";
    }
    [[nodiscard]] std::string details() const override {
        return "MODEL is a name that 'et-inspect import' gave. All measurements of a commit on one kind of "
               "device are one point. A change is where the level of the times differs before and after, by "
               "more than the threshold and by more than chance: of histories without any, at most 1 % have "
               "one called (--confidence 99). See docs/explanation/trend.md for the method. Exit codes: 0, "
               "no regression; 1, the last change of a total, on any device, is to the worse; 3, the store "
               "cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect trend mobilenet --store team.db", "Show what changed, and fail if it is slower"},
                {"et-inspect trend mobilenet --store team.db --since 2026-11-01 --format svg -o trend.svg",
                 "Draw what was measured from a day on"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    std::string model;
    fs::path store;
    std::vector<std::string> by;
    std::string since;
    inspector::TrendOptions trend;
    double thresholdPercent = 1;
    double confidencePercent = 99;
    FailOn failOn = FailOn::Total;
    TrendFormat format = TrendFormat::Text;
    OutputOptions output;
};

void TrendVerb::addOptions(OptionList& options) {
    options.text("MODEL", model, "Name of a model in the store").mustBeGiven();
    options.group("Store");
    addStoreOption(options, store);
    options
        .text("--by", by,
              "Tags that tell devices apart, and commit to make one point of each (default: device,commit)")
        .separatedByCommas()
        .takes("TAG,...");
    options.text("--since", since, "Only what was measured from then on: 2026-11-25").takes("DATE");
    options.integer("--points", trend.history.maxPoints,
                    "Only the last so many points of each (default: 500)", 1);
    options.group("Verdict");
    options
        .number("--threshold", thresholdPercent, "Ignore changes below this percentage (default: 1)",
                "a non-negative percentage", [](double value) { return value >= 0; })
        .takes("PERCENT");
    options
        .number("--confidence", confidencePercent, "Confidence level (default: 99)",
                "a percentage from 50 to 99.9", [](double value) { return value >= 50 && value <= 99.9; })
        .takes("PERCENT");
    options.choice("--fail-on", failOn, trendFailures,
                   "What counts as a regression: a slower total, any slower operator as well, or neither "
                   "(default: total)");
    options.group("Output");
    options.choice("--format", format, trendFormats, "Output format (default: text)");
    addOutputOptions(options, output);
}

Result<ExitCode> TrendVerb::run(const Invocation& invocation) {
    constexpr double percent = 100;
    trend.threshold = thresholdPercent / percent;
    trend.confidence = confidencePercent / percent;
    if (!by.empty()) {
        trend.history.by = std::move(by);
    }
    if (!since.empty()) {
        ET_ASSIGN(since, inspector::utcText(since));
    }
    ET_ASSIGN(const fs::path path, baselineFile(store));
    ET_ASSIGN(const auto opened,
              inspector::store::HistoryStore::open(path, {.mode = inspector::store::OpenMode::Reading}));
    ET_ASSIGN(const inspector::MeasuredModel measured, opened.load(model, since));
    ET_ASSIGN(const inspector::Trend found, findTrend(measured, trend));
    const std::string text = format == TrendFormat::Json ? trendJson(found)
                             : format == TrendFormat::Svg
                                 ? trendPicture(found)
                                 : trendText(found, output.style(invocation.console));
    ET_TRY(deliver(invocation.console, output, producerOf(text), {path}));
    const bool fails =
        failOn == FailOn::Total ? found.slower() : failOn == FailOn::Operator && found.anythingSlower();
    return fails ? ExitCode::CheckFailed : ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeTrendVerb() {
    return std::make_unique<TrendVerb>();
}

}  // namespace et::app

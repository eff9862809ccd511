#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/pages/surgery/replan_info.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/sandbox/sandbox.h"
#include "app/tasks/surgery/replan_run.h"
#include "inspector/format/json_text.h"

#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

using core::Result;
using inspector::ReplanAlgorithm;

enum class ReplanFormat : std::uint8_t { Text, Json };

constexpr std::array replanFormats{Choice{"text", ReplanFormat::Text}, Choice{"json", ReplanFormat::Json}};
constexpr std::array algorithms{
    Choice{"best", ReplanAlgorithm::Best}, Choice{"greedy", ReplanAlgorithm::Greedy},
    Choice{"naive", ReplanAlgorithm::Naive}, Choice{"none", ReplanAlgorithm::None}};
constexpr std::int64_t replanSchema = 1;

/// Rewrites a program: a smaller memory plan, embedded or external weights, fewer methods.
class ReplanVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "replan"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Write a program with a smaller memory plan, or with its weights, methods or names moved or "
               "dropped";
    }
    [[nodiscard]] std::string details() const override {
        return "Tensors keep their arena and live as long as before; only their places change, and a plan "
               "never grows unless another algorithm than 'best' is asked for. The result is run beside the "
               "original on all cases of a bundled program, else on random inputs, while memory that nobody "
               "needs "
               "any more is overwritten; if any output differs in any bit, nothing is written and the exit "
               "code is 1. Arenas that several methods share stay as they are. Equal constants and named "
               "data "
               "are always written once. Without -o, the changes are only listed.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect replan model.pte -o smaller.pte", "Write a smaller memory plan"},
                {"et-inspect replan model.pte", "Show what a better plan would save"},
                {"et-inspect replan model.pte --in-place -o smaller.pte",
                 "Save more where operators may work in place"},
                {"et-inspect replan model.pte --algorithm none --externalize weights.ptd -o program.pte",
                 "Move the weights to a file of their own"},
                {"et-inspect replan program.pte --data weights.ptd --inline -o model.pte", "Move them back"},
                {"et-inspect replan model.pte --methods decode --strip -o decode.pte",
                 "Keep one method and what it needs"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> prepare(Console& console);

    ReplanSettings settings;
    std::size_t alignment = builder::planAlignment;
    std::optional<double> seconds;
    bool dedupe = false;
    bool unchecked = false;
    ReplanFormat format = ReplanFormat::Text;
};

void ReplanVerb::addOptions(OptionList& options) {
    options.group("Input");
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    addTensorData(options, settings.data);
    options.group("Memory plan");
    options.choice("--algorithm", settings.plan.algorithm, algorithms,
                   "How to plan; none: leave the plan alone (default: best)");
    options.integer("--alignment", alignment, "Tensors start at multiples of it, in bytes (default: 16)", 1);
    options.flag("--in-place", settings.plan.inPlace,
                 "Let operators that work element by element write over what they read for the last time");
    options.number("--time", seconds, "Seconds to search for each arena (default: 1)",
                   "a time of 0 to 3600 seconds",
                   [](double value) { return std::isfinite(value) && value >= 0 && value <= 3600; });
    options.group("Other changes");
    options.path("--externalize", settings.weights, "Move constants and named data to this file (.ptd)")
        .takes(fileValue);
    options.flag("--inline", settings.takeIn, "Move what --data files hold into the program")
        .notWith("--externalize");
    options.flag("--strip", settings.strip,
                 "Drop names of tensors that nothing looks up, and values and named data that nothing uses");
    options.text("--methods", settings.methods, "Keep only these methods")
        .takes("NAME,...")
        .separatedByCommas();
    options.flag("--dedupe", dedupe, "Write equal data once; it is done in any case");
    options.group("Output");
    options.path("-o,--output", settings.output, "Program to write, of the same kind as MODEL")
        .takes(fileValue);
    options.flag("--no-check", unchecked, "Do not run the result beside the original");
    options.choice("--format", format, replanFormats, "Output format (default: text)");
}

Result<> ReplanVerb::prepare(Console& console) {
    if (!std::has_single_bit(alignment) || alignment > std::size_t{1} << 20U) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--alignment: expected a power of two of at most 1048576");
    }
    if (settings.output.empty() && !settings.weights.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--externalize needs -o: a program without its weights and a file with them belong "
                          "together");
    }
    settings.plan.alignment = alignment;
    settings.plan.larger = settings.plan.algorithm != ReplanAlgorithm::Best;
    if (seconds) {
        constexpr double thousand = 1'000;
        settings.plan.effort.time = std::chrono::milliseconds(std::llround(*seconds * thousand));
        settings.plan.effort.rounds = std::numeric_limits<std::size_t>::max();
    }
    settings.check = !unchecked;
    if (settings.check) {
        ET_TRY(confineOrWarn(console, SandboxMode::Auto,
                             {.files = {settings.output, settings.weights}, .folders = {}}));
    }
    return {};
}

Result<ExitCode> ReplanVerb::run(const Invocation& invocation) {
    ET_TRY(prepare(invocation.console));
    const InterruptionGuard interruptible;
    auto replanned = replanProgram(settings);
    if (!replanned && replanned.error().code == core::ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, settings.output.empty() ? "" : "nothing was written");
    }
    ET_ASSIGN(const ReplanResult result, std::move(replanned));
    invocation.console.warnAll(result.warnings);
    std::string text;
    if (format == ReplanFormat::Json) {
        text = inspector::report::jsonDocument(replanSchema, replanInfo(result));
    } else {
        text = replanText(result);
    }
    ET_TRY(invocation.console.out(text));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeReplanVerb() {
    return std::make_unique<ReplanVerb>();
}

}  // namespace et::app

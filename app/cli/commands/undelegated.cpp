#include "app/tasks/lab/undelegated.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/lab/undelegated_info.h"
#include "app/tasks/run/interruption.h"
#include "inspector/format/json_text.h"

#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace et::app {
namespace {

namespace report = inspector::report;
using core::Result;

enum class UndelegatedFormat : std::uint8_t { Table, Json, Csv, Markdown };
constexpr std::array undelegatedFormats{
    Choice{"table", UndelegatedFormat::Table}, Choice{"json", UndelegatedFormat::Json},
    Choice{"csv", UndelegatedFormat::Csv}, Choice{"markdown", UndelegatedFormat::Markdown}};
constexpr std::int64_t undelegatedSchema = 1;

/// Lists the operators that no delegate runs.
class UndelegatedVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "undelegated"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Measure what runs outside of delegates, and what XNNPACK would win there";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect undelegated model.pte --etrecord model.etrecord",
                 "List the operators outside of delegates by what delegating them would save"},
                {"et-inspect undelegated model.pte --etrecord model.etrecord --depth 2",
                 "The same by module, such as layers.0"},
                {"et-inspect undelegated model.pte --etrecord model.etrecord --time 300 --format csv",
                 "Measure for up to five minutes; write a row for each operator"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const UndelegatedReport& measured, const Console& console) const;

    UndelegatedSettings settings;
    UndelegatedFormat format = UndelegatedFormat::Table;
    OutputOptions output;
};

std::string UndelegatedVerb::details() const {
    return "Programs are made of the ETRecord, as 'et-inspect lower' makes them, with the delegates that the "
           "model has, and run here in turns: as it is, with one more operator in the delegates, and with "
           "that operator as the only delegate. An operator that is quantized comes with the nodes that "
           "quantize and dequantize around it. The most costly operators are measured first.";
}

std::vector<Glossary> UndelegatedVerb::glossaries() const {
    return {{"Columns",
             {{"now", "Time of the operator in a run, as a call of a kernel"},
              {"alone",
               "Time as a delegate with nothing else in it, conversions at its borders included; "
               "empty: it goes into a delegate with others only, or was not measured"},
              {"to win", "What a run saves with it in the delegates that there are, beside its neighbours"},
              {"why it is outside", "The rule that keeps XNNPACK from it"}}}};
}

void UndelegatedVerb::addOptions(OptionList& options) {
    options.group("Input");
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.file("--etrecord", settings.record, "ETRecord of the program, with its weights").mustBeGiven();
    options.group("Model");
    addModelOptions(options, settings.options);
    options.group("Measuring");
    options.integer("--depth", settings.depth,
                    "Take the operators of a module together: so many levels of its name (default: each "
                    "operator alone)",
                    1);
    options.number("--time", settings.seconds,
                   "Measure no further operator after this many seconds (default: 60)",
                   "a time of 0 to 86400 seconds",
                   [](double value) { return std::isfinite(value) && value >= 0 && value <= 86400; });
    options.group("Output");
    options.choice("--format", format, undelegatedFormats, "Output format (default: table)");
    addOutputOptions(options, output);
    addProgressOptions(options, settings.progress);
}

std::string UndelegatedVerb::render(const UndelegatedReport& measured, const Console& console) const {
    const report::Table table = undelegatedTable(measured);
    report::Style style = output.style(console);
    switch (format) {
        case UndelegatedFormat::Json:
            return report::jsonDocument(undelegatedSchema, undelegatedInfo(measured));
        case UndelegatedFormat::Csv:
            return report::render(table, report::Format::Csv);
        case UndelegatedFormat::Markdown:
            return report::render(table, report::Format::Markdown, {.adaptUnits = true});
        case UndelegatedFormat::Table:
            break;
    }
    style.adaptUnits = true;
    return undelegatedSummary(measured) + report::render(table, report::Format::Table, style) +
           undelegatedNotes(measured);
}

Result<ExitCode> UndelegatedVerb::run(const Invocation& invocation) {
    const InterruptionGuard guard;
    const Result<UndelegatedReport> measured = measureUndelegated(settings);
    const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
    const bool isEarly = end.cause != Interruption::None;
    if (!measured && !isEarly) {
        return std::unexpected(measured.error());
    }
    if (measured) {
        invocation.console.warnAll(measured->warnings);
        ET_TRY(deliver(invocation.console, output, producerOf(render(*measured, invocation.console)),
                       {settings.model, settings.record}));
    }
    if (isEarly) {
        invocation.console.complain(end.message);
        return end.code;
    }
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeUndelegatedVerb() {
    return std::make_unique<UndelegatedVerb>();
}

}  // namespace et::app

#include "app/cli/commands/delegate_measurement.h"

#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/output/lab/undelegated_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "inspector/format/json_text.h"

#include <string>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t measurementSchema = 1;

std::string render(const tasks::UndelegatedReport& measured, OutputFormat format,
                   inspector::format::Style style) {
    const inspector::format::Table table = output::undelegatedTable(measured);
    if (format == OutputFormat::Json) {
        return inspector::format::jsonDocument(measurementSchema, output::undelegatedInfo(measured));
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(table, inspector::format::Format::Csv);
    }
    if (format == OutputFormat::Markdown) {
        return inspector::format::render(table, inspector::format::Format::Markdown, {.adaptUnits = true});
    }
    style.adaptUnits = true;
    return output::undelegatedSummary(measured) +
           inspector::format::render(table, inspector::format::Format::Table, style) +
           output::undelegatedNotes(measured);
}

}  // namespace

void DelegateMeasurement::addOptions(OptionList& options) {
    options.group("Measuring");
    options.flag("--measure", requested,
                 "Measure operators outside delegates, and the time saved by delegating them to XNNPACK; "
                 "needs the ETRecord");
    options.onlyWith("--measure");
    options.integer(
        "--depth", settings.depth,
        "Group operators by module, with this many levels of its name (default: each operator alone)", 1);
    options.duration("--time", settings.seconds,
                     "Start no measurement after this time: 90s, 5m, 1h (default: 60s)",
                     {.least = 0, .most = 86400});
    addProgressOptions(options, settings.progress);
    addRuntimeOptions(options, settings.options);
    addInputOptions(options, settings.options);
    options.onlyWith({});
}

Result<tasks::ExitCode> DelegateMeasurement::run(const Invocation& invocation,
                                                 const output::DelegatesQuery& query, OutputFormat format,
                                                 const OutputOptions& output) {
    if (query.beside.record.empty()) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            "--measure needs the ETRecord of the program: et-inspect delegates --measure MODEL ETRECORD");
    }
    settings.model = query.model;
    settings.record = query.beside.record;
    settings.options.method = query.method;
    settings.options.tensorData = query.tensorData;
    const tasks::InterruptionGuard guard;
    const Result<tasks::UndelegatedReport> measured = tasks::measureUndelegated(settings);
    if (!measured && tasks::InterruptionGuard::cause() == tasks::Interruption::None) {
        return std::unexpected(measured.error());
    }
    if (measured) {
        invocation.console.warnAll(measured->warnings);
        ET_TRY(deliver(invocation.console, output,
                       tasks::producerOf(render(*measured, format, output.style(invocation.console))),
                       {settings.model, settings.record}));
    }
    return unlessInterrupted(invocation.console, tasks::ExitCode::Fine);
}

}  // namespace et::cli

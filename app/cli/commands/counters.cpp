#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/counters/counter_page.h"
#include "app/tasks/counters/count_run.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/watch.h"
#include "inspector/format/json_text.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {
namespace {

using core::Result;
namespace report = inspector::report;

enum class CountersFormat : std::uint8_t { Table, Json, Csv, Markdown };
constexpr std::array countersFormats{Choice{"table", CountersFormat::Table},
                                     Choice{"json", CountersFormat::Json}, Choice{"csv", CountersFormat::Csv},
                                     Choice{"markdown", CountersFormat::Markdown}};
constexpr std::int64_t countersSchema = 1;

/// Counts hardware and kernel events for each instruction.
class CountersVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "counters"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Count cycles, instructions, misses and page faults of each operator";
    }
    [[nodiscard]] std::string details() const override {
        return "Runs a method with the counters of Linux (perf_event_open) and reads them behind each "
               "instruction. "
               "Counters of the processor do not count the kernel's own work. Where the processor has fewer "
               "places than counters, they take turns and the numbers are estimates; what counting costs is "
               "stated. Counters that the machine or the kernel does not give are named on stderr with the "
               "way "
               "to get them. A call of a delegate is one instruction.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary columns{.title = "Columns", .terms = {}};
        for (const CounterTraits& traits : counterTraits) {
            columns.terms.push_back({std::string(traits.name), std::string(traits.meaning)});
        }
        return {columns};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect counters model.bpte", "Count 20 executions of the first bundled case"},
            {"et-inspect counters model.pte --threads 2 --format json", "Count two threads, for scripts"}};
    }
    void addOptions(OptionList& options) override {
        options.file("MODEL", program, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
        addModelOptions(options, model);
        addCase(options, model);
        addEmulationOptions(options, model);
        addSandbox(options, model);
        options.group("Executions");
        options.integer("--iterations", repetitions.measured, "Number of counted executions (default: 20)",
                        1);
        options.integer("--warmup", repetitions.warmup, "Number of warm-up executions (default: 5)");
        options.group("Output");
        options.integer("--top", top, "Instructions to list, those that took longest; 0: all (default: 20)");
        options.choice("--format", format, countersFormats, "Output format (default: table)");
        addOutputOptions(options, output);
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const CountReport& counted, report::Style style) const;

    std::filesystem::path program;
    ModelOptions model;
    Repetitions repetitions{.warmup = 5, .measured = 20};
    std::size_t top = 20;
    CountersFormat format = CountersFormat::Table;
    OutputOptions output;
    ProgressOptions progress;
};

std::string CountersVerb::render(const CountReport& counted, report::Style style) const {
    switch (format) {
        case CountersFormat::Json:
            return report::jsonDocument(countersSchema, counterInfo(counted));
        case CountersFormat::Csv:
            return report::render(counterTable(counted, top), report::Format::Csv);
        case CountersFormat::Markdown:
        case CountersFormat::Table:
            break;
    }
    style.adaptUnits = true;
    return report::render(
               counterTable(counted, top),
               format == CountersFormat::Markdown ? report::Format::Markdown : report::Format::Table, style) +
           counterNotes(counted);
}

Result<ExitCode> CountersVerb::run(const Invocation& invocation) {
    Console& console = invocation.console;
    // Must precede the creation of threads, which inherit the counters, and the sandbox, which forbids
    // opening them.
    const CounterSet counters(linuxCounters());
    for (const std::string& line : counters.refusals()) {
        console.warn(line);
    }
    ET_TRY(confineModel(console, model, {.files = {output.path}}));
    const InterruptionGuard guard;
    Watch watch(progress, model.timeoutSeconds, model.executionSeconds);
    const auto counted = countRun(program, model, repetitions, counters, watch,
                                  [&](std::string_view line) { console.complain(line); });
    watch.finish();
    ET_TRY(counted);
    const std::string text = render(*counted, output.style(console));
    ET_TRY(deliver(console, output, producerOf(text), Model::files(program, model)));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeCountersVerb() {
    return std::make_unique<CountersVerb>();
}

}  // namespace et::app

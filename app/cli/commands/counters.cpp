#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/counters/counter_page.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/counters/count_run.h"
#include "app/tasks/model/model.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Counts hardware and kernel events for each instruction.
class CountersCommand final : public Command {
  public:
    CountersCommand()
        : Command("counters", "Count cycles, instructions, misses and page faults of each operator") {}

    [[nodiscard]] std::string details() const override {
        return "Runs a method with Linux performance counters (perf_event_open) and reads them after each "
               "instruction. Processor counters exclude kernel code. If the processor has fewer counter "
               "registers than requested counters, they are multiplexed and the values are estimates; the "
               "overhead of counting is reported. Unavailable counters are listed on stderr with how to "
               "enable them. A delegate call is one instruction.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {glossaryOf("Columns", inspector::counterInfos)};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect counters model.bpte", "Count 20 executions of the first bundled case"},
            {"et-inspect counters model.pte --threads 2 --format json", "Count two threads, for scripts"}};
    }
    void addOptions(OptionList& options) override {
        addModelFile(options, program);
        addModelOptions(options, model);
        addCase(options, model);
        addEmulationOptions(options, model);
        addSandbox(options, model);
        options.group("Executions");
        options.integer("--iterations", repetitions.measured, "Number of counted executions (default: 20)",
                        1);
        options.integer("--warmup", repetitions.warmup, "Number of warm-up executions (default: 5)");
        options.group("Output");
        options.integer("--top", top, "Number of instructions to list, slowest first; 0: all (default: 20)");
        addFormat(options, format,
                  {OutputFormat::Table, OutputFormat::Json, OutputFormat::Csv, OutputFormat::Markdown});
        addOutputOptions(options, output);
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const tasks::CountReport& counted, inspector::format::Style style) const;

    std::filesystem::path program;
    tasks::ModelOptions model;
    tasks::Repetitions repetitions{.warmup = 5, .measured = 20};
    std::size_t top = 20;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

std::string CountersCommand::render(const tasks::CountReport& counted, inspector::format::Style style) const {
    if (format == OutputFormat::Json) {
        return output::counterJson(counted, nullptr);
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::counterTable(counted, top), inspector::format::Format::Csv);
    }
    style.adaptUnits = true;
    return inspector::format::render(output::counterTable(counted, top),
                                     format == OutputFormat::Markdown ? inspector::format::Format::Markdown
                                                                      : inspector::format::Format::Table,
                                     style) +
           output::counterNotes(counted);
}

Result<tasks::ExitCode> CountersCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    // Must precede the creation of threads, which inherit the counters, and the sandbox, which forbids
    // opening them.
    const tasks::CounterSet counters(tasks::linuxCounters());
    for (const std::string& line : counters.refusals()) {
        console.warn(line);
    }
    ET_TRY(confineModel(console, model, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, model.timeoutSeconds, model.executionSeconds);
    const auto counted = tasks::countRun(program, model, repetitions, counters, watch,
                                         [&](std::string_view line) { console.complain(line); });
    watch.finish();
    ET_TRY(counted);
    const std::string text = render(*counted, output.style(console));
    return fineAfter(deliver(console, output, tasks::producerOf(text), tasks::Model::files(program, model)));
}

}  // namespace

const CommandFactory makeCountersCommand = newCommand<CountersCommand>;

}  // namespace et::cli

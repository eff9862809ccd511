#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/memory/memory_page.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/model/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// Shows the memory plan of a program.
class MemoryCommand final : public Command {
  public:
    MemoryCommand()
        : Command("memory",
                  "Show the memory plan of a program over time: live tensors, arenas and the peak") {}

    [[nodiscard]] std::string details() const override {
        return "A tensor is alive from the instruction that first writes it to the last one that uses it or "
               "a view of it; inputs are alive from the start, outputs to the end, state always. The peak is "
               "the largest total alive at one time: every plan needs at least that unless instructions are "
               "reordered. Tensors that overlap while both are alive overwrite each other and cause a "
               "warning. With --what-if, the same tensors are planned again: greedy places the largest "
               "first, naive shares nothing. The plan excludes memory that delegates allocate; a trace "
               "recorded with 'run --allocations' contains it (--etdump). Delegates of one backend share "
               "weights and workspace; each is shown with the memory it added. KV caches outside the program "
               "(kvcache::update_and_attend) take 2 · heads · head size · element size bytes per token and "
               "layer, for all positions that are reserved: the capacity, or window + longest call - 1 in a "
               "layer with a sliding window.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect memory model.pte", "Show arenas, the peak and its tensors, constants and delegates"},
            {"et-inspect memory model.pte --etrecord model.etrecord --format svg -o plan.svg",
             "Draw the plan; hover for operator, module and Python line"},
            {"et-inspect memory model.pte --etdump trace.etdp",
             "Show unplanned memory: packed weights and workspace of delegates, temporary memory, the whole "
             "process"},
            {"et-inspect memory model.pte --format chrome -o memory.json",
             "Write live tensors by instruction for chrome://tracing, as generate_memory_trace()"},
            {"et-inspect memory model.pte --what-if", "Show the size of other plans for the same tensors"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> render(const output::MemoryPage& page) const;

    output::MemoryQuery question;
    std::size_t top = 10;
    OutputFormat format = OutputFormat::Table;
    bool memoryOffsets = false;
    OutputOptions output;
};

void MemoryCommand::addOptions(OptionList& options) {
    options.group("Input");
    addModelFile(options, question.model);
    addRecordFile(options, "--etrecord", question.beside.record,
                  "ETRecord of the export, for modules and source lines");
    options.file("--etdump", question.beside.trace, "Trace (ETDump) with allocations, for unplanned memory")
        .takesFiles({SessionFile::Trace});
    options.text("--method NAME", question.method, "Show only this method");
    tasks::addCacheOptions(options, question.caches);
    options.group("Output");
    options.integer("--top", top, "Number of tensors and constants to list; 0: all (default: 10)");
    options.flag("--what-if", question.whatIf, "Show the size of other plans");
    addFormat(options, format,
              {OutputFormat::Table, OutputFormat::Json, OutputFormat::Csv, OutputFormat::Svg,
               OutputFormat::Chrome});
    options.flag(
        "--memory-offsets", memoryOffsets,
        "With --format chrome, place each tensor at its offset in the arena instead of after the others");
    addOutputFile(options, output);
}

Result<std::string> MemoryCommand::render(const output::MemoryPage& page) const {
    if (format == OutputFormat::Json) {
        return page.json();
    }
    if (format == OutputFormat::Csv) {
        return page.csv();
    }
    if (format == OutputFormat::Svg) {
        return page.picture();
    }
    if (format == OutputFormat::Chrome) {
        return page.chromeTrace(memoryOffsets ? inspector::AllocationPlace::Offset
                                              : inspector::AllocationPlace::Stacked);
    }
    return page.text(top);
}

Result<tasks::ExitCode> MemoryCommand::run(const Invocation& invocation) {
    ET_ASSIGN(const output::MemoryPage page, output::MemoryPage::open(question));
    const std::vector<std::string>& warnings = page.warnings();
    constexpr std::size_t maxWarnings = 10;
    for (std::size_t i = 0; i < std::min(warnings.size(), maxWarnings); ++i) {
        invocation.console.warn(warnings[i]);
    }
    if (warnings.size() > maxWarnings) {
        invocation.console.warn(fmt::format("{} more of this kind", warnings.size() - maxWarnings));
    }
    std::vector<fs::path> inputs{question.model, question.beside.record, question.beside.trace};
    std::erase(inputs, fs::path{});
    ET_ASSIGN(const std::string text, render(page));
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), inputs));
}

}  // namespace

const CommandFactory makeMemoryCommand = newCommand<MemoryCommand>;

}  // namespace et::cli

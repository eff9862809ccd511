#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/pages/memory/memory_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::Result;

enum class MemoryFormat : std::uint8_t { Table, Json, Csv, Svg };

constexpr std::array memoryFormats{Choice{"table", MemoryFormat::Table}, Choice{"json", MemoryFormat::Json},
                                   Choice{"csv", MemoryFormat::Csv}, Choice{"svg", MemoryFormat::Svg}};

/// Shows the memory plan of a program.
class MemoryVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "memory"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Show the memory plan of a program over time: live tensors, arenas and the peak";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect memory model.pte", "Show arenas, the peak and its tensors, constants, delegates"},
            {"et-inspect memory model.pte --etrecord model.etrecord --format svg -o plan.svg",
             "Draw the plan; hover for operator, module and Python line"},
            {"et-inspect memory model.pte --etdump trace.etdp",
             "Show memory beside the plan: packed weights and workspace of delegates, temporary memory, the "
             "whole process"},
            {"et-inspect memory model.pte --what-if", "Show what other plans of the same tensors would take"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const MemoryPage& page, const Console& console) const;

    MemoryQuestion question;
    std::size_t top = 10;
    MemoryFormat format = MemoryFormat::Table;
    OutputOptions output;
};

std::string MemoryVerb::details() const {
    return "A tensor is alive from the instruction that first writes it to the last one that uses it or a "
           "view of it; inputs are alive from the start, outputs to the end, state always. The peak is the "
           "maximum that is alive at once: no plan needs less unless the instructions are reordered. Tensors "
           "that overlap while both are alive destroy each other's data and cause a warning. With --what-if, "
           "the same tensors are planned again: greedy places the largest first, naive shares nothing. "
           "Memory "
           "that delegates allocate is not planned in the program; a trace recorded with 'run --allocations' "
           "has it (--etdump). Delegates of one backend share weights and workspace; each is shown with what "
           "it added.";
}

void MemoryVerb::addOptions(OptionList& options) {
    options.group("Input");
    options.file("MODEL", question.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.file("--etrecord", question.beside.record,
                 "ETRecord of the export, for modules and source lines");
    options.file("--etdump", question.beside.trace,
                 "Trace (ETDump) with allocations, for memory beside the plan");
    options.text("--method", question.method, "Show only this method").takes("NAME");
    options.group("Output");
    options.integer("--top", top, "Number of tensors and constants to list; 0: all (default: 10)");
    options.flag("--what-if", question.whatIf, "Show what other plans would take");
    options.choice("--format", format, memoryFormats, "Output format (default: table)");
    addOutputFile(options, output);
}

std::string MemoryVerb::render(const MemoryPage& page, const Console& console) const {
    switch (format) {
        case MemoryFormat::Json:
            return page.json();
        case MemoryFormat::Csv:
            return output.toTerminal(console) ? terminalSafe(page.csv()) : page.csv();
        case MemoryFormat::Svg:
            return page.picture();
        case MemoryFormat::Table:
            break;
    }
    return page.text(top);
}

Result<ExitCode> MemoryVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const MemoryPage page, MemoryPage::open(question));
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
    ET_TRY(deliver(invocation.console, output, producerOf(render(page, invocation.console)), inputs));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeMemoryVerb() {
    return std::make_unique<MemoryVerb>();
}

}  // namespace et::app

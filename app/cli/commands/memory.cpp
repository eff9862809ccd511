#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/pages/info/artifact_info.h"
#include "app/pages/info/info_text.h"
#include "app/pages/info/summed.h"
#include "app/pages/memory/memory_info.h"
#include "app/tasks/program_file.h"
#include "inspector/format/json_text.h"
#include "inspector/generation/language_metadata.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/memory/memory_picture.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/record_check.h"
#include "inspector/session/session.h"
#include "inspector/session/trace_check.h"

#include <fmt/format.h>

#include <algorithm>
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
using inspector::InstructionNodes;
using inspector::MemoryTimeline;

enum class MemoryFormat : std::uint8_t { Table, Json, Csv, Svg };

constexpr std::array memoryFormats{Choice{"table", MemoryFormat::Table}, Choice{"json", MemoryFormat::Json},
                                   Choice{"csv", MemoryFormat::Csv}, Choice{"svg", MemoryFormat::Svg}};

constexpr std::int64_t memorySchema = 1;

/// What was looked at: of each method its memory.
struct Looked {
    std::vector<MemoryTimeline> timelines;
    std::vector<InstructionNodes> nodes;
    std::vector<std::vector<inspector::WhatIf>> whatIfs;
    std::vector<std::vector<inspector::MeasuredBytes>> measured;
    std::vector<std::vector<inspector::AllocatorUse>> allocations;
    std::uint64_t context = 0;  ///< positions of a language model's text; 0: the program does not say
};

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
    [[nodiscard]] Result<Looked> look(const program::Program& program, const inspector::Session& beside,
                                      std::vector<std::string>& warnings) const;
    [[nodiscard]] static Result<> measure(Looked& looked, const program::Program& program,
                                          const inspector::Session& beside);
    [[nodiscard]] Result<std::vector<inspector::WhatIf>> plansOf(const MemoryTimeline& timeline) const;
    [[nodiscard]] std::string render(const Looked& looked, const std::vector<std::string>& warnings) const;
    [[nodiscard]] std::string renderInfo(const Looked& looked,
                                         const std::vector<std::string>& warnings) const;

    fs::path model;
    inspector::SessionFiles files;
    std::string method;
    std::size_t top = 10;
    bool whatIf = false;
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
    options.file("MODEL", model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.file("--etrecord", files.record, "ETRecord of the export, for modules and source lines");
    options.file("--etdump", files.trace, "Trace (ETDump) with allocations, for memory beside the plan");
    options.text("--method", method, "Show only this method").takes("NAME");
    options.group("Output");
    options.integer("--top", top, "Number of tensors and constants to list; 0: all (default: 10)");
    options.flag("--what-if", whatIf, "Show what other plans would take");
    options.choice("--format", format, memoryFormats, "Output format (default: table)");
    addOutputFile(options, output);
}

Result<std::vector<inspector::WhatIf>> MemoryVerb::plansOf(const MemoryTimeline& timeline) const {
    std::vector<inspector::WhatIf> out;
    for (const inspector::PlanChoice& plan : inspector::planChoices()) {
        if (whatIf) {
            ET_ASSIGN(auto planned, inspector::planAgain(timeline, plan.strategy, plan.alignment));
            out.push_back(std::move(planned));
        }
    }
    return out;
}

Result<> MemoryVerb::measure(Looked& looked, const program::Program& program,
                             const inspector::Session& beside) {
    bool found = beside.blocks == nullptr;
    for (const MemoryTimeline& timeline : looked.timelines) {
        looked.measured.emplace_back();
        looked.allocations.emplace_back();
        if (beside.blocks != nullptr) {
            looked.measured.back() = inspector::measuredMemory(*beside.trace, *timeline.method);
            looked.allocations.back() =
                inspector::allocationsOf(*beside.blocks, *timeline.method, program.methods.size() == 1);
            found = found || !looked.measured.back().empty() || !looked.allocations.back().empty();
        }
    }
    if (!found) {
        return core::fail(core::ErrorCode::NotFound,
                          "no allocations are recorded of the program: run --allocations does",
                          {.file = beside.files.trace.string(), .field = {}, .offset = {}});
    }
    return {};
}

Result<Looked> MemoryVerb::look(const program::Program& program, const inspector::Session& beside,
                                std::vector<std::string>& warnings) const {
    const etrecord::Record* const from = beside.record.get();
    Looked looked;
    const auto context = inspector::languageMetadata(program).maxContext;
    looked.context = static_cast<std::uint64_t>(std::max<std::int64_t>(context.value_or(0), 0));
    for (const program::Method& each : program.methods) {
        if (!method.empty() && each.name != method) {
            continue;
        }
        ET_ASSIGN(auto timeline, MemoryTimeline::build(each, program.namedData));
        ET_ASSIGN(auto again, plansOf(timeline));
        for (const inspector::PlanOverlap& overlap : timeline.overlaps) {
            warnings.push_back(
                fmt::format("method \"{}\": {}", core::printable(each.name), describe(overlap, timeline)));
        }
        const auto wrong = from == nullptr ? std::nullopt : inspector::contradiction(*from, each);
        if (wrong) {
            warnings.push_back(*wrong);
        }
        looked.timelines.push_back(std::move(timeline));
        looked.nodes.emplace_back(wrong ? nullptr : from, each.name);
        looked.whatIfs.push_back(std::move(again));
    }
    if (looked.timelines.empty() && !method.empty()) {
        return core::fail(core::ErrorCode::NotFound,
                          fmt::format("the program has no method \"{}\"", core::printable(method)));
    }
    const auto wrong =
        beside.blocks == nullptr ? std::nullopt : inspector::contradiction(*beside.blocks, program);
    if (wrong) {
        warnings.push_back("the trace is of another program: " + *wrong);
    }
    auto measured = measure(looked, program, beside);
    if (!measured && wrong) {
        measured.error().message = warnings.back();
    }
    ET_TRY(measured);
    return looked;
}

std::string MemoryVerb::renderInfo(const Looked& looked, const std::vector<std::string>& warnings) const {
    List methods;
    for (std::size_t i = 0; i < looked.timelines.size(); ++i) {
        methods.emplace_back(memoryInfo(looked.timelines[i], looked.nodes[i],
                                        {.forPeople = format == MemoryFormat::Table,
                                         .top = top,
                                         .record = !files.record.empty(),
                                         .whatIfs = looked.whatIfs[i],
                                         .measured = looked.measured[i],
                                         .allocations = looked.allocations[i],
                                         .context = looked.context}));
    }
    if (format == MemoryFormat::Table) {
        Dict all{{"file", model.string()}, {"methods", std::move(methods)}};
        return infoText(top == 0 ? all : summed(std::move(all)), 0);
    }
    std::string text;
    inspector::report::appendJson(text, Dict{{"schema", memorySchema},
                                             {"file", model.string()},
                                             {"methods", std::move(methods)},
                                             {"warnings", List(warnings.begin(), warnings.end())}});
    return text + "\n";
}

std::string MemoryVerb::render(const Looked& looked, const std::vector<std::string>& warnings) const {
    if (format == MemoryFormat::Csv) {
        inspector::report::Table table = tensorTable();
        for (std::size_t i = 0; i < looked.timelines.size(); ++i) {
            addRows(table, looked.timelines[i], looked.nodes[i]);
        }
        return inspector::report::render(table, inspector::report::Format::Csv);
    }
    if (format == MemoryFormat::Svg) {
        std::vector<inspector::MemoryView> views;
        views.reserve(looked.timelines.size());
        for (std::size_t i = 0; i < looked.timelines.size(); ++i) {
            views.push_back({.timeline = looked.timelines[i], .nodes = looked.nodes[i]});
        }
        return inspector::memoryPicture(views);
    }
    return renderInfo(looked, warnings);
}

Result<ExitCode> MemoryVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const ProgramFile opened, ProgramFile::open(model));
    ET_ASSIGN(const auto beside, inspector::Session::open(files));
    std::vector<fs::path> inputs{model, files.record, files.trace};
    std::erase(inputs, fs::path{});
    std::vector<std::string> warnings;
    const auto looked = look(*opened.program, *beside, warnings);
    if (!looked) {
        return std::unexpected(core::Error(looked.error()).in(model.string()));
    }
    constexpr std::size_t maxWarnings = 10;
    for (std::size_t i = 0; i < std::min(warnings.size(), maxWarnings); ++i) {
        invocation.console.warn(warnings[i]);
    }
    if (warnings.size() > maxWarnings) {
        invocation.console.warn(fmt::format("{} more of this kind", warnings.size() - maxWarnings));
    }
    std::string text = render(*looked, warnings);
    if (format == MemoryFormat::Csv && output.toTerminal(invocation.console)) {
        text = terminalSafe(text);
    }
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeMemoryVerb() {
    return std::make_unique<MemoryVerb>();
}

}  // namespace et::app

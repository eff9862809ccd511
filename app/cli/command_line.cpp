#include "app/cli/command_line.h"

#include "app/cli/commands/commands.h"
#include "app/cli/help_text.h"
#include "app/cli/interruption_report.h"
#include "app/cli/parser.h"
#include "app/cli/version.h"
#include "runtime/core/mapped_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr const char* program = "et-inspect";

CommandDoc describe(std::string_view group, const Command& command, const OptionList& options) {
    CommandDoc doc{.name = std::string(command.name().empty() ? program : command.name()),
                   .group = std::string(group),
                   .summary = std::string(command.summary()),
                   .details = command.details(),
                   .options = {},
                   .glossaries = command.glossaries(),
                   .examples = command.examples(),
                   .commands = {}};
    std::ranges::copy_if(options.all(), std::back_inserter(doc.options),
                         [](const Option& option) { return !option.hidden; });
    return doc;
}

/// The current value of an option; empty if there is none.
std::string valueOf(const OptionList& options, std::string_view name) {
    const auto found =
        std::ranges::find_if(options.all(), [&](const Option& each) { return each.name() == name; });
    const auto values = found == options.all().end() ? std::vector<std::string>() : found->values();
    return values.empty() ? std::string() : values.front();
}

/// Only text and tables have colors.
bool printsColours(const OptionList& options, const Console& console) {
    const std::string format = valueOf(options, "--format");
    const std::string colour = valueOf(options, "--color");
    const bool isTable = (format.empty() || format == "table" || format == "text" || format == "github") &&
                         valueOf(options, "--tsv").empty();
    return isTable && (colour == "always" || (colour != "never" && console.wantsColour()));
}

}  // namespace

std::vector<CommandGroup> builtinCommands() {
    const std::pair<std::string_view, std::vector<CommandFactory>> groups[] = {
        {"", {makeTableCommand}},
        {"Inspect a model",
         {makeEventsCommand, makeInfoCommand, makeGraphCommand, makeTensorsCommand, makeSizeCommand,
          makeMemoryCommand, makeDelegatesCommand, makeFindingsCommand, makeSqlCommand}},
        {"Measure",
         {makeRunCommand, makeBenchCommand, makePipelineCommand, makeCountersCommand, makeMachineCommand,
          makeRooflineCommand, makeShapesCommand, makeTrainCommand}},
        {"Compare", {makeCompareCommand, makeDiffCommand, makeBaselineCommand}},
        {"Check correctness",
         {makeExplainCommand, makeVerifyCommand, makeGapCommand, makeDebugCommand, makeSoakCommand,
          makeReduceCommand, makeProbeCommand, makeBundleCommand}},
        {"Shrink and quantize",
         {makeLowerCommand, makeQuantizeCommand, makeSensitivityCommand, makeOptimizeCommand,
          makeReplanCommand, makeExtractCommand}},
        {"Language models",
         {makeGenerateCommand, makePerplexityCommand, makeGrowthCommand, makeTokenizeCommand}},
        {"Devices and teams", {makeTargetCommand, makeFitCommand, makeImportCommand, makeTrendCommand}},
        {"Files",
         {makeSessionCommand, makeReportCommand, makeExportCommand, makePluginCommand, makeSampleCommand,
          makeServeCommand, makeMcpCommand, makeCompletionsCommand, makeHelpCommand, makeManCommand}},
    };
    std::vector<CommandGroup> all;
    for (const auto& [title, factories] : groups) {
        CommandGroup& group = all.emplace_back(title);
        for (const CommandFactory make : factories) {
            group.commands.push_back(make());
        }
    }
    return all;
}

CommandLine::CommandLine(std::vector<CommandGroup> groups) {
    for (CommandGroup& group : groups) {
        for (std::unique_ptr<Command>& command : group.commands) {
            Entry& entry = entries.emplace_back(group.title, std::move(command));
            entry.options.help();
            if (entries.size() == 1) {
                entry.options
                    .flag("--verbose", detailed, "With --version: also print build, compiler and libraries")
                    .in("Options")
                    .onlyWith("--version");
                entry.options.version();
            }
            entry.command->addOptions(entry.options);
        }
    }
}

CommandDoc CommandLine::documentation() const {
    CommandDoc doc = describe({}, *entries.front().command, entries.front().options);
    for (const Entry& entry : std::span(entries).subspan(1)) {
        if (!entry.command->isHidden()) {
            doc.commands.push_back(describe(entry.group, *entry.command, entry.options));
        }
    }
    return doc;
}

std::string CommandLine::help(const Entry& entry, const Console& console) const {
    if (&entry == entries.data()) {
        return helpText(documentation(), "", console.width());
    }
    return helpText(describe(entry.group, *entry.command, entry.options), program, console.width());
}

Result<tasks::ExitCode> CommandLine::parseAndRun(int argc, const char* const* argv, Console& console) {
    if (argc < 2) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a trace or a command; see '{} --help'", program));
    }
    std::vector<CommandSyntax> syntax;
    syntax.reserve(entries.size());
    for (const Entry& entry : entries) {
        syntax.push_back(
            {.name = syntax.empty() ? program : entry.command->name(), .options = entry.options});
    }
    ET_ASSIGN(const Parsed parsed, parse(syntax, argc, argv));
    const Entry& entry = entries[parsed.command];
    switch (parsed.request) {
        case Request::Version:
            ET_TRY(console.out(detailed ? versionDetails() : fmt::format("{} {}\n", program, version)));
            return tasks::ExitCode::Fine;
        case Request::Help:
            ET_TRY(console.out(help(entry, console)));
            return tasks::ExitCode::Fine;
        case Request::Run:
            break;
    }
    console.expectColours(printsColours(entry.options, console));
    return entry.command->run({.console = console, .documentation = [this] { return documentation(); }});
}

tasks::ExitCode CommandLine::run(int argc, const char* const* argv, Console& console) {
    const Result<tasks::ExitCode> code = parseAndRun(argc, argv, console);
    if (const auto file = core::firstCutOffFile()) {
        // All output so far was computed from zeros.
        console.complain(core::cutOffWhileRead(*file).toString());
        return tasks::ExitCode::Unreadable;
    }
    const tasks::InterruptionInfo& end = tasks::infoOf(tasks::InterruptionGuard::cause());
    if (code && (*code == end.code || !tasks::InterruptionGuard::isBySignal())) {
        return *code;
    }
    // A result or an error after a signal may be that of unfinished work.
    if (tasks::InterruptionGuard::isBySignal() ||
        (code.error().code == ErrorCode::Cancelled && end.cause != tasks::Interruption::None)) {
        return reportInterruption(console);
    }
    console.complain(code.error().toString());
    return tasks::exitCode(code.error().code);
}

}  // namespace et::cli

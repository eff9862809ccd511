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
#include <utility>

namespace et::app {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr const char* program = "et-inspect";

CommandDoc describe(const Verb& verb, const OptionList& options) {
    CommandDoc doc{.name = std::string(verb.name().empty() ? program : verb.name()),
                   .summary = std::string(verb.summary()),
                   .details = verb.details(),
                   .options = {},
                   .glossaries = verb.glossaries(),
                   .examples = verb.examples(),
                   .verbs = {}};
    std::ranges::copy_if(options.all(), std::back_inserter(doc.options),
                         [](const Option& option) { return !option.hidden; });
    return doc;
}

}  // namespace

std::vector<std::unique_ptr<Verb>> builtinVerbs() {
    std::vector<std::unique_ptr<Verb>> verbs;
    verbs.push_back(makeTableVerb());
    verbs.push_back(makeInfoVerb());
    verbs.push_back(makeRunVerb());
    verbs.push_back(makeGenerateVerb());
    verbs.push_back(makePerplexityVerb());
    verbs.push_back(makeGrowthVerb());
    verbs.push_back(makeTokenizeVerb());
    verbs.push_back(makeBenchVerb());
    verbs.push_back(makeTargetVerb());
    verbs.push_back(makeCompareVerb());
    verbs.push_back(makeBaselineVerb());
    verbs.push_back(makeImportVerb());
    verbs.push_back(makeTrendVerb());
    verbs.push_back(makeDelegatesVerb());
    verbs.push_back(makeUndelegatedVerb());
    verbs.push_back(makeBundleVerb());
    verbs.push_back(makeMemoryVerb());
    verbs.push_back(makeSizeVerb());
    verbs.push_back(makeFitVerb());
    verbs.push_back(makeLowerVerb());
    verbs.push_back(makeQuantizeVerb());
    verbs.push_back(makeSensitivityVerb());
    verbs.push_back(makeOptimizeVerb());
    verbs.push_back(makeReplanVerb());
    verbs.push_back(makeExtractVerb());
    verbs.push_back(makeReduceVerb());
    verbs.push_back(makeSoakVerb());
    verbs.push_back(makeShapesVerb());
    verbs.push_back(makeMachineVerb());
    verbs.push_back(makeRooflineVerb());
    verbs.push_back(makeCountersVerb());
    verbs.push_back(makeTensorsVerb());
    verbs.push_back(makeGraphVerb());
    verbs.push_back(makeVerifyVerb());
    verbs.push_back(makeDiffVerb());
    verbs.push_back(makeGapVerb());
    verbs.push_back(makeFindingsVerb());
    verbs.push_back(makeSqlVerb());
    verbs.push_back(makeReportVerb());
    verbs.push_back(makeSessionVerb());
    verbs.push_back(makeExportVerb());
    verbs.push_back(makeSampleVerb());
    verbs.push_back(makeCompletionsVerb());
    verbs.push_back(makeManVerb());
    return verbs;
}

CommandLine::CommandLine(std::vector<std::unique_ptr<Verb>> verbs) {
    for (std::unique_ptr<Verb>& verb : verbs) {
        Command& command = commands.emplace_back(std::move(verb));
        command.options.help();
        if (commands.size() == 1) {
            command.options.version();
        }
        command.verb->addOptions(command.options);
    }
}

CommandDoc CommandLine::documentation() const {
    CommandDoc doc = describe(*commands.front().verb, commands.front().options);
    for (const Command& command : std::span(commands).subspan(1)) {
        if (!command.verb->hidden()) {
            doc.verbs.push_back(describe(*command.verb, command.options));
        }
    }
    return doc;
}

std::string CommandLine::help(const Command& command, const Console& console) const {
    if (&command == commands.data()) {
        return helpText(documentation(), "", console.width());
    }
    return helpText(describe(*command.verb, command.options), program, console.width());
}

Result<ExitCode> CommandLine::parseAndRun(int argc, const char* const* argv, Console& console) {
    if (argc < 2) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a trace or a verb; see '{} --help'", program));
    }
    std::vector<CommandSyntax> syntax;
    syntax.reserve(commands.size());
    for (const Command& command : commands) {
        syntax.push_back(
            {.name = syntax.empty() ? program : command.verb->name(), .options = command.options});
    }
    ET_ASSIGN(const Parsed parsed, parse(syntax, argc, argv));
    const Command& command = commands[parsed.command];
    switch (parsed.request) {
        case Request::Version:
            ET_TRY(console.out(fmt::format("{} {}\n", program, version)));
            return ExitCode::Fine;
        case Request::Help:
            ET_TRY(console.out(help(command, console)));
            return ExitCode::Fine;
        case Request::Run:
            break;
    }
    return command.verb->run({.console = console, .documentation = [this] { return documentation(); }});
}

ExitCode CommandLine::run(int argc, const char* const* argv, Console& console) {
    const Result<ExitCode> code = parseAndRun(argc, argv, console);
    if (const auto file = core::firstCutOffFile()) {
        // All output so far was computed from zeros.
        console.complain(core::cutOffWhileRead(*file).toString());
        return ExitCode::Unreadable;
    }
    if (code) {
        return *code;
    }
    if (code.error().code == ErrorCode::Cancelled && InterruptionGuard::cause() != Interruption::None) {
        return reportInterruption(console);
    }
    console.complain(code.error().toString());
    return exitCode(code.error().code);
}

}  // namespace et::app

#include "app/cli/command_line.h"

#include "app/cli/commands/commands.h"
#include "app/cli/help_text.h"
#include "app/cli/version.h"
#include "app/tasks/suggestion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr const char* program = "et-inspect";

std::vector<std::string> optionNames(const CLI::App& parser) {
    std::vector<std::string> names;
    for (const CLI::Option* option : parser.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

/// The command as the user types it: "et-inspect info".
std::string commandName(const CLI::App& parser) {
    const CLI::App* parent = parser.get_parent();
    return parent == nullptr ? parser.get_name()
                             : fmt::format("{} {}", parent->get_name(), parser.get_name());
}

std::string withHint(std::string_view message, const CLI::App& parser) {
    return fmt::format("{}; see '{} --help'", message, commandName(parser));
}

Result<> print(Console& console, const std::string& text) {
    return console.out(text);
}

ExitCode conclude(const Result<>& written, Console& console) {
    if (written) {
        return ExitCode::Fine;
    }
    console.complain(written.error().toString());
    return exitCode(written.error().code);
}

}  // namespace

std::vector<std::unique_ptr<Verb>> builtinVerbs() {
    std::vector<std::unique_ptr<Verb>> verbs;
    verbs.push_back(makeTableVerb());
    verbs.push_back(makeInfoVerb());
    verbs.push_back(makeRunVerb());
    verbs.push_back(makeBenchVerb());
    verbs.push_back(makeCompareVerb());
    verbs.push_back(makeBaselineVerb());
    verbs.push_back(makeDelegatesVerb());
    verbs.push_back(makeBundleVerb());
    verbs.push_back(makeMemoryVerb());
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
        Command command{.verb = std::move(verb)};
        const std::string summary(command.verb->summary());
        if (root == nullptr) {
            root = std::make_unique<CLI::App>(summary, program);
            root->set_help_flag("-h,--help", "Print this help");
            root->set_version_flag("--version", std::string(version), "Print the version");
            root->require_subcommand(0, 1);
            root->allow_extras();
            command.parser = root.get();
        } else {
            command.parser = root->add_subcommand(std::string(command.verb->name()), summary);
            command.parser->allow_extras();
        }
        command.parser->option_defaults()->group("Options")->multi_option_policy(
            CLI::MultiOptionPolicy::TakeLast);
        command.verb->addOptions(*command.parser);
        commands.push_back(std::move(command));
    }
}

CommandLine::~CommandLine() = default;

CommandDoc CommandLine::describeCommand(const Command& command) const {
    CommandDoc doc = describe(*command.parser);
    doc.details = command.verb->details();
    doc.glossaries = command.verb->glossaries();
    doc.examples = command.verb->examples();
    return doc;
}

CommandDoc CommandLine::documentation() const {
    CommandDoc doc = describeCommand(commands.front());
    for (const Command& command : std::span(commands).subspan(1)) {
        if (!command.verb->hidden()) {
            doc.verbs.push_back(describeCommand(command));
        }
    }
    return doc;
}

CommandLine::Command& CommandLine::chosenCommand() {
    const std::vector<CLI::App*> chosen = root->get_subcommands();
    const CLI::App* parser = chosen.empty() ? root.get() : chosen.front();
    return *std::ranges::find(commands, parser, &Command::parser);
}

Result<> CommandLine::parse(int argc, const char* const* argv) {
    try {
        root->parse(argc, argv);
    } catch (const CLI::Success&) {
        throw;  // --help and --version
    } catch (const CLI::ArgumentMismatch& error) {
        // "--top: 1 required N missing": the last of a repeated option counts, so nothing else can be amiss.
        const std::string_view what = error.what();
        return fail(ErrorCode::InvalidArgument,
                    withHint(fmt::format("{} needs a value", what.substr(0, what.find(':'))),
                             *chosenCommand().parser));
    } catch (const CLI::RequiredError& error) {
        // An option that nobody knows may be the one that is missing, misspelt.
        ET_TRY(checkArguments(chosenCommand()));
        return fail(ErrorCode::InvalidArgument, withHint(error.what(), *chosenCommand().parser));
    } catch (const CLI::ParseError& error) {
        return fail(ErrorCode::InvalidArgument, withHint(error.what(), *chosenCommand().parser));
    }
    return checkArguments(chosenCommand());
}

Result<> CommandLine::checkArguments(const Command& chosen) const {
    for (const std::string& extra : chosen.parser->remaining(true)) {
        if (extra == "--") {
            continue;  // CLI11 keeps the end of the options among what it does not know
        }
        const std::string_view name = std::string_view(extra).substr(0, extra.find('='));
        const bool option = name.starts_with('-');
        const std::string message =
            option ? fmt::format("unknown option '{}'{}", name, didYouMean(name, optionNames(*chosen.parser)))
                   : fmt::format("unexpected argument '{}'", extra);
        return fail(ErrorCode::InvalidArgument, withHint(message, *chosen.parser));
    }
    if (chosen.parser == root.get()) {
        return {};
    }
    for (const CLI::Option* option : root->get_options()) {
        if (option->count() > 0) {
            return fail(
                ErrorCode::InvalidArgument,
                withHint(fmt::format("{} does not go with '{}'", option->get_name(), chosen.verb->name()),
                         *chosen.parser));
        }
    }
    return {};
}

ExitCode CommandLine::runVerb(const Command& chosen, Console& console) const {
    const Invocation invocation{.console = console, .documentation = [this] { return documentation(); }};
    const Result<ExitCode> code = chosen.verb->run(invocation);
    if (code) {
        return *code;
    }
    console.complain(code.error().toString());
    return exitCode(code.error().code);
}

ExitCode CommandLine::run(int argc, const char* const* argv, Console& console) {
    if (argc < 2) {
        console.complain(withHint("give a trace or a verb", *root));
        return ExitCode::Usage;
    }
    try {
        if (const Result<> parsed = parse(argc, argv); !parsed) {
            return conclude(parsed, console);
        }
    } catch (const CLI::CallForVersion&) {
        return conclude(print(console, fmt::format("{} {}\n", program, version)), console);
    } catch (const CLI::Success&) {
        const Command& asked = chosenCommand();
        const CommandDoc doc = asked.parser == root.get() ? documentation() : describeCommand(asked);
        return conclude(
            print(console, helpText(doc, asked.parser == root.get() ? "" : program, console.width())),
            console);
    }
    return runVerb(chosenCommand(), console);
}

}  // namespace et::cli

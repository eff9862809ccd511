#include "app/cli/parser.h"

#include "app/cli/command_doc.h"
#include "app/cli/session_file.h"
#include "app/cli/standard_input.h"
#include "app/tasks/base/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Returns "-o,--output,--out", the format of names in CLI11.
std::string spelled(const Option& option) {
    std::vector<std::string> names = option.names;
    names.insert(names.end(), option.aliases.begin(), option.aliases.end());
    return fmt::format("{}", fmt::join(names, ","));
}

/// A rejected value, passed through CLI11 as an exception.
struct Refused : CLI::ValidationError {
    Refused(const std::string& option, core::Error error)
        : ValidationError(option, error.message), cause(std::move(error)) {}
    core::Error cause;
};

Result<> storeValue(const CommandSyntax& command, const Option& option, const std::string& value) {
    if (option.kind == OptionKind::InputFile && value == "-") {
        ET_ASSIGN(const std::filesystem::path path, standardInput());
        return option.store(path.string());
    }
    ET_ASSIGN(const std::vector<SessionValue> stored, filesOfSession(option, command.options, value));
    for (const SessionValue& each : stored) {
        ET_TRY(each.option->store(each.path));
    }
    return stored.empty() ? option.store(value) : Result<>();
}

/// Stores a file of `argument` and its ETRecord, given in any order and distinguished by content.
Result<> storeModel(const CommandSyntax& command, const Option& argument, const Option& record,
                    std::span<const std::string> values) {
    std::vector<std::string> models;
    std::vector<std::string> records;
    for (const std::string& value : values) {
        (values.size() > 1 && isRecord(value) ? records : models).push_back(value);
    }
    if (models.empty()) {
        models.swap(records);
    }
    std::vector<std::string>& surplus = models.size() > 1 ? models : records;
    if (surplus.size() > 1 || (surplus.size() == 1 && models.size() > 1)) {
        return fail(ErrorCode::InvalidArgument, fmt::format("unexpected argument '{}'", surplus[1]));
    }
    ET_TRY(storeValue(command, argument, models.front()));
    return records.empty() ? Result<>() : storeValue(command, record, records.front());
}

/// Declares a positional argument that an ETRecord may accompany.
CLI::Option* declareModel(CLI::App& app, const CommandSyntax& command, const Option& argument,
                          const Option& record) {
    const CLI::callback_t store = [&command, &argument, &record](const CLI::results_t& values) {
        if (auto stored = storeModel(command, argument, record, values); !stored) {
            throw Refused(argument.names.back(), std::move(stored).error());
        }
        return true;
    };
    return app.add_option(argument.name(), store, argument.help)
        ->type_name(argument.value)
        ->required(argument.required)
        ->expected(CLI::detail::expected_max_vector_size)
        ->take_all()
        ->allow_extra_args(true);
}

CLI::Option* declareValue(CLI::App& app, const CommandSyntax& command, const Option& option) {
    const CLI::callback_t store = [&command, &option](const CLI::results_t& values) {
        for (const std::string& value : values) {
            if (auto stored = storeValue(command, option, value); !stored) {
                throw Refused(option.names.back(), std::move(stored).error());
            }
        }
        return true;
    };
    CLI::Option* const declared = app.add_option(spelled(option), store, option.help);
    declared->type_name(option.value)->required(option.required);
    if (option.repeatable) {
        declared->expected(CLI::detail::expected_max_vector_size)->take_all();
        declared->allow_extra_args(option.positional);
    } else {
        declared->take_last();
    }
    return option.list ? declared->delimiter(',') : declared;
}

CLI::Option* declare(CLI::App& app, const CommandSyntax& command, const Option& option) {
    if (const Option* record = recordOption(option, command.options.all())) {
        return declareModel(app, command, option, *record);
    }
    switch (option.kind) {
        case OptionKind::Help:
            return app.set_help_flag(spelled(option), option.help);
        case OptionKind::Version:
            return app.set_version_flag(spelled(option), std::string(), option.help);
        case OptionKind::Flag:
            return app.add_flag_function(
                spelled(option),
                [&option](std::int64_t count) {
                    if (count > 0) {
                        static_cast<void>(option.store({}));
                    }
                },
                option.help);
        default:
            return declareValue(app, command, option);
    }
}

void declareAll(CLI::App& app, const CommandSyntax& command) {
    std::map<std::string, CLI::Option*> byName;
    for (const Option& option : command.options.all()) {
        byName[option.names.back()] = declare(app, command, option);
    }
    for (const Option& option : command.options.all()) {
        CLI::Option* const declared = byName.at(option.names.back());
        if (!option.needs.empty()) {
            declared->needs(byName.at(option.needs));
        }
        if (!option.excludes.empty()) {
            declared->excludes(byName.at(option.excludes));
        }
    }
}

/// The commands as a CLI11 parser.
class Parser {
  public:
    /// Only commands named in the arguments get their options, because adding all of them takes milliseconds.
    Parser(std::span<const CommandSyntax> given, std::span<const char* const> arguments)
        : syntax(given), root(std::string(), std::string(given.front().name)) {
        root.require_subcommand(0, 1);
        for (const CommandSyntax& each : syntax) {
            CLI::App* const app = apps.empty() ? &root : root.add_subcommand(std::string(each.name));
            app->allow_extras();
            if (app == &root || std::ranges::contains(arguments, each.name, [](const char* argument) {
                    return std::string_view(argument);
                })) {
                declareAll(*app, each);
            }
            apps.push_back(app);
        }
    }

    Result<Parsed> parse(int argc, const char* const* argv) {
        ET_TRY(checkCommand(argc, argv));
        try {
            root.parse(argc, argv);
        } catch (const CLI::CallForVersion&) {
            return Parsed{.request = Request::Version, .command = chosen()};
        } catch (const CLI::Success&) {
            return Parsed{.request = Request::Help, .command = chosen()};
        } catch (const CLI::ArgumentMismatch& error) {
            // "--top: 1 required N missing": since the last of a repeated option is used, this is the only
            // possible error.
            const std::string_view what = error.what();
            return wrong(fmt::format("{} needs a value", what.substr(0, what.find(':'))), chosen());
        } catch (const Refused& error) {
            if (error.cause.code == ErrorCode::InvalidArgument) {
                // The value of an unknown option looks like one argument too many.
                ET_TRY(checkExtras(chosen()));
            }
            return error.cause.code == ErrorCode::InvalidArgument ? wrong(error.what(), chosen())
                                                                  : std::unexpected(error.cause);
        } catch (const CLI::RequiredError& error) {
            // An unknown option may be a misspelling of the missing one.
            ET_TRY(checkExtras(chosen()));
            return wrong(error.what(), chosen());
        } catch (const CLI::ParseError& error) {
            return wrong(error.what(), chosen());
        }
        ET_TRY(checkExtras(chosen()));
        ET_TRY(checkProgramOptions());
        if (auto kept = refuseToReplaceSessions(syntax[chosen()].options); !kept) {
            return wrong(kept.error().message, chosen());
        }
        return Parsed{.request = Request::Run, .command = chosen()};
    }

  private:
    [[nodiscard]] std::size_t chosen() const {
        const std::vector<CLI::App*> found = root.get_subcommands();
        const CLI::App* const app = found.empty() ? &root : found.front();
        return static_cast<std::size_t>(std::ranges::find(apps, app) - apps.begin());
    }

    [[nodiscard]] std::unexpected<core::Error> wrong(std::string_view message, std::size_t command) const {
        const std::string_view program = syntax.front().name;
        return fail(ErrorCode::InvalidArgument,
                    command == 0
                        ? fmt::format("{}; see '{} --help'", message, program)
                        : fmt::format("{}; see '{} {} --help'", message, program, syntax[command].name));
    }

    /// A first argument that does not look like a file, and does not exist, was meant as a command.
    [[nodiscard]] Result<> checkCommand(int argc, const char* const* argv) const {
        const std::string argument = argc > 1 ? argv[1] : "";
        std::error_code unknown;
        if (argument.empty() || argument.starts_with('-') ||
            argument.find_first_of("./") != std::string::npos ||
            std::ranges::contains(syntax, argument, &CommandSyntax::name) ||
            std::filesystem::exists(argument, unknown)) {
            return {};
        }
        std::vector<std::string> commands;
        for (const CommandSyntax& each : syntax.subspan(1)) {
            commands.emplace_back(each.name);
        }
        return wrong(fmt::format("unknown command '{}'{}", argument, tasks::didYouMean(argument, commands)),
                     0);
    }

    [[nodiscard]] Result<> checkExtras(std::size_t command) const {
        std::vector<std::string> extras = apps[command]->remaining(true);
        std::erase(extras, "--");  // CLI11 lists the end-of-options marker among the unknown arguments
        if (extras.empty()) {
            return {};
        }
        const std::string& extra = extras.front();
        if (!extra.starts_with('-')) {
            return wrong(fmt::format("unexpected argument '{}'", extra), command);
        }
        std::vector<std::string> names;
        for (const Option& option : syntax[command].options.all()) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            names.insert(names.end(), option.aliases.begin(), option.aliases.end());
        }
        std::erase_if(names, [](const std::string& name) { return !name.starts_with("--"); });
        const std::string name = extra.substr(0, extra.find('='));
        return wrong(fmt::format("unknown option '{}'{}", name, tasks::didYouMean(name, names)), command);
    }

    /// Options before the command belong to the program; commands do not accept them.
    [[nodiscard]] Result<> checkProgramOptions() const {
        const std::size_t command = chosen();
        for (const CLI::Option* option : root.get_options()) {
            if (command != 0 && option->count() > 0) {
                return wrong(
                    fmt::format("{} cannot be combined with '{}'", option->get_name(), syntax[command].name),
                    command);
            }
        }
        return {};
    }

    std::span<const CommandSyntax> syntax;
    CLI::App root;
    std::vector<CLI::App*> apps;  ///< one per command; the first is `root`
};

}  // namespace

Result<Parsed> parse(std::span<const CommandSyntax> commands, int argc, const char* const* argv) {
    return Parser(commands, {argv, static_cast<std::size_t>(argc)}).parse(argc, argv);
}

}  // namespace et::cli

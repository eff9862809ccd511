#include "app/tasks/base/option_list.h"

#include "app/tasks/base/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

template <class T>
std::optional<T> parsed(const std::string& given) {
    T number{};
    const char* const last = given.data() + given.size();
    const auto [end, error] = std::from_chars(given.data(), last, number);
    return error == std::errc{} && end == last ? std::optional(number) : std::nullopt;
}

struct TimeUnit {
    std::string_view name;
    double seconds;
};
constexpr std::array timeUnits{TimeUnit{"", 1}, TimeUnit{"ms", 0.001}, TimeUnit{"s", 1}, TimeUnit{"m", 60},
                               TimeUnit{"h", 3600}};

/// Parses "90s"; seconds without a unit.
std::optional<double> parsedDuration(std::string_view given) {
    double number = 0;
    const char* const last = given.data() + given.size();
    const auto [end, error] = std::from_chars(given.data(), last, number);
    const auto* const unit = std::ranges::find(timeUnits, std::string_view(end, last), &TimeUnit::name);
    return error == std::errc{} && unit != timeUnits.end() ? std::optional(number * unit->seconds)
                                                           : std::nullopt;
}

std::string absolute(const std::string& path) {
    std::error_code unknown;
    const fs::path absolute = fs::absolute(path, unknown);
    return unknown ? path : absolute.string();
}

std::vector<std::string> notEmpty(const std::string& text) {
    return text.empty() ? std::vector<std::string>() : std::vector{text};
}

template <class T>
std::vector<std::string> textOf(const std::optional<T>& number) {
    return number ? std::vector{fmt::format("{}", *number)} : std::vector<std::string>();
}

}  // namespace

Option& Option::takes(std::string_view valueName) {
    value = valueName;
    return *this;
}

Option& Option::in(std::string_view heading) {
    group = heading;
    return *this;
}

Option& Option::mustBeGiven() {
    required = true;
    return *this;
}

Option& Option::withoutHelp() {
    hidden = true;
    return *this;
}

Option& Option::suggests(std::vector<std::string> words) {
    choices = std::move(words);
    return *this;
}

Option& Option::separatedByCommas() {
    list = true;
    return *this;
}

Option& Option::ignoresCase() {
    store = [exactly = std::move(store)](std::string given) {
        std::ranges::transform(given, given.begin(), [](char letter) {
            return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        });
        return exactly(given);
    };
    return *this;
}

Option& Option::onlyWith(std::string_view option) {
    needs = option;
    return *this;
}

Option& Option::notWith(std::string_view option) {
    excludes = option;
    return *this;
}

Option& Option::atMost(std::uint64_t max) {
    range.most = static_cast<double>(max);
    return *this;
}

Option& Option::takesFiles(std::vector<SessionFile> kinds) {
    files = std::move(kinds);
    return *this;
}

Option& Option::accompanies(std::size_t argument) {
    companionOf = argument;
    return *this;
}

Option& OptionList::add(OptionKind kind, std::string_view names, std::string help, std::string_view value) {
    Option& added = options.emplace_back();
    if (const std::size_t blank = names.find(' '); blank != std::string_view::npos) {
        value = names.substr(blank + 1);
        names = names.substr(0, blank);
    }
    added.value = value;
    added.list = value.ends_with(",...");
    added.kind = kind;
    added.values = [] { return std::vector<std::string>(); };
    added.help = std::move(help);
    added.group = heading;
    added.needs = requirement;
    added.positional = !names.starts_with('-');
    bool hasLong = false;
    while (!names.empty()) {
        const std::size_t comma = names.find(',');
        const std::string_view name = names.substr(0, comma);
        (hasLong ? added.aliases : added.names).emplace_back(name);
        hasLong = hasLong || name.starts_with("--");
        names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
    }
    return added;
}

const Option& OptionList::at(std::string_view name) const {
    return *std::ranges::find_if(options, [&](const Option& each) { return each.name() == name; });
}

Option& OptionList::flag(std::string_view names, bool& target, std::string help) {
    Option& added = add(OptionKind::Flag, names, std::move(help));
    added.store = [&target](const std::string&) {
        target = true;
        return Result<>();
    };
    added.values = [&target] { return std::vector<std::string>(target ? 1 : 0); };
    return added;
}

Option& OptionList::offFlag(std::string_view names, bool& target, std::string help) {
    Option& added = flag(names, target, std::move(help));
    added.store = [&target](const std::string&) {
        target = false;
        return Result<>();
    };
    added.values = [&target] { return std::vector<std::string>(target ? 0 : 1); };
    return added;
}

Option& OptionList::custom(std::string_view names, Store store, Values values, std::string help) {
    Option& added = add(OptionKind::Text, names, std::move(help), "TEXT");
    added.store = std::move(store);
    added.values = std::move(values);
    return added;
}

Option& OptionList::text(std::string_view names, std::string& target, std::string help) {
    return custom(
        names,
        [&target](const std::string& given) {
            target = given;
            return Result<>();
        },
        [&target] { return notEmpty(target); }, std::move(help));
}

Option& OptionList::text(std::string_view names, std::vector<std::string>& targets, std::string help) {
    Option& added = custom(
        names,
        [&targets](const std::string& given) {
            targets.push_back(given);
            return Result<>();
        },
        [&targets] { return targets; }, std::move(help));
    added.repeatable = true;
    return added;
}

Option& OptionList::path(std::string_view names, fs::path& target, std::string help) {
    Option& added = add(OptionKind::Text, names, std::move(help), fileValue);
    added.store = [&target](const std::string& given) {
        target = given;
        return Result<>();
    };
    added.values = [&target] { return notEmpty(target.string()); };
    return added;
}

Option& OptionList::file(std::string_view names, fs::path& target, std::string help) {
    Option& added = path(names, target, std::move(help));
    added.kind = OptionKind::InputFile;
    return added;
}

Option& OptionList::file(std::string_view names, std::vector<fs::path>& targets, std::string help) {
    Option& added = add(OptionKind::InputFile, names, std::move(help), fileValue);
    added.repeatable = true;
    added.store = [&targets](const std::string& given) {
        targets.emplace_back(given);
        return Result<>();
    };
    added.values = [&targets] { return std::vector<std::string>(targets.begin(), targets.end()); };
    return added;
}

Option& OptionList::addInteger(std::string_view names, std::string help, std::uint64_t min, std::uint64_t max,
                               std::function<void(std::uint64_t)> set,
                               std::function<std::optional<std::uint64_t>()> get) {
    Option& added = add(OptionKind::Integer, names, std::move(help), "N");
    added.range.least = static_cast<double>(min);
    added.store = [&added, min, max, set = std::move(set)](const std::string& given) -> Result<> {
        const auto number = parsed<std::uint64_t>(given);
        if (number && static_cast<double>(*number) > added.range.most) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected at most {:.0f}, got '{}'", added.range.most, given));
        }
        if (!number || *number < min || *number > max) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected a {} integer, got '{}'", min == 0 ? "non-negative" : "positive",
                                    given));
        }
        set(*number);
        return {};
    };
    added.values = [get = std::move(get)] { return textOf(get()); };
    return added;
}

Option& OptionList::addNumber(std::string_view names, std::string help, std::string expected,
                              NumberRange range, std::function<void(double)> set,
                              std::function<std::optional<double>()> get) {
    Option& added = add(OptionKind::Number, names, std::move(help), "X");
    added.range = range;
    added.store = [expected = std::move(expected), range,
                   set = std::move(set)](const std::string& given) -> Result<> {
        const auto number = parsed<double>(given);
        if (!number || !std::isfinite(*number) || !range.contains(*number)) {
            return fail(ErrorCode::InvalidArgument, fmt::format("expected {}, got '{}'", expected, given));
        }
        set(*number);
        return {};
    };
    added.values = [get = std::move(get)] { return textOf(get()); };
    return added;
}

Option& OptionList::addDuration(std::string_view names, std::string help, NumberRange range,
                                std::function<void(double)> set, std::function<std::optional<double>()> get) {
    Option& added = add(OptionKind::Number, names, std::move(help), "TIME");
    added.range = range;
    added.store = [range, set = std::move(set)](const std::string& given) -> Result<> {
        const auto seconds = parsedDuration(given);
        if (!seconds || !std::isfinite(*seconds) || !range.contains(*seconds)) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected a time such as 90s, 5m or 500ms{}{}, got '{}'",
                                    range.contains(0) ? ", or 0" : "",
                                    std::isfinite(range.most) ? fmt::format(", at most {}s", range.most) : "",
                                    given));
        }
        set(*seconds);
        return {};
    };
    added.values = [get = std::move(get)] { return textOf(get()); };
    return added;
}

Option& OptionList::addChoice(std::string_view names, std::string help, std::vector<std::string> choices,
                              std::function<void(Index)> set, std::function<std::optional<Index>()> get) {
    Option& added = add(OptionKind::Choice, names, std::move(help), choiceValue);
    added.choices = choices;
    added.values = [choices, get = std::move(get)] {
        const auto chosen = get();
        return chosen ? std::vector{choices[*chosen]} : std::vector<std::string>();
    };
    added.store = [choices = std::move(choices), set = std::move(set)](const std::string& given) -> Result<> {
        const auto found = std::ranges::find(choices, given);
        if (found == choices.end()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("unknown '{}'{}; available: {}", given, didYouMean(given, choices),
                                    fmt::join(choices, ", ")));
        }
        set(static_cast<Index>(found - choices.begin()));
        return {};
    };
    return added;
}

Option& OptionList::choice(std::string_view names, std::string& target, std::vector<std::string> choices,
                           std::string help) {
    return addChoice(
        names, std::move(help), choices, [&target, choices](Index chosen) { target = choices[chosen]; },
        [&target, choices]() -> std::optional<Index> {
            const auto found = std::ranges::find(choices, target);
            return found == choices.end() ? std::nullopt
                                          : std::optional(static_cast<Index>(found - choices.begin()));
        });
}

void OptionList::help() {
    add(OptionKind::Help, "-h,--help", "Print this help").in("Options");
}

void OptionList::version() {
    add(OptionKind::Version, "--version", "Print the version").in("Options");
}

CommandArguments& CommandArguments::add(const CommandArguments& more) {
    options.insert(options.end(), more.options.begin(), more.options.end());
    return *this;
}

std::vector<std::string> CommandArguments::of(std::string command) const {
    std::vector<std::string> argv{std::move(command)};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.emplace_back("--");
    argv.insert(argv.end(), positional.begin(), positional.end());
    return argv;
}

CommandArguments argumentsOf(const OptionList& given, const OptionList& usual, PathStyle style) {
    CommandArguments arguments;
    for (std::size_t i = 0; i < given.all().size(); ++i) {
        const Option& option = given.all()[i];
        const std::vector<std::string> values = option.values();
        if (option.positional) {
            arguments.positional.insert(arguments.positional.end(), values.begin(), values.end());
        } else if (option.kind == OptionKind::Flag && !values.empty()) {
            arguments.options.push_back(option.name());
        } else if (values != usual.all()[i].values()) {
            for (const std::string& value : values) {
                // One argument, so that a value is never parsed as an option.
                arguments.options.push_back(
                    option.name() + "=" +
                    (option.kind == OptionKind::InputFile && style == PathStyle::Absolute ? absolute(value)
                                                                                          : value));
            }
        }
    }
    return arguments;
}

}  // namespace et::tasks

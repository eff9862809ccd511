#include "app/cli/options.h"

#include "app/cli/standard_input.h"
#include "app/tasks/base/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Returns the path to read an input from.
Result<fs::path> inputPath(const std::string& given) {
    return given == "-" ? standardInput() : Result<fs::path>(given);
}

template <class T>
std::optional<T> parsed(const std::string& given) {
    T number{};
    const char* const last = given.data() + given.size();
    const auto [end, error] = std::from_chars(given.data(), last, number);
    return error == std::errc{} && end == last ? std::optional(number) : std::nullopt;
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

Option& Option::suggests(std::vector<std::string> values) {
    choices = std::move(values);
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
    limit = max;
    return *this;
}

Option& OptionList::add(std::string_view names, std::string help) {
    Option& added = options.emplace_back();
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

Option& OptionList::flag(std::string_view names, bool& target, std::string help) {
    Option& added = add(names, std::move(help));
    added.kind = OptionKind::Flag;
    added.store = [&target](const std::string&) {
        target = true;
        return Result<>();
    };
    return added;
}

Option& OptionList::text(std::string_view names, std::string& target, std::string help) {
    Option& added = add(names, std::move(help)).takes("TEXT");
    added.store = [&target](const std::string& given) {
        target = given;
        return Result<>();
    };
    return added;
}

Option& OptionList::text(std::string_view names, std::vector<std::string>& targets, std::string help) {
    Option& added = add(names, std::move(help)).takes("TEXT");
    added.repeatable = true;
    added.store = [&targets](const std::string& given) {
        targets.push_back(given);
        return Result<>();
    };
    return added;
}

Option& OptionList::path(std::string_view names, fs::path& target, std::string help) {
    Option& added = add(names, std::move(help)).takes(fileValue);
    added.store = [&target](const std::string& given) {
        target = given;
        return Result<>();
    };
    return added;
}

Option& OptionList::file(std::string_view names, fs::path& target, std::string help) {
    Option& added = add(names, std::move(help)).takes(fileValue);
    added.store = [&target](const std::string& given) -> Result<> {
        ET_ASSIGN(target, inputPath(given));
        return {};
    };
    return added;
}

Option& OptionList::file(std::string_view names, std::vector<fs::path>& targets, std::string help) {
    Option& added = add(names, std::move(help)).takes(fileValue);
    added.repeatable = true;
    added.store = [&targets](const std::string& given) -> Result<> {
        ET_ASSIGN(fs::path path, inputPath(given));
        targets.push_back(std::move(path));
        return {};
    };
    return added;
}

Option& OptionList::addInteger(std::string_view names, std::string help, std::uint64_t min, std::uint64_t max,
                               std::function<void(std::uint64_t)> set) {
    Option& added = add(names, std::move(help)).takes("N");
    added.store = [&added, min, max, set = std::move(set)](const std::string& given) -> Result<> {
        const auto number = parsed<std::uint64_t>(given);
        if (number && added.limit && *number > *added.limit) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected at most {}, got '{}'", *added.limit, given));
        }
        if (!number || *number < min || *number > max) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected a {} integer, got '{}'", min == 0 ? "non-negative" : "positive",
                                    given));
        }
        set(*number);
        return {};
    };
    return added;
}

Option& OptionList::addNumber(std::string_view names, std::string help, std::string expected,
                              bool (*isGood)(double), std::function<void(double)> set) {
    Option& added = add(names, std::move(help)).takes("X");
    added.store = [expected = std::move(expected), isGood,
                   set = std::move(set)](const std::string& given) -> Result<> {
        const auto number = parsed<double>(given);
        if (!number || !std::isfinite(*number) || !isGood(*number)) {
            return fail(ErrorCode::InvalidArgument, fmt::format("expected {}, got '{}'", expected, given));
        }
        set(*number);
        return {};
    };
    return added;
}

Option& OptionList::addChoice(std::string_view names, std::string help, std::vector<std::string> choices,
                              std::function<void(Index)> set) {
    Option& added = add(names, std::move(help)).takes(choiceValue);
    added.choices = choices;
    added.store = [choices = std::move(choices), set = std::move(set)](const std::string& given) -> Result<> {
        const auto found = std::ranges::find(choices, given);
        if (found == choices.end()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("unknown '{}'{}; available: {}", given, tasks::didYouMean(given, choices),
                                    fmt::join(choices, ", ")));
        }
        set(static_cast<Index>(found - choices.begin()));
        return {};
    };
    return added;
}

Option& OptionList::choice(std::string_view names, std::string& target, std::vector<std::string> choices,
                           std::string help) {
    return addChoice(names, std::move(help), choices,
                     [&target, choices](Index chosen) { target = choices[chosen]; });
}

void OptionList::help() {
    add("-h,--help", "Print this help").in("Options").kind = OptionKind::Help;
}

void OptionList::version() {
    add("--version", "Print the version").in("Options").kind = OptionKind::Version;
}

}  // namespace et::cli

#pragma once

#include "inspector/format/time_scale.h"
#include "runtime/core/result.h"

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Options of a command: the single description that the parser, help, manual and completions are generated
// from.
namespace et::cli {

/// Value names that help and completions recognize.
inline constexpr std::string_view fileValue = "FILE";
inline constexpr std::string_view folderValue = "DIR";
inline constexpr std::string_view choiceValue = "CHOICE";  ///< one of a few: help prints the choices instead

/// A value of an option as it is spelled, and its meaning.
template <class T>
struct Choice {
    std::string_view name;
    T meaning;
};

enum class OptionKind : std::uint8_t {
    Value,    ///< takes a value, or is a positional argument
    Flag,     ///< present or absent
    Help,     ///< -h
    Version,  ///< --version
};

/// An option or a positional argument: its spelling, help text and target.
struct Option {
    OptionKind kind = OptionKind::Value;
    std::vector<std::string> names;    ///< "-o", "--output"; the name of a positional argument
    std::vector<std::string> aliases;  ///< further accepted spellings
    std::string value;                 ///< "FILE", "N"; empty for a flag
    std::vector<std::string> choices;  ///< the accepted or suggested values; empty: any value
    std::string help;
    std::string group;  ///< heading
    bool positional = false;
    bool required = false;
    bool repeatable = false;               ///< collects every value; otherwise the last one is used
    bool list = false;                     ///< accepts several values, separated by commas
    bool hidden = false;                   ///< accepted, but not documented
    std::string needs;                     ///< the option that must also be given
    std::string excludes;                  ///< the option that must not be given as well
    std::optional<std::uint64_t> limit{};  ///< maximum of an integer, if it depends on the machine
    /// Stores one value; that of a flag is empty. Errors: InvalidArgument (describes the problem in one
    /// clause), those of standardInput().
    std::function<core::Result<>(const std::string&)> store;

    /// Sets the name of the value in help.
    Option& takes(std::string_view valueName);
    /// Sets the heading in help, instead of the list's current one.
    Option& in(std::string_view heading);
    Option& mustBeGiven();
    Option& withoutHelp();
    /// Adds values for help and completions; the command itself checks the value.
    Option& suggests(std::vector<std::string> values);
    Option& separatedByCommas();
    Option& ignoresCase();
    Option& onlyWith(std::string_view option);
    Option& notWith(std::string_view option);
    Option& atMost(std::uint64_t max);
};

/// The options of a command in the order of help. Targets are borrowed and must outlive the list. Names are
/// "-o,--output" (the first long one is shown, others are aliases), or "FILE" for a positional argument.
/// Returned references stay valid.
class OptionList {
  public:
    /// Sets the heading of the options added from now on.
    void group(std::string_view name) { heading = name; }
    /// Options added from now on are valid only with `option`; empty: always.
    void onlyWith(std::string_view option) { requirement = option; }

    Option& flag(std::string_view names, bool& target, std::string help);
    Option& text(std::string_view names, std::string& target, std::string help);
    /// Repeatable.
    Option& text(std::string_view names, std::vector<std::string>& targets, std::string help);
    /// An output file, or a folder.
    Option& path(std::string_view names, std::filesystem::path& target, std::string help);
    /// An input file; "-" is stdin.
    Option& file(std::string_view names, std::filesystem::path& target, std::string help);
    /// Repeatable.
    Option& file(std::string_view names, std::vector<std::filesystem::path>& targets, std::string help);

    /// An integer of at least `min`, 0 or 1; T may be optional.
    template <class T>
    Option& integer(std::string_view names, T& target, std::string help, std::uint64_t min = 0);
    /// A number that satisfies `isGood`; `expected` describes it in the error message, as in "a number above
    /// 0".
    template <class T>
    Option& number(std::string_view names, T& target, std::string help, std::string expected,
                   bool (*isGood)(double));
    /// One of `choices`; T may be optional.
    template <class T, class Meaning, std::size_t count>
    Option& choice(std::string_view names, T& target, const std::array<Choice<Meaning>, count>& choices,
                   std::string help);
    /// One of `choices`, stored as text.
    Option& choice(std::string_view names, std::string& target, std::vector<std::string> choices,
                   std::string help);

    /// -h, --help. Must be first in every list.
    void help();
    void version();

    [[nodiscard]] const std::deque<Option>& all() const { return options; }

  private:
    using Index = std::size_t;

    Option& add(std::string_view names, std::string help);
    Option& addInteger(std::string_view names, std::string help, std::uint64_t min, std::uint64_t max,
                       std::function<void(std::uint64_t)> set);
    Option& addNumber(std::string_view names, std::string help, std::string expected, bool (*isGood)(double),
                      std::function<void(double)> set);
    Option& addChoice(std::string_view names, std::string help, std::vector<std::string> choices,
                      std::function<void(Index)> set);

    std::string heading = "Options";
    std::string requirement;
    std::deque<Option> options;
};

namespace detail {

/// T of an optional<T>, or T itself.
template <class T>
struct ValueOf {
    using Type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
    using Type = T;
};

}  // namespace detail

template <class T>
Option& OptionList::integer(std::string_view names, T& target, std::string help, std::uint64_t min) {
    using Value = detail::ValueOf<T>::Type;
    return addInteger(names, std::move(help), min, std::numeric_limits<Value>::max(),
                      [&target](std::uint64_t given) { target = static_cast<Value>(given); });
}

template <class T>
Option& OptionList::number(std::string_view names, T& target, std::string help, std::string expected,
                           bool (*isGood)(double)) {
    return addNumber(names, std::move(help), std::move(expected), isGood,
                     [&target](double given) { target = given; });
}

template <class T, class Meaning, std::size_t count>
Option& OptionList::choice(std::string_view names, T& target,
                           const std::array<Choice<Meaning>, count>& choices, std::string help) {
    std::vector<std::string> spelled;
    spelled.reserve(count);
    for (const Choice<Meaning>& each : choices) {
        spelled.emplace_back(each.name);
    }
    return addChoice(names, std::move(help), std::move(spelled),
                     [&target, choices](Index chosen) { target = choices[chosen].meaning; });
}

/// Time units accepted by --source-time-scale and --target-time-scale.
inline constexpr auto timeScaleChoices = [] {
    std::array<Choice<inspector::TimeScale>, inspector::timeScales.size()> choices{};
    for (std::size_t i = 0; i < choices.size(); ++i) {
        choices[i] = {inspector::timeScales[i].name, inspector::timeScales[i].scale};
    }
    return choices;
}();

}  // namespace et::cli

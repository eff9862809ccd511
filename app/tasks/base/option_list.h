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

// Options of a workflow: the single description that the command line (parser, help, manual, completions),
// the forms of the window and the keywords of the Python package are generated from.
namespace et::tasks {

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

/// Converts the rows of a table to choices: their names and meanings.
template <class Row, std::size_t count, class Meaning>
[[nodiscard]] constexpr std::array<Choice<Meaning>, count> choicesOf(const std::array<Row, count>& rows,
                                                                     Meaning Row::* meaning) {
    std::array<Choice<Meaning>, count> choices{};
    for (std::size_t i = 0; i < count; ++i) {
        choices[i] = {rows[i].name, rows[i].*meaning};
    }
    return choices;
}

/// Units of times: --source-time-scale, --target-time-scale.
inline constexpr auto timeScaleChoices = choicesOf(inspector::timeScales, &inspector::TimeScaleInfo::scale);

/// Type of an option's value.
enum class OptionKind : std::uint8_t {
    Text,
    InputFile,  ///< the command line accepts "-", stdin
    Integer,
    Number,
    Choice,
    Flag,     ///< present or absent
    Help,     ///< -h
    Version,  ///< --version
};

/// Files in a saved session.
enum class SessionFile : std::uint8_t { Program, Bundle, TensorData, Trace, Record, DebugBuffer };

/// Accepted values of a number. `above` and `below` are excluded.
struct NumberRange {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    double above = -std::numeric_limits<double>::infinity();
    double below = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool contains(double value) const {
        return value >= least && value <= most && value > above && value < below;
    }
};

/// An option or a positional argument: its spelling, help text and target.
struct Option {
    OptionKind kind = OptionKind::Text;
    std::vector<std::string> names;    ///< "-o", "--output"; the name of a positional argument
    std::vector<std::string> aliases;  ///< further accepted spellings
    std::string value;                 ///< "FILE", "N"; empty for a flag
    std::vector<std::string> choices;  ///< the accepted or suggested values; empty: any value
    std::string help;
    std::string group;  ///< heading
    bool positional = false;
    bool required = false;
    bool repeatable = false;  ///< collects every value; otherwise the last one is used
    bool list = false;        ///< accepts several values, separated by commas
    bool hidden = false;      ///< accepted, but not documented
    std::string needs;        ///< the option that must also be given
    std::string excludes;     ///< the option that must not be given as well
    NumberRange range{};      ///< of an integer or a number
    /// Files that the option takes, the preferred one first. The command line accepts a session that contains
    /// one of them. Empty: the command reads sessions itself, or the option takes other files.
    std::vector<SessionFile> files;
    /// A session given as an argument also sets this option: the argument at this position of those with
    /// `files`, or at any one. Unset: none does.
    std::optional<std::size_t> companionOf;
    /// Stores one value; that of a flag is empty. Errors: InvalidArgument (describes the problem in one
    /// clause).
    std::function<core::Result<>(const std::string&)> store;
    /// Returns the current values of the target, as store() accepts them; before anything is stored, the
    /// defaults. Empty: none, or a flag that is off.
    std::function<std::vector<std::string>()> values;

    /// "--top-p", or the name of a positional argument.
    [[nodiscard]] const std::string& name() const { return names.back(); }

    /// Sets the name of the value in help.
    Option& takes(std::string_view valueName);
    /// Sets the heading in help, instead of the list's current one.
    Option& in(std::string_view heading);
    Option& mustBeGiven();
    Option& withoutHelp();
    /// Adds values for help and completions; the command itself checks the value.
    Option& suggests(std::vector<std::string> words);
    Option& separatedByCommas();
    Option& ignoresCase();
    Option& onlyWith(std::string_view option);
    Option& notWith(std::string_view option);
    Option& atMost(std::uint64_t max);
    /// Sets `files`.
    Option& takesFiles(std::vector<SessionFile> kinds);
    /// Sets `companionOf`.
    Option& accompanies(std::size_t argument = anyArgument);

    static constexpr std::size_t anyArgument = std::numeric_limits<std::size_t>::max();
};

/// The options of a command in the order of help. Targets are borrowed and must outlive the list. Names are
/// "-o,--output" (the first long one is shown, others are aliases), or "FILE" for a positional argument. The
/// name of the value may follow an option's names: "-o,--output FILE"; "--keep NAME,..." accepts several
/// values, separated by commas. Returned references stay valid.
class OptionList {
  public:
    using Store = std::function<core::Result<>(const std::string&)>;
    using Values = std::function<std::vector<std::string>()>;

    /// Sets the heading of the options added from now on.
    void group(std::string_view name) { heading = name; }
    /// Options added from now on are valid only with `option`; empty: always.
    void onlyWith(std::string_view option) { requirement = option; }

    Option& flag(std::string_view names, bool& target, std::string help);
    /// A flag that sets `target`, true by default, to false.
    Option& offFlag(std::string_view names, bool& target, std::string help);
    Option& text(std::string_view names, std::string& target, std::string help);
    /// Repeatable.
    Option& text(std::string_view names, std::vector<std::string>& targets, std::string help);
    /// An output file, or a folder.
    Option& path(std::string_view names, std::filesystem::path& target, std::string help);
    /// An input file.
    Option& file(std::string_view names, std::filesystem::path& target, std::string help);
    /// Repeatable.
    Option& file(std::string_view names, std::vector<std::filesystem::path>& targets, std::string help);

    /// An integer of at least `min`, 0 or 1; T may be optional.
    template <class T>
    Option& integer(std::string_view names, T& target, std::string help, std::uint64_t min = 0);
    /// A number in `range`; `expected` describes it in the error message, as in "a number above 0". T may be
    /// optional.
    template <class T>
    Option& number(std::string_view names, T& target, std::string help, std::string expected,
                   NumberRange range);
    /// A time in seconds in `range`, given as 90s, 5m, 1h, 500ms, or as a number of seconds; T may be
    /// optional.
    template <class T>
    Option& duration(std::string_view names, T& target, std::string help,
                     NumberRange range = {.above = 0, .below = 1e9});
    /// One of `choices`; T may be optional.
    template <class T, class Meaning>
    Option& choice(std::string_view names, T& target, std::vector<Choice<Meaning>> choices, std::string help);
    template <class T, class Meaning, std::size_t count>
    Option& choice(std::string_view names, T& target, const std::array<Choice<Meaning>, count>& choices,
                   std::string help) {
        return choice(names, target, std::vector(choices.begin(), choices.end()), std::move(help));
    }
    /// A value in its own notation: `store` reads it, `values` are the current ones (see Option).
    Option& custom(std::string_view names, Store store, Values values, std::string help);
    /// `parse` reads the value, `print` writes it.
    template <class T>
    Option& custom(std::string_view names, T& target, core::Result<T> (*parse)(std::string_view),
                   std::string (*print)(const T&), std::string help);
    /// Repeatable; given values replace the default ones.
    template <class T>
    Option& custom(std::string_view names, std::vector<T>& targets,
                   core::Result<T> (*parse)(std::string_view), std::string (*print)(const T&),
                   std::string help);
    /// One of `choices`, stored as text.
    Option& choice(std::string_view names, std::string& target, std::vector<std::string> choices,
                   std::string help);

    /// -h, --help. Must be first in every list.
    void help();
    void version();

    [[nodiscard]] const std::deque<Option>& all() const { return options; }
    /// The option with this name, which must exist.
    [[nodiscard]] const Option& at(std::string_view name) const;

  private:
    using Index = std::size_t;

    Option& add(OptionKind kind, std::string_view names, std::string help, std::string_view value = {});
    Option& addInteger(std::string_view names, std::string help, std::uint64_t min, std::uint64_t max,
                       std::function<void(std::uint64_t)> set,
                       std::function<std::optional<std::uint64_t>()> get);
    Option& addNumber(std::string_view names, std::string help, std::string expected, NumberRange range,
                      std::function<void(double)> set, std::function<std::optional<double>()> get);
    Option& addDuration(std::string_view names, std::string help, NumberRange range,
                        std::function<void(double)> set, std::function<std::optional<double>()> get);
    Option& addChoice(std::string_view names, std::string help, std::vector<std::string> choices,
                      std::function<void(Index)> set, std::function<std::optional<Index>()> get);

    std::string heading = "Options";
    std::string requirement;
    std::deque<Option> options;
};

/// Arguments of a command: its options, and what follows "--".
struct CommandArguments {
    std::vector<std::string> options;  ///< "--name=value", "--flag"
    std::vector<std::string> positional;

    /// Adds the options of `more`.
    CommandArguments& add(const CommandArguments& more);
    /// The command, the options, "--" and the positional arguments.
    [[nodiscard]] std::vector<std::string> of(std::string command) const;
};

enum class PathStyle : std::uint8_t { AsGiven, Absolute };

/// Returns the arguments for values in `given` that differ from those in `usual`, a list of the same options
/// with their default values. `style`: of input files.
[[nodiscard]] CommandArguments argumentsOf(const OptionList& given, const OptionList& usual,
                                           PathStyle style = PathStyle::AsGiven);

/// Returns the arguments for settings that `declare` adds to a list, such as addRunOptions().
template <class Settings>
[[nodiscard]] CommandArguments argumentsOf(Settings settings, void (*declare)(OptionList&, Settings&),
                                           PathStyle style = PathStyle::AsGiven, Settings defaults = {}) {
    OptionList given;
    OptionList usual;
    declare(given, settings);
    declare(usual, defaults);
    return argumentsOf(given, usual, style);
}

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

template <class Number, class T>
std::optional<Number> numberOf(const T& value) {
    return static_cast<Number>(value);
}
template <class Number, class T>
std::optional<Number> numberOf(const std::optional<T>& value) {
    return value ? std::optional(static_cast<Number>(*value)) : std::nullopt;
}

}  // namespace detail

template <class T>
Option& OptionList::custom(std::string_view names, T& target, core::Result<T> (*parse)(std::string_view),
                           std::string (*print)(const T&), std::string help) {
    return custom(
        names,
        [&target, parse](const std::string& given) -> core::Result<> {
            ET_ASSIGN(target, parse(given));
            return {};
        },
        [&target, print] {
            const std::string text = print(target);
            return text.empty() ? std::vector<std::string>() : std::vector{text};
        },
        std::move(help));
}

template <class T>
Option& OptionList::custom(std::string_view names, std::vector<T>& targets,
                           core::Result<T> (*parse)(std::string_view), std::string (*print)(const T&),
                           std::string help) {
    Option& added = custom(
        names,
        [&targets, parse, usual = true](const std::string& given) mutable -> core::Result<> {
            ET_ASSIGN(T value, parse(given));
            if (std::exchange(usual, false)) {
                targets.clear();
            }
            targets.push_back(std::move(value));
            return {};
        },
        [&targets, print] {
            std::vector<std::string> texts;
            for (const T& each : targets) {
                texts.push_back(print(each));
            }
            return texts;
        },
        std::move(help));
    added.repeatable = true;
    return added;
}

template <class T>
Option& OptionList::integer(std::string_view names, T& target, std::string help, std::uint64_t min) {
    using Value = detail::ValueOf<T>::Type;
    return addInteger(
        names, std::move(help), min, std::numeric_limits<Value>::max(),
        [&target](std::uint64_t given) { target = static_cast<Value>(given); },
        [&target] { return detail::numberOf<std::uint64_t>(target); });
}

template <class T>
Option& OptionList::number(std::string_view names, T& target, std::string help, std::string expected,
                           NumberRange range) {
    return addNumber(
        names, std::move(help), std::move(expected), range, [&target](double given) { target = given; },
        [&target] { return detail::numberOf<double>(target); });
}

template <class T>
Option& OptionList::duration(std::string_view names, T& target, std::string help, NumberRange range) {
    return addDuration(
        names, std::move(help), range, [&target](double given) { target = given; },
        [&target] { return detail::numberOf<double>(target); });
}

template <class T, class Meaning>
Option& OptionList::choice(std::string_view names, T& target, std::vector<Choice<Meaning>> choices,
                           std::string help) {
    std::vector<std::string> spelled;
    spelled.reserve(choices.size());
    for (const Choice<Meaning>& each : choices) {
        spelled.emplace_back(each.name);
    }
    return addChoice(
        names, std::move(help), std::move(spelled),
        [&target, choices](Index chosen) { target = choices[chosen].meaning; },
        [&target, choices]() -> std::optional<Index> {
            for (Index i = 0; i < choices.size(); ++i) {
                if (target == choices[i].meaning) {
                    return i;
                }
            }
            return std::nullopt;
        });
}

}  // namespace et::tasks

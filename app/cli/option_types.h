#pragma once

#include "inspector/format/time_scale.h"

#include <CLI/CLI.hpp>
#include <array>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Kinds of option values that several verbs share: how they are checked, and how they are written in help.
namespace et::cli {

/// Restricts an option to `words`; any other word is answered with what there is and the nearest one.
CLI::Option* restrictTo(CLI::Option* option, std::vector<std::string> words);

/// Tells help and completions which words an option takes, where checking them is somebody else's.
CLI::Option* suggestWords(CLI::Option* option, const std::vector<std::string>& words);

/// Restricts an option to whole numbers from `least` on.
CLI::Option* restrictToWhole(CLI::Option* option, std::size_t least);

/// An option that takes whole numbers from `least` on; `value` may be optional.
template <class T>
CLI::Option* addWhole(CLI::App& app, const std::string& names, T& value, const std::string& help,
                      std::size_t least = 0) {
    const auto set = [&value](const std::size_t& number) { value = static_cast<T>(number); };
    return restrictToWhole(app.add_option_function<std::size_t>(names, set, help), least);
}

/// Restricts an option to numbers that `isGood`; another one is answered with what was `expected`, as in "a
/// number above 0".
CLI::Option* restrictToNumber(CLI::Option* option, std::string expected, bool (*isGood)(double));

/// A word and what it stands for.
template <class T>
struct Word {
    std::string_view word;
    T meaning;
};

/// An option that may be given several times, with one value each time.
template <class T>
CLI::Option* addRepeatable(CLI::App& app, const std::string& name, std::vector<T>& values,
                           const std::string& help) {
    return app.add_option(name, values, help + " (repeatable)")->allow_extra_args(false)->take_all();
}

/// An option that takes one of `words` and stores its meaning.
template <class T, std::size_t N>
CLI::Option* addChoice(CLI::App& app, const std::string& names, T& value, const std::array<Word<T>, N>& words,
                       const std::string& help) {
    const auto store = [&value, words](const std::string& given) {
        for (const Word<T>& candidate : words) {
            if (candidate.word == given) {
                value = candidate.meaning;
            }
        }
    };
    std::vector<std::string> names_only;
    for (const Word<T>& candidate : words) {
        names_only.emplace_back(candidate.word);
    }
    return restrictTo(app.add_option_function<std::string>(names, store, help), std::move(names_only));
}

/// The units of time that --source-time-scale and --target-time-scale take.
inline constexpr auto timeScaleWords = [] {
    std::array<Word<inspector::TimeScale>, inspector::timeScales.size()> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = {inspector::timeScales[i].name, inspector::timeScales[i].scale};
    }
    return words;
}();

}  // namespace et::cli

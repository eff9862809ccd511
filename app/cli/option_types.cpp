#include "app/cli/option_types.h"

#include "app/cli/command_doc.h"
#include "app/tasks/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace et::cli {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

std::string whyUnknown(const std::string& given, const std::vector<std::string>& words) {
    if (std::ranges::contains(words, given)) {
        return {};
    }
    return fmt::format("unknown '{}'{}; there is {}", given, didYouMean(given, words), joined(words, ", "));
}

/// CLI11 shows a validator's description behind the value's name; `describe` reads the words back from there.
CLI::Validator choices(const std::vector<std::string>& words,
                       std::function<std::string(std::string&)> check) {
    return {std::move(check), joined(words, "|")};
}

}  // namespace

CLI::Option* restrictTo(CLI::Option* option, std::vector<std::string> words) {
    const auto check = [words](std::string& given) { return whyUnknown(given, words); };
    return option->type_name(wordValue)->check(choices(words, check));
}

CLI::Option* suggestWords(CLI::Option* option, const std::vector<std::string>& words) {
    return option->check(choices(words, [](std::string&) { return std::string{}; }));
}

CLI::Option* restrictToWhole(CLI::Option* option, std::size_t least) {
    const auto check = [least](std::string& given) -> std::string {
        std::size_t number = 0;
        const char* last = given.data() + given.size();
        const auto [end, error] = std::from_chars(given.data(), last, number);
        const bool whole = error == std::errc{} && end == last && number >= least;
        return whole ? "" : fmt::format("expected a whole number from {} on, got '{}'", least, given);
    };
    return option->type_name("N")->check(CLI::Validator(check, ""));
}

CLI::Option* restrictToNumber(CLI::Option* option, std::string expected, bool (*isGood)(double)) {
    const auto check = [expected = std::move(expected), isGood](std::string& given) -> std::string {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(given, value) && std::isfinite(value);
        return number && isGood(value) ? "" : fmt::format("expected {}, got '{}'", expected, given);
    };
    return option->check(CLI::Validator(check, ""));
}

}  // namespace et::cli

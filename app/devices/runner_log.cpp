#include "app/devices/runner_log.h"

#include "runtime/core/result.h"

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace et::devices {
namespace {

constexpr double nanosecondsPerMilli = 1e6;
constexpr double longestMilliseconds = 1e12;

/// Removes `word` from the front of `text`; returns whether it was there.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) {
        return false;
    }
    text.remove_prefix(word.size());
    return true;
}

template <class T>
std::optional<T> takeNumber(std::string_view& text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<double> takeMilliseconds(std::string_view& text) {
    const auto number = takeNumber<double>(text);
    const bool isTime = number && *number >= 0 && *number < longestMilliseconds && take(text, " ms");
    return isTime ? std::optional(*number * nanosecondsPerMilli) : std::nullopt;
}

/// Returns the text after `word`, or nothing if `word` is not in the line.
std::optional<std::string_view> behind(std::string_view line, std::string_view word) {
    const std::size_t at = line.find(word);
    return at == std::string_view::npos ? std::nullopt : std::optional(line.substr(at + word.size()));
}

class RunnerLogReader {
  public:
    void read(std::string_view line) {
        if (auto rest = behind(line, "Using method ")) {
            log.method = core::printable(rest->substr(0, rest->find_first_of(" \r")));
        } else if (rest = behind(line, "Model loaded in "); rest) {
            if (const auto time = takeMilliseconds(*rest)) {
                log.loadNanoseconds.push_back(*time);
            }
        } else if (rest = behind(line, "Iteration "); rest) {
            readIteration(*rest);
        } else if (rest = behind(line, "Model executed successfully "); rest) {
            readEnd(*rest);
        }
    }

    RunnerLog log;

  private:
    void readIteration(std::string_view rest) {
        if (takeNumber<std::uint32_t>(rest) && take(rest, " of ") && takeNumber<std::uint32_t>(rest) &&
            take(rest, ": ")) {
            if (const auto time = takeMilliseconds(rest)) {
                log.executionNanoseconds.push_back(*time);
                ++iterations;
            }
        }
    }
    void readEnd(std::string_view rest) {
        const auto times = takeNumber<std::uint32_t>(rest);
        if (times.value_or(0) > 0 && take(rest, " time(s) in ")) {
            const auto all = takeMilliseconds(rest);
            if (all && iterations == 0) {
                log.executionNanoseconds.push_back(*all / *times);
            }
        }
        iterations = 0;
    }

    std::size_t iterations = 0;  ///< iterations reported since the last end
};

}  // namespace

RunnerLog readRunnerLog(std::string_view text) {
    RunnerLogReader reader;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        reader.read(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return reader.log;
}

}  // namespace et::devices

#include "backends/lowering/size_bounds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <vector>

namespace et::backends::lowering {
namespace {

using Symbols = etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>;
using Range = std::optional<NumberRange>;

constexpr std::int64_t huge = std::numeric_limits<std::int32_t>::max();

std::int64_t capped(std::int64_t number) {
    return std::clamp(number, -huge, huge);
}

/// Drops bounds beyond all possible sizes.
NumberRange made(std::int64_t min, std::optional<std::int64_t> max) {
    return {.min = capped(min), .max = max && *max < huge ? std::optional(capped(*max)) : std::nullopt};
}

std::int64_t highest(const NumberRange& range) {
    return range.max.value_or(huge);
}

NumberRange sum(const NumberRange& left, const NumberRange& right) {
    return made(left.min + right.min, highest(left) + highest(right));
}

NumberRange negative(const NumberRange& range) {
    return made(-highest(range), -range.min);
}

NumberRange product(const NumberRange& left, const NumberRange& right) {
    const std::array corners{left.min * right.min, left.min * highest(right), highest(left) * right.min,
                             highest(left) * highest(right)};
    const auto [low, high] = std::ranges::minmax(corners);
    return made(low, high);
}

std::int64_t floorDivided(std::int64_t number, std::int64_t by) {
    return number / by - (number % by < 0 ? 1 : 0);
}

Range quotient(const NumberRange& left, const NumberRange& right) {
    if (right.min <= 0) {
        return std::nullopt;
    }
    const std::array corners{floorDivided(left.min, right.min), floorDivided(left.min, highest(right)),
                             floorDivided(highest(left), right.min),
                             floorDivided(highest(left), highest(right))};
    const auto [low, high] = std::ranges::minmax(corners);
    return made(low, high);
}

/// Recursive descent parser with a depth limit above that of real size expressions.
class ExpressionReader {
  public:
    ExpressionReader(std::string_view expression, const Symbols& ranges)
        : text(expression), symbols(ranges) {}

    Range read() {
        Range range = terms();
        skipBlanks();
        return text.empty() ? range : std::nullopt;
    }

  private:
    static constexpr int maxDepth = 64;

    void skipBlanks() {
        while (!text.empty() && text.front() == ' ') {
            text.remove_prefix(1);
        }
    }
    bool take(std::string_view word) {
        skipBlanks();
        if (!text.starts_with(word)) {
            return false;
        }
        text.remove_prefix(word.size());
        return true;
    }

    Range terms() {
        Range left = factors();
        while (left) {
            const bool plus = take("+");
            if (!plus && !take("-")) {
                break;
            }
            const Range right = factors();
            left = right ? Range(sum(*left, plus ? *right : negative(*right))) : std::nullopt;
        }
        return left;
    }

    Range factors() {
        Range left = atom();
        while (left && !text.starts_with("**")) {
            if (take("//")) {
                const Range right = atom();
                left = right ? quotient(*left, *right) : std::nullopt;
            } else if (take("*")) {
                const Range right = atom();
                left = right ? Range(product(*left, *right)) : std::nullopt;
            } else {
                break;
            }
        }
        return left;
    }

    Range atom() {
        if (++depth > maxDepth) {
            return std::nullopt;
        }
        Range range;
        if (take("-")) {
            range = atom();
            range = range ? Range(negative(*range)) : std::nullopt;
        } else if (take("(")) {
            range = terms();
            range = take(")") ? range : std::nullopt;
        } else {
            skipBlanks();
            range = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 ? number()
                                                                                                 : symbol();
        }
        --depth;
        return range;
    }

    Range number() {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc()) {
            return std::nullopt;
        }
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return made(value, value);
    }

    Range symbol() {
        const auto* const end = std::ranges::find_if_not(
            text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
        const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(name.size());
        if (take("(")) {
            return call(name);
        }
        const auto known = symbols.find(name);
        if (name.empty() || known == symbols.end()) {
            return std::nullopt;
        }
        return made(known->second.minimum.value_or(0), known->second.maximum);
    }

    Range call(std::string_view name) {
        std::vector<NumberRange> arguments;
        do {
            const Range argument = terms();
            if (!argument) {
                return std::nullopt;
            }
            arguments.push_back(*argument);
        } while (take(","));
        if (!take(")")) {
            return std::nullopt;
        }
        if (arguments.size() == 2 && (name == "FloorDiv" || name == "CleanDiv")) {
            return quotient(arguments[0], arguments[1]);
        }
        if (arguments.size() == 2 && (name == "Max" || name == "Min")) {
            const auto pick = [&](std::int64_t a, std::int64_t b) {
                return name == "Max" ? std::max(a, b) : std::min(a, b);
            };
            return made(pick(arguments[0].min, arguments[1].min),
                        pick(highest(arguments[0]), highest(arguments[1])));
        }
        if (arguments.size() == 2 && (name == "Mod" || name == "PythonMod") && arguments[1].max) {
            return made(0, *arguments[1].max - 1);
        }
        return std::nullopt;
    }

    std::string_view text;
    const Symbols& symbols;
    int depth = 0;
};

}  // namespace

std::optional<NumberRange> rangeOf(std::string_view expression, const Symbols& symbols) {
    return ExpressionReader(expression, symbols).read();
}

}  // namespace et::backends::lowering

#include "inspector/comparison/headline.h"

#include "inspector/comparison/readable_times.h"
#include "inspector/comparison/waterfall.h"
#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace et::inspector {
namespace {

using format::Measure;

/// "2.1 times slower", "25.2 % faster"; `ratio` is above 1.
std::string factorText(double ratio, std::string_view how) {
    constexpr double inTimes = 2;  // from here on, "times" is easier to read than a percentage
    constexpr double wholeTimes = 10;
    if (ratio < inTimes) {
        return fmt::format("{:.1f} % {}", (ratio - 1) * 100, how);
    }
    return ratio < wholeTimes ? fmt::format("{:.1f} times {}", ratio, how)
                              : fmt::format("{:.0f} times {}", ratio, how);
}

/// A share for times below twice as fast: "25.2 % faster" means that B takes 25.2 % less time.
std::string changeText(const TimeTest& total) {
    if (total.medianA <= 0 || total.medianB <= 0) {
        return total.difference > 0 ? "slower" : "faster";
    }
    const double ratio = total.medianB / total.medianA;
    if (ratio > 1) {
        return factorText(ratio, "slower");
    }
    constexpr double half = 0.5;
    return ratio > half ? fmt::format("{:.1f} % faster", (1 - ratio) * 100) : factorText(1 / ratio, "faster");
}

/// Operators with a time of their own: the content of a delegate call replaces the call.
bool isOperator(const ComparisonRow& row) {
    return row.shown().kind == OperatorKind::Kernel || row.shown().kind == OperatorKind::DelegatedOperator;
}

struct OperatorCounts {
    std::size_t matched = 0;
    std::size_t changed = 0;  ///< in the direction of the total
};

OperatorCounts countOperators(const MethodComparison& method, TimeVerdict direction) {
    OperatorCounts counts;
    for (const ComparisonRow& row : method.rows) {
        if (isOperator(row) && row.a != nullptr && row.b != nullptr) {
            ++counts.matched;
            counts.changed += row.test.verdict == direction ? 1 : 0;
        }
    }
    return counts;
}

/// The step that explains at least half of the change.
std::string causeText(const MethodComparison& method, Measure times) {
    const Waterfall fall = makeWaterfall(method, WaterfallBy::Operator);
    const double change = fall.to - fall.from;
    constexpr double most = 0.5;
    if (fall.steps.empty() || fall.steps.front().change / change < most) {
        return "no single cause";
    }
    const WaterfallStep& step = fall.steps.front();
    const std::string name = step.row ? readableName(method.rows[*step.row].shown()) : step.name;
    return fmt::format("mostly {} ({}{})", name, step.change > 0 ? "+" : "", readable(step.change, times));
}

std::string operatorsText(const MethodComparison& method, Measure times) {
    const bool slower = method.total.verdict == TimeVerdict::Slower;
    const OperatorCounts counts = countOperators(method, method.total.verdict);
    if (counts.matched == 0) {
        return method.rows.empty() ? std::string() : "; no operators in common";
    }
    return fmt::format("; {} of {} operators {}, {}", counts.changed, counts.matched,
                       slower ? "slower" : "faster", causeText(method, times));
}

}  // namespace

std::string headline(const MethodComparison& method, bool cycles) {
    const Measure times = cycles ? Measure::Cycles : Measure::Nanoseconds;
    const TimeTest& total = method.total;
    const std::string both =
        fmt::format("{} → {}", readable(total.medianA, times), readable(total.medianB, times));
    switch (total.verdict) {
        case TimeVerdict::Slower:
        case TimeVerdict::Faster:
            return fmt::format("B is {}, {}{}", changeText(total), both, operatorsText(method, times));
        case TimeVerdict::Same:
            return fmt::format("A and B take the same time, {}", both);
        case TimeVerdict::Undecided:
            break;
    }
    return fmt::format("Undecided, {}: too few runs or too much noise", both);
}

std::string headline(const Comparison& comparison) {
    std::string text;
    for (const MethodComparison& method : comparison.methods) {
        text += text.empty() ? "" : "\n";
        text += comparison.methods.size() > 1 ? method.b->method + ": " : "";
        text += headline(method, comparison.a->cycles);
    }
    return text;
}

}  // namespace et::inspector

#include "inspector/comparison/cause.h"

#include "inspector/join/percentile.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>
#include <string_view>

namespace et::inspector {
namespace {

std::string_view runnerOf(const OperatorTimes& times) {
    const bool delegated = times.kind != OperatorKind::Kernel && times.kind != OperatorKind::Step;
    if (!delegated) {
        return "the runtime's kernel";
    }
    return times.backend.empty() ? std::string_view("a delegate") : std::string_view(times.backend);
}

/// Relative change of B at a percentile; empty if A's time there is 0.
std::optional<double> changeAt(const ComparisonRow& row, double fraction) {
    if (row.samplesA().empty() || row.samplesB().empty()) {
        return std::nullopt;
    }
    const double a = computePercentile(row.samplesA(), fraction);
    const double b = computePercentile(row.samplesB(), fraction);
    return a > 0 ? std::optional(b / a - 1) : std::nullopt;
}

std::string changesText(double low, double middle, double high) {
    return fmt::format("p10 {:+.1f} %, p50 {:+.1f} %, p90 {:+.1f} %", low * 100, middle * 100, high * 100);
}

/// Reports whether all of its runs are longer (or shorter), or only some.
std::string ofRuns(const ComparisonRow& row) {
    const auto low = changeAt(row, 0.1);
    const auto middle = changeAt(row, 0.5);
    const auto high = changeAt(row, 0.9);
    if (!low || !middle || !high) {
        return {};
    }
    const std::string_view how = *middle > 0 ? "slower" : "faster";
    const std::string changes = changesText(*low, *middle, *high);
    // A change of the work shifts fast and slow runs alike; other load only affects the slow ones.
    const bool alike = *low * *middle > 0 && std::abs(*low) > std::abs(*middle) / 2;
    return alike ? fmt::format("every run is {}: {}", how, changes)
                 : fmt::format("only the slower runs are {}: {}", how, changes);
}

}  // namespace

std::string causeOf(const ComparisonRow& row) {
    if (row.a == nullptr) {
        return fmt::format("only B has it; {} runs it", runnerOf(*row.b));
    }
    if (row.b == nullptr) {
        return fmt::format("only A has it; {} runs it", runnerOf(*row.a));
    }
    const bool decided = row.test.verdict == TimeVerdict::Slower || row.test.verdict == TimeVerdict::Faster;
    if (!decided) {
        return {};
    }
    if (runnerOf(*row.a) != runnerOf(*row.b)) {
        return fmt::format("A: {} runs it, B: {}", runnerOf(*row.a), runnerOf(*row.b));
    }
    if (row.a->name != row.b->name) {
        return fmt::format("different kernels: A runs {}, B {}", row.a->name, row.b->name);
    }
    return ofRuns(row);
}

}  // namespace et::inspector

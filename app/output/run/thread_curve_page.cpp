#include "app/output/run/thread_curve_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace et::output {

namespace {

constexpr std::size_t mostListed = 10;

}  // namespace

Table threadCurveTable(std::span<const tasks::ThreadCurve> curves) {
    Table table{.columns = {textColumn("model"), numberColumn("threads"),
                            numberColumn("p50", "p50 (ms)", Measure::Milliseconds),
                            numberColumn("speedup", "speed-up"),
                            numberColumn("efficiency", "efficiency (%)", Measure::Percent)},
                .indexed = false};
    for (const tasks::ThreadCurve& curve : curves) {
        for (const tasks::ThreadCurvePoint& point : curve.points) {
            constexpr double hundredth = 100;
            table.rows.push_back({curve.file, std::uint64_t{point.threads},
                                  point.median / nanosecondsPerMillisecond,
                                  std::round(point.speedup * hundredth) / hundredth, 100 * point.efficiency});
        }
    }
    return table;
}

std::string notScalingText(std::span<const tasks::ThreadCurve> curves) {
    std::string text;
    for (const tasks::ThreadCurve& curve : curves) {
        if (curve.notScaling.empty()) {
            continue;
        }
        text += fmt::format("\n{}: these do not scale from {} to {} threads\n", core::printable(curve.file),
                            curve.points.front().threads, curve.points.back().threads);
        for (std::size_t i = 0; i < std::min(mostListed, curve.notScaling.size()); ++i) {
            const tasks::OperatorCurve& each = curve.notScaling[i];
            text += fmt::format("  {}: {:.1f} µs, then {:.1f} µs ({:.2f} times as fast)\n",
                                core::printable(each.name), each.medians.front() / 1e3,
                                each.medians.back() / 1e3, each.speedup);
        }
        if (curve.notScaling.size() > mostListed) {
            text += fmt::format("  and {} more\n", curve.notScaling.size() - mostListed);
        }
    }
    return text;
}

Dict threadCurveInfo(std::span<const tasks::ThreadCurve> curves) {
    List list;
    for (const tasks::ThreadCurve& curve : curves) {
        List points;
        for (const tasks::ThreadCurvePoint& point : curve.points) {
            points.emplace_back(Dict{{"threads", std::uint64_t{point.threads}},
                                     {"p50_ms", point.median / nanosecondsPerMillisecond},
                                     {"speedup", point.speedup},
                                     {"efficiency", point.efficiency}});
        }
        List operators;
        for (const tasks::OperatorCurve& each : curve.notScaling) {
            std::vector<double> milliseconds;
            std::ranges::transform(each.medians, std::back_inserter(milliseconds),
                                   [](double time) { return time / nanosecondsPerMillisecond; });
            operators.emplace_back(Dict{{"name", each.name},
                                        {"backend", each.backend},
                                        {"p50_ms", std::move(milliseconds)},
                                        {"speedup", each.speedup},
                                        {"share", each.share},
                                        {"lost_ms", each.lost / nanosecondsPerMillisecond}});
        }
        list.emplace_back(
            Dict{{"file", curve.file}, {"points", std::move(points)}, {"not_scaling", std::move(operators)}});
    }
    return {{"schema", std::int64_t{1}}, {"curves", std::move(list)}};
}

}  // namespace et::output

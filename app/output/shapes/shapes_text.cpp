#include "app/output/shapes/shapes_info.h"
#include "inspector/format/quantities.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace et::output {
namespace {

using inspector::format::readableBytes;
using inspector::format::readableTime;

std::string boundText(std::int64_t bound, tasks::BoundSource from) {
    static constexpr std::array<std::string_view, 4> sources{"the program's plan", "the record", "runs", ""};
    const std::string_view source = sources[static_cast<std::size_t>(from)];
    return source.empty() ? fmt::format("{} (assumed)", bound) : fmt::format("{} ({})", bound, source);
}

std::string inputText(const tasks::ShapedInput& input, std::size_t index) {
    if (!input.isTensor) {
        return fmt::format("  input {}: not a tensor\n", index);
    }
    std::vector<std::string> sizes;
    for (const tasks::ShapeDimension& each : input.dimensions) {
        sizes.push_back(core::printable(each.size));
    }
    const bool isFixed = std::ranges::all_of(input.dimensions, &tasks::ShapeDimension::isFixed);
    return fmt::format("  input {}{}: {} [{}]{}\n", index,
                       input.name.empty() ? "" : fmt::format(" ({})", core::printable(input.name)),
                       core::scalarTypeName(input.scalarType), fmt::join(sizes, ", "),
                       isFixed ? ", fixed" : "");
}

void addLegal(std::string& text, const tasks::ShapesResult& result) {
    text += fmt::format("{}: {}\n", core::printable(result.file), core::printable(result.space.method));
    for (std::size_t i = 0; i < result.space.inputs.size(); ++i) {
        text += inputText(result.space.inputs[i], i);
    }
    for (std::size_t i = 0; i < result.space.outputs.size(); ++i) {
        text += fmt::format("  output {}: {}\n", i, core::printable(result.space.outputs[i]));
    }
    for (const tasks::ShapeSymbol& each : result.space.symbols) {
        text += fmt::format("  {} from {} to {}, typically {}\n", core::printable(each.name),
                            boundText(each.minimum, each.minimumFrom),
                            boundText(each.maximum, each.maximumFrom), each.typical);
    }
    if (result.space.symbols.empty()) {
        text += "  no dynamic sizes\n";
    }
}

void addCases(std::string& text, const tasks::ShapesResult& result, bool all) {
    if (result.cases.empty()) {
        return;
    }
    text += fmt::format(
        "\n{} size{} checked: {} pass, {} allowed (illegal sizes), {} without a reference, {} fail\n",
        result.cases.size(), result.cases.size() == 1 ? "" : "s", result.count(tasks::ShapeVerdict::Pass),
        result.count(tasks::ShapeVerdict::Allowed), result.count(tasks::ShapeVerdict::Unchecked),
        result.count(tasks::ShapeVerdict::Fail));
    for (const tasks::ShapeCase& each : result.cases) {
        const bool isQuiet =
            each.place == tasks::ShapeCaseKind::Inside && each.verdict == tasks::ShapeVerdict::Pass;
        const bool isUnchecked = each.verdict == tasks::ShapeVerdict::Unchecked;
        if (!all && (isQuiet || (isUnchecked && each.place == tasks::ShapeCaseKind::Inside))) {
            continue;
        }
        std::string reason = core::printable(each.reason);
        if (!each.report.culprit.empty()) {
            reason += fmt::format("; from {}", core::printable(each.report.culprit));
        }
        text += fmt::format("  {:<9} {:<8} {}{}{}\n", tasks::shapeVerdictName(each.verdict),
                            traits(each.place).name, core::printable(each.what), reason.empty() ? "" : ": ",
                            reason);
    }
}

void addSteps(std::string& text, const tasks::SizeTrend& trend, std::string (*readable)(double)) {
    for (const tasks::SizeStep& step : trend.steps) {
        text += fmt::format("    step from {} to {}: {} to {}", step.before, step.after, readable(step.from),
                            readable(step.to));
        if (!step.maker.empty()) {
            text += fmt::format(", {} of that by {}", readable(step.makerRise), core::printable(step.maker));
        }
        text += "\n";
    }
}

void addBends(std::string& text, const tasks::SizeTrend& trend, std::string (*readable)(double)) {
    for (const tasks::Nonlinearity& bend : trend.bends) {
        text += fmt::format("    {}: {} above its linear fit\n", core::printable(bend.maker),
                            readable(bend.excess));
    }
}

std::string bytesText(double bytes) {
    return readableBytes(static_cast<std::uint64_t>(std::max(bytes, 0.0)));
}
std::string timeText(double nanoseconds) {
    return readableTime(nanoseconds);
}

void addCurve(std::string& text, const tasks::SizeCurve& curve) {
    if (curve.times.empty()) {
        text += fmt::format("\n{}: no size was measured\n", core::printable(curve.symbol));
        return;
    }
    text += fmt::format("\n{:>8} {:>12} {:>12} {:>12}\n", core::printable(curve.symbol), "time", "memory",
                        "process");
    for (std::size_t i = 0; i < curve.times.size(); ++i) {
        const auto memory = curve.memoryAt(curve.times[i].size);
        text += fmt::format("{:>8} {:>12} {:>12} {:>12}\n", curve.times[i].size,
                            readableTime(curve.times[i].value), memory ? bytesText(*memory) : "",
                            readableBytes(curve.peaks[i]));
    }
    text += fmt::format("  memory: in addition to the {} planned for all sizes; process: peak memory\n",
                        readableBytes(curve.planned));
    const std::int64_t last = curve.times.back().size;
    text += fmt::format("  time {}\n", trendText(curve.time, last));
    addBends(text, curve.time, timeText);
    addSteps(text, curve.time, timeText);
    text += fmt::format("  memory {}\n", trendText(curve.space, last));
    addBends(text, curve.space, bytesText);
    addSteps(text, curve.space, bytesText);
}

}  // namespace

std::string trendText(const tasks::SizeTrend& trend, std::int64_t last) {
    using inspector::GrowthKind;
    if (!trend.changes) {
        return "does not depend on the size";
    }
    std::string text;
    if (!trend.linearUntil) {
        text = "is not linear";
    } else if (*trend.linearUntil >= last) {
        text = "is linear in the size";
    } else {
        text = fmt::format("is linear up to {}, not beyond", *trend.linearUntil);
    }
    if (trend.fit.kind == GrowthKind::Power && trend.fit.exponent && trend.linearUntil.value_or(0) < last) {
        text += fmt::format("; overall it grows with exponent {:.1f}", *trend.fit.exponent);
    }
    return text;
}

std::string shapesText(const tasks::ShapesResult& result, bool all) {
    std::string text;
    addLegal(text, result);
    addCases(text, result, all);
    for (const tasks::SizeCurve& each : result.curves) {
        addCurve(text, each);
    }
    return text;
}

}  // namespace et::output

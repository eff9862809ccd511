#include "app/tasks/shapes/shape_judgement.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

/// An output is wrong if its error exceeds its usual error by this factor.
constexpr double unusual = 8;
/// Upper limit of the usual error, as a multiple of the rounding tolerance: a program may be wrong at most
/// sizes.
constexpr double mostUsual = 5;

/// Usual error of each output: the median at legal sizes, relative to its largest value.
std::vector<double> usualErrors(std::span<const ShapeCase> cases) {
    std::vector<std::vector<double>> errors;
    for (const ShapeCase& each : cases) {
        errors.resize(std::max(errors.size(), each.report.outputs.size()));
        for (std::size_t i = 0; i < each.report.outputs.size(); ++i) {
            if (traits(each.place).isLegal && each.report.outputs[i].sameSizes()) {
                errors[i].push_back(each.report.outputs[i].relativeError());
            }
        }
    }
    std::vector<double> usual;
    for (std::vector<double>& of : errors) {
        const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::ranges::nth_element(of, middle);
        usual.push_back(of.empty() ? 0 : *middle);
    }
    return usual;
}

std::string elementsText(const ShapeOutput& output) {
    return fmt::format(
        "{} of {} elements, the first at [{}], by up to {:.3g} where the largest number is {:.3g}",
        output.beyond, output.elements, fmt::join(output.first, ", "), output.maxError, output.magnitude);
}

/// Empty: right.
std::string wrongOutput(const ShapeOutput& output, std::size_t index, double usual) {
    if (!output.sameSizes()) {
        return fmt::format("output {} is [{}], the graph's is [{}]", index, fmt::join(output.sizes, ", "),
                           fmt::join(output.referenceSizes, ", "));
    }
    const double allowed = std::clamp(unusual * usual, output.tolerance, mostUsual * output.tolerance);
    const bool isWrong = output.nonFinite > 0 || output.relativeError() > allowed ||
                         (output.beyond > 0 && output.maxError == 0);
    return isWrong ? fmt::format("output {} differs: {}", index, elementsText(output)) : std::string();
}

std::string wrongOutputs(const ShapeReport& report, const std::vector<double>& usual) {
    for (std::size_t i = 0; i < report.outputs.size(); ++i) {
        if (std::string wrong = wrongOutput(report.outputs[i], i, usual[i]); !wrong.empty()) {
            return wrong;
        }
    }
    return {};
}

using Judgement = std::pair<ShapeVerdict, std::string>;

Judgement evaluateLegal(const ShapeReport& report, const std::vector<double>& usual) {
    if (report.end != ShapeEnd::Ran) {
        return {ShapeVerdict::Fail, report.message};
    }
    if (!report.unwritten.empty()) {
        return {ShapeVerdict::Fail, fmt::format("it reads uninitialized memory: {}", report.unwritten)};
    }
    if (!report.remembers.empty()) {
        return {ShapeVerdict::Fail,
                fmt::format("the results change after a run on other sizes: {}", report.remembers)};
    }
    if (!report.referenceRefused.empty()) {
        return {ShapeVerdict::Fail, fmt::format("the graph does not run: {}", report.referenceRefused)};
    }
    if (!report.noReference.empty()) {
        return {ShapeVerdict::Unchecked, report.noReference};
    }
    std::string wrong = wrongOutputs(report, usual);
    return wrong.empty() ? Judgement{ShapeVerdict::Pass, {}}
                         : Judgement{ShapeVerdict::Fail, std::move(wrong)};
}

Judgement evaluateIllegal(ShapeCaseKind place, const ShapeReport& report, const std::vector<double>& usual) {
    if (report.end == ShapeEnd::Refused) {
        return {ShapeVerdict::Pass, report.message};
    }
    if (report.end != ShapeEnd::Ran) {
        return {ShapeVerdict::Fail, report.message};
    }
    if (!report.unwritten.empty()) {
        return {ShapeVerdict::Fail,
                fmt::format("no error; it reads uninitialized memory: {}", report.unwritten)};
    }
    if (!report.noReference.empty() && place == ShapeCaseKind::Below) {
        return {ShapeVerdict::Unchecked, "no error; it is unknown whether one is expected"};
    }
    if (!report.noReference.empty()) {
        return {ShapeVerdict::Fail, "no error, although these sizes are not legal"};
    }
    if (!report.referenceRefused.empty()) {
        return {ShapeVerdict::Fail,
                fmt::format("no error, but the graph fails: {}", report.referenceRefused)};
    }
    std::string wrong = wrongOutputs(report, usual);
    return wrong.empty() ? Judgement{ShapeVerdict::Allowed, "no error, and the same results as the graph"}
                         : Judgement{ShapeVerdict::Fail, fmt::format("no error, and {}", wrong)};
}

}  // namespace

void judge(std::span<ShapeCase> cases) {
    const std::vector<double> usual = usualErrors(cases);
    for (ShapeCase& each : cases) {
        std::tie(each.verdict, each.reason) = traits(each.place).isLegal
                                                  ? evaluateLegal(each.report, usual)
                                                  : evaluateIllegal(each.place, each.report, usual);
    }
}

}  // namespace et::tasks

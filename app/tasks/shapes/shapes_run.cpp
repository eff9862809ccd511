#include "app/tasks/shapes/shapes_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/model/model.h"
#include "app/tasks/shapes/shape_probe.h"
#include "app/tasks/shapes/shape_runner.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

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

Judgement evaluateIllegal(const ShapeReport& report, const std::vector<double>& usual) {
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
    if (!report.noReference.empty()) {
        return {ShapeVerdict::Unchecked, "no error; it is unknown whether one is expected"};
    }
    if (!report.referenceRefused.empty()) {
        return {ShapeVerdict::Fail,
                fmt::format("no error, but the graph fails: {}", report.referenceRefused)};
    }
    std::string wrong = wrongOutputs(report, usual);
    return wrong.empty() ? Judgement{ShapeVerdict::Allowed, "no error, and the same results as the graph"}
                         : Judgement{ShapeVerdict::Fail, fmt::format("no error, and {}", wrong)};
}

/// Locating operators is slow, and the first failures usually show the cause.
constexpr std::size_t mostLocated = 3;
/// Per range.
constexpr std::int64_t mostSizes = 1000;

class Shapes {
  public:
    explicit Shapes(const ShapesSettings& what) : settings(what) {}

    Result<ShapesResult> run() {
        out.file = settings.model.string();
        ET_TRY(open());
        ET_TRY(lookAt());
        if (settings.curves) {
            ET_TRY(measureCurves());
        }
        return std::move(out);
    }

  private:
    Result<> open() {
        ET_ASSIGN(file, ProgramFile::open(settings.model));
        ET_ASSIGN(method, chooseMethod(*file.program, settings.options.method));
        ET_ASSIGN(const auto record, openRecord(settings.options.record));
        ET_ASSIGN(out.space, shapeSpace(*method, record.get()));
        if (record != nullptr && !out.space.fromRecord) {
            out.warnings.push_back(fmt::format("{}: no method \"{}\": bounds are found by running",
                                               settings.options.record.string(), out.space.method));
        }
        return {};
    }

    /// Runs everything except measurements; other programs may run at the same time.
    Result<> lookAt() {
        ProgressReporter watch(settings.progress, settings.options.timeoutSeconds);
        if (!out.space.fromRecord && !out.space.symbols.empty()) {
            watch.begin("probe", 0);
            ET_TRY(probe(out.space, [&](const InputSizes& sizes) -> Result<bool> {
                watch.step();
                ET_ASSIGN(const ShapeReport report, runApart({.sizes = sizes}));
                return report.end == ShapeEnd::Ran;
            }));
        }
        ET_TRY(chooseRanges());
        ET_ASSIGN(out.cases, boundCases(out.space));
        if (!settings.checks) {
            out.cases.clear();
        }
        for (const SizeRange& each : ranges) {
            ET_ASSIGN(auto more, casesAlong(out.space, each.symbol, sizesOf(each), out.cases));
            std::ranges::move(more, std::back_inserter(out.cases));
        }
        ET_TRY(runCases(watch));
        judge(out.cases);
        return locate(watch);
    }

    Result<> chooseRanges() {
        for (const SizeRange& range : settings.ranges) {
            const ShapeSymbol* const symbol = out.space.find(range.symbol);
            if (symbol == nullptr) {
                std::string known;
                for (const ShapeSymbol& each : out.space.symbols) {
                    known += fmt::format("{}{}", known.empty() ? "" : ", ", core::printable(each.name));
                }
                return fail(
                    ErrorCode::InvalidArgument,
                    fmt::format("--dim: no dynamic size \"{}\"; there {}", core::printable(range.symbol),
                                known.empty() ? "is none" : fmt::format("is {}", known)));
            }
            if (range.first < symbol->minimum || range.last > symbol->maximum) {
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("--dim {}: expected sizes from {} to {}, got {} to {}",
                                        core::printable(range.symbol), symbol->minimum, symbol->maximum,
                                        range.first, range.last));
            }
            if (range.step > 0 && (range.last - range.first) / range.step >= mostSizes) {
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("--dim {}: expected at most {} sizes", core::printable(range.symbol),
                                        mostSizes));
            }
            ranges.push_back(range);
        }
        for (const ShapeSymbol& each : out.space.symbols) {
            if (settings.ranges.empty() && settings.curves && ranges.size() < ShapesSettings::maxCurves) {
                ranges.push_back({.symbol = each.name, .first = each.minimum, .last = each.maximum});
            }
        }
        return {};
    }

    Result<ShapeReport> runApart(ShapeTask task) const {
        task.model = settings.model;
        task.options = settings.options;
        return runShapeApart(task);
    }

    /// Sizes with all symbols at one of their bounds.
    [[nodiscard]] Result<InputSizes> sizesAtEnd(std::int64_t ShapeSymbol::* end) const {
        etrecord::SymbolValues values;
        for (const ShapeSymbol& each : out.space.symbols) {
            values[each.name] = each.*end;
        }
        return sizesAt(out.space, values);
    }

    [[nodiscard]] ShapeCase* caseAt(const InputSizes& sizes) {
        const auto found = std::ranges::find(out.cases, sizes, &ShapeCase::sizes);
        return found == out.cases.end() ? nullptr : &*found;
    }

    Result<> runCase(ShapeCase& one, const InputSizes& before) {
        one.before = before;
        ET_ASSIGN(one.report, runApart({.sizes = one.sizes, .before = before}));
        return {};
    }

    /// Runs the largest sizes first, before all others if they run at all; then the largest again, after the
    /// smallest.
    Result<> runInTurn(ProgressReporter& watch) {
        ET_ASSIGN(const InputSizes largest, sizesAtEnd(&ShapeSymbol::maximum));
        ET_ASSIGN(const InputSizes smallest, sizesAtEnd(&ShapeSymbol::minimum));
        ShapeCase* const top = caseAt(largest);
        if (top != nullptr) {
            ET_TRY(runCase(*top, {}));
            watch.step();
        }
        const bool runs = top != nullptr && top->report.end == ShapeEnd::Ran && largest != smallest;
        for (ShapeCase& each : out.cases) {
            if (&each != top) {
                ET_TRY(runCase(each, runs ? largest : InputSizes()));
                watch.step();
            }
        }
        const ShapeCase* const bottom = caseAt(smallest);
        return runs && bottom != nullptr && bottom->report.end == ShapeEnd::Ran ? runCase(*top, smallest)
                                                                                : Result<>();
    }

    Result<> runCases(ProgressReporter& watch) {
        watch.begin("check", out.cases.size());
        auto done = runInTurn(watch);
        if (!done && InterruptionGuard::requested()) {
            out.interrupted = true;
            return {};
        }
        return done;
    }

    /// Adds details to failures: whether they need other sizes before, and which operator fails.
    Result<> locate(ProgressReporter& watch) {
        std::size_t located = 0;
        for (ShapeCase& each : out.cases) {
            if (each.verdict != ShapeVerdict::Fail || out.interrupted || located++ >= mostLocated) {
                continue;
            }
            watch.begin("locate", 0);
            ET_TRY(tryAlone(each));
            const bool isWrong = each.report.end == ShapeEnd::Ran && each.report.referenceRefused.empty() &&
                                 !each.report.outputs.empty();
            if (!isWrong) {
                continue;
            }
            if (const auto report = runApart({.sizes = each.sizes, .locate = true})) {
                each.report.culprit = report->culprit;
            }
        }
        return {};
    }

    Result<> tryAlone(ShapeCase& failed) {
        if (failed.before.empty()) {
            return {};
        }
        std::vector<ShapeCase> others = out.cases;
        ShapeCase& alone = others[static_cast<std::size_t>(&failed - out.cases.data())];
        ET_TRY(runCase(alone, {}));
        judge(others);
        if (alone.verdict == ShapeVerdict::Pass || alone.verdict == ShapeVerdict::Allowed) {
            failed.reason = fmt::format("only after other sizes: {}", failed.reason);
        }
        return {};
    }

    Result<> measureCurves() {
        for (const SizeRange& each : ranges) {
            if (InterruptionGuard::requested()) {
                out.interrupted = true;
                return {};
            }
            ET_ASSIGN(SizeCurve curve,
                      measureCurve({.run = {settings.model, settings.options, settings.progress},
                                    .iterations = settings.iterations,
                                    .space = out.space,
                                    .method = *method,
                                    .cases = out.cases},
                                   each));
            out.curves.push_back(std::move(curve));
        }
        return {};
    }

    const ShapesSettings& settings;
    ProgramFile file;
    const program::Method* method = nullptr;
    std::vector<SizeRange> ranges;
    ShapesResult out;
};

}  // namespace

void judge(std::span<ShapeCase> cases) {
    const std::vector<double> usual = usualErrors(cases);
    for (ShapeCase& each : cases) {
        std::tie(each.verdict, each.reason) = traits(each.place).isLegal
                                                  ? evaluateLegal(each.report, usual)
                                                  : evaluateIllegal(each.report, usual);
    }
}

std::size_t ShapesResult::count(ShapeVerdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count(cases, verdict, &ShapeCase::verdict));
}

Result<ShapesResult> runShapes(const ShapesSettings& settings) {
    return Shapes(settings).run();
}

}  // namespace et::tasks

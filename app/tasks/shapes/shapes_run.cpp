#include "app/tasks/shapes/shapes_run.h"

#include "app/tasks/compare/operator_curves.h"
#include "app/tasks/program_file.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model.h"
#include "app/tasks/shapes/shape_judgement.h"
#include "app/tasks/shapes/shape_probe.h"
#include "app/tasks/shapes/shape_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <utility>

namespace et::app {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Naming operators takes long; the first failures say what is wrong.
constexpr std::size_t mostLocated = 3;

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
        ET_ASSIGN(const ProgramFile file, ProgramFile::open(settings.model));
        ET_ASSIGN(const program::Method* const method, chooseMethod(*file.program, settings.options.method));
        std::shared_ptr<const etrecord::Record> record;
        if (!settings.options.record.empty()) {
            ET_ASSIGN(record, etrecord::Record::open(settings.options.record));
        }
        ET_ASSIGN(out.space, shapeSpace(*method, record.get()));
        if (record != nullptr && !out.space.fromRecord) {
            out.warnings.push_back(fmt::format("{}: no method \"{}\": bounds are found by running",
                                               settings.options.record.string(), out.space.method));
        }
        return {};
    }

    /// Everything that is not measured: the program may run beside others.
    Result<> lookAt() {
        Watch watch(settings.progress, settings.options.timeoutSeconds);
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

    [[nodiscard]] static std::vector<std::int64_t> sizesOf(const SizeRange& range) {
        return sizesBetween(range.first, range.last, range.step, ShapesSettings::usualSizes);
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

    /// All symbols at one of their ends.
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

    /// The largest sizes first, which run before all others where they run at all; then the largest again,
    /// after the smallest.
    Result<> runInTurn(Watch& watch) {
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

    Result<> runCases(Watch& watch) {
        watch.begin("check", out.cases.size());
        auto done = runInTurn(watch);
        if (!done && InterruptionGuard::requested()) {
            out.interrupted = true;
            return {};
        }
        return done;
    }

    /// Says of failures more: whether they need other sizes before, and which operator it is.
    Result<> locate(Watch& watch) {
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
            failed.reason = fmt::format("after other sizes alone: {}", failed.reason);
        }
        return {};
    }

    Result<> measureCurves() {
        for (const SizeRange& each : ranges) {
            if (InterruptionGuard::requested()) {
                out.interrupted = true;
                return {};
            }
            ET_ASSIGN(SizeCurve curve, measureCurve(each));
            out.curves.push_back(std::move(curve));
        }
        return {};
    }

    [[nodiscard]] Result<InputSizes> sizesOf(const std::string& symbol, std::int64_t size) const {
        etrecord::SymbolValues values = out.space.typical();
        values[symbol] = size;
        return sizesAt(out.space, values);
    }

    using Measured = std::map<std::int64_t, SizeMeasurement>;

    /// Nothing is measured where the program does not run.
    Result<> measureOne(const std::string& symbol, std::int64_t size, Measured& measured) {
        ET_ASSIGN(const InputSizes sizes, sizesOf(symbol, size));
        const ShapeCase* const known = caseAt(sizes);
        if (known != nullptr && known->report.end != ShapeEnd::Ran) {
            return {};
        }
        Repetitions repetitions = repetitionsFor(known == nullptr ? 0 : known->report.nanoseconds);
        repetitions.measured = settings.iterations.value_or(repetitions.measured);
        ET_ASSIGN(SizeMeasurement one, measureSize({settings.model, settings.options, settings.progress},
                                                   size, sizes, repetitions));
        measured.emplace(size, std::move(one));
        return {};
    }

    Result<SizeCurve> measureCurve(const SizeRange& range) {
        Measured measured;
        for (const std::int64_t size : sizesOf(range)) {
            if (InterruptionGuard::requested()) {
                break;
            }
            ET_TRY(measureOne(range.symbol, size, measured));
        }
        ET_ASSIGN(SizeCurve curve, curveOf(range.symbol, measured));
        // Steps are told from the sizes at hand; where each is, more sizes say.
        const std::vector<SizeStep> steps = curve.time.steps;
        for (const SizeStep& step : steps) {
            ET_TRY(narrow(range.symbol, step.before, step.after, measured));
        }
        return steps.empty() ? Result<SizeCurve>(std::move(curve)) : curveOf(range.symbol, measured);
    }

    /// Measures between two sizes until the rise is between neighbours.
    Result<> narrow(const std::string& symbol, std::int64_t low, std::int64_t high, Measured& measured) {
        while (high - low > 1 && !InterruptionGuard::requested()) {
            const std::int64_t middle = low + (high - low) / 2;
            ET_TRY(measureOne(symbol, middle, measured));
            if (!measured.contains(middle)) {
                return {};
            }
            const double time = measured[middle].nanoseconds;
            const bool isAbove = time - measured[low].nanoseconds > measured[high].nanoseconds - time;
            (isAbove ? high : low) = middle;
        }
        return {};
    }

    Result<SizeCurve> curveOf(const std::string& symbol, const Measured& measured) {
        SizeCurve curve{.symbol = symbol};
        std::vector<const inspector::Measurement*> measurements;
        std::vector<ShapeMemory> memories;
        for (const auto& [size, each] : measured) {
            curve.times.push_back({.size = size, .value = each.nanoseconds, .spread = each.spread});
            curve.peaks.push_back(each.peakBytes);
            measurements.push_back(&each.measurement);
            ET_ASSIGN(const InputSizes sizes, sizesOf(symbol, size));
            if (const ShapeCase* const known = caseAt(sizes)) {
                memories.push_back(known->report.memory);
                curve.planned = memories.back().planned;
                const auto taken = static_cast<double>(memories.back().total() - memories.back().planned);
                curve.memory.push_back({.size = size, .value = taken});
            }
        }
        for (OperatorMedians& each : operatorMedians(measurements)) {
            curve.operators.push_back({.name = each.name, .values = std::move(each.medians)});
        }
        curve.time = trendOf(curve.times, curve.operators);
        curve.space = trendOf(curve.memory, memoryParts(memories));
        return curve;
    }

    [[nodiscard]] static std::vector<SizePart> memoryParts(const std::vector<ShapeMemory>& memories) {
        const std::string owner = memories.empty() ? std::string() : memories.back().temporaryBy;
        std::vector<SizePart> parts{{.name = fmt::format("temporary memory of {}", owner), .values = {}},
                                    {.name = "tensors whose size nothing bounds", .values = {}}};
        for (const ShapeMemory& each : memories) {
            parts[0].values.push_back(static_cast<double>(each.temporary));
            parts[1].values.push_back(static_cast<double>(each.growing));
        }
        for (std::size_t i = 0; !memories.empty() && i < memories.front().workspaces.size(); ++i) {
            SizePart part{.name = fmt::format("workspace of delegate {}", i), .values = {}};
            for (const ShapeMemory& each : memories) {
                part.values.push_back(i < each.workspaces.size() ? static_cast<double>(each.workspaces[i])
                                                                 : 0);
            }
            parts.push_back(std::move(part));
        }
        return parts;
    }

    const ShapesSettings& settings;
    std::vector<SizeRange> ranges;
    ShapesResult out;
};

}  // namespace

Result<SizeRange> sizeRangeOf(std::string_view text) {
    SizeRange range;
    const std::size_t equals = text.find('=');
    range.symbol = text.substr(0, equals);
    std::string_view rest = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
    const auto number = [&](std::int64_t& into) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), into);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return error == std::errc{} && into >= 0;
    };
    const auto token = [&](std::string_view expected) {
        const bool isThere = rest.starts_with(expected);
        rest.remove_prefix(isThere ? expected.size() : 0);
        return isThere;
    };
    const bool hasRange =
        number(range.first) && token("..") && number(range.last) && range.first <= range.last;
    const bool isWhole = rest.empty() || (token(":") && number(range.step) && range.step > 0 && rest.empty());
    if (range.symbol.empty() || !hasRange || !isWhole) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("--dim: expected NAME=FIRST..LAST[:STEP], got \"{}\"", core::printable(text)));
    }
    return range;
}

std::size_t ShapesResult::count(ShapeVerdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count(cases, verdict, &ShapeCase::verdict));
}

Result<ShapesResult> runShapes(const ShapesSettings& settings) {
    return Shapes(settings).run();
}

}  // namespace et::app

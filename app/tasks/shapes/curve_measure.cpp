#include "app/tasks/shapes/curve_measure.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/operator_curves.h"
#include "runtime/core/event_names.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

/// Measures one curve.
class CurveMaker {
  public:
    explicit CurveMaker(const CurveSources& from) : sources(from) {}

    Result<SizeCurve> measure(const SizeRange& range) {
        Measured measured;
        for (const std::int64_t size : tasks::sizesOf(range)) {
            if (InterruptionGuard::requested()) {
                break;
            }
            ET_TRY(measureOne(range.symbol, size, measured));
        }
        ET_ASSIGN(SizeCurve curve, curveOf(range.symbol, measured));
        // Steps are detected from the measured sizes; more sizes locate them.
        const std::vector<SizeStep> steps = curve.time.steps;
        for (const SizeStep& step : steps) {
            ET_TRY(narrow(range.symbol, step.before, step.after, measured));
        }
        return steps.empty() ? Result<SizeCurve>(std::move(curve)) : curveOf(range.symbol, measured);
    }

  private:
    [[nodiscard]] Result<InputSizes> sizesOf(const std::string& symbol, std::int64_t size) const {
        etrecord::SymbolValues values = sources.space.typical();
        values[symbol] = size;
        return sizesAt(sources.space, values);
    }

    using Measured = std::map<std::int64_t, SizeMeasurement>;

    /// Skips sizes at which the program does not run.
    Result<> measureOne(const std::string& symbol, std::int64_t size, Measured& measured) {
        ET_ASSIGN(const InputSizes sizes, sizesOf(symbol, size));
        const ShapeCase* const known = caseAt(sizes);
        if (known != nullptr && known->report.end != ShapeEnd::Ran) {
            return {};
        }
        Repetitions repetitions = repetitionsFor(known == nullptr ? 0 : known->report.nanoseconds);
        repetitions.measured = sources.iterations.value_or(repetitions.measured);
        ET_ASSIGN(SizeMeasurement one, measureSize(sources.run, size, sizes, repetitions));
        measured.emplace(size, std::move(one));
        return {};
    }

    /// Bisects between two sizes until the step is between adjacent sizes.
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
        curve.operators = partsOf(operatorMedians(measurements));
        curve.time = trendOf(curve.times, curve.operators);
        curve.space = trendOf(curve.memory, memoryParts(memories));
        return curve;
    }

    /// Sums the calls of each operator, since growth is mostly the same in every layer.
    [[nodiscard]] std::vector<SizePart> partsOf(const std::vector<OperatorMedians>& operators) const {
        std::vector<SizePart> parts;
        for (const OperatorMedians& each : operators) {
            const std::string name = nameOf(each);
            auto known = std::ranges::find(parts, name, &SizePart::name);
            if (known == parts.end()) {
                parts.push_back(
                    {.name = name, .calls = 0, .values = std::vector<double>(each.medians.size())});
                known = parts.end() - 1;
            }
            ++known->calls;
            std::ranges::transform(known->values, each.medians, known->values.begin(), std::plus{});
        }
        return parts;
    }

    /// Operators without a kernel event have the program's name; XNNPACK appends a number to the names of its
    /// calls.
    [[nodiscard]] std::string nameOf(const OperatorMedians& each) const {
        const auto chain = static_cast<std::size_t>(each.chain);
        const auto instruction = static_cast<std::size_t>(each.instruction);
        if (each.name == core::event_name::operatorCall && each.chain >= 0 && each.instruction >= 0 &&
            chain < sources.method.chains.size() &&
            instruction < sources.method.chains[chain].instructions.size()) {
            return executor::instructionLabel(sources.method,
                                              sources.method.chains[chain].instructions[instruction]);
        }
        return each.name.substr(0, each.name.find(" #"));
    }

    [[nodiscard]] static std::vector<SizePart> memoryParts(const std::vector<ShapeMemory>& memories) {
        const std::string owner = memories.empty() ? std::string() : memories.back().temporaryBy;
        std::vector<SizePart> parts{{.name = fmt::format("temporary memory of {}", owner)},
                                    {.name = "tensors without an upper size bound"}};
        for (const ShapeMemory& each : memories) {
            parts[0].values.push_back(static_cast<double>(each.temporary));
            parts[1].values.push_back(static_cast<double>(each.growing));
        }
        for (std::size_t i = 0; !memories.empty() && i < memories.front().workspaces.size(); ++i) {
            SizePart part{.name = fmt::format("workspace of delegate {}", i)};
            for (const ShapeMemory& each : memories) {
                part.values.push_back(i < each.workspaces.size() ? static_cast<double>(each.workspaces[i])
                                                                 : 0);
            }
            parts.push_back(std::move(part));
        }
        return parts;
    }

    [[nodiscard]] const ShapeCase* caseAt(const InputSizes& sizes) const {
        const auto found = std::ranges::find(sources.cases, sizes, &ShapeCase::sizes);
        return found == sources.cases.end() ? nullptr : &*found;
    }

    const CurveSources& sources;
};

}  // namespace

std::optional<double> SizeCurve::memoryAt(std::int64_t size) const {
    const auto found = std::ranges::find(memory, size, &SizeSample::size);
    return found == memory.end() ? std::nullopt : std::optional(found->value);
}

Result<SizeCurve> measureCurve(const CurveSources& sources, const SizeRange& range) {
    return CurveMaker(sources).measure(range);
}

}  // namespace et::tasks

#include "app/pages/shapes/shapes_info.h"
#include "runtime/core/scalar_type.h"

#include <string>
#include <utility>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::Dict;
using inspector::report::List;

List symbolsInfo(const ShapeSpace& space) {
    List list;
    for (const ShapeSymbol& each : space.symbols) {
        list.emplace_back(Dict{{"name", each.name},
                               {"min", each.minimum},
                               {"min_from", std::string(boundSourceName(each.minimumFrom))},
                               {"max", each.maximum},
                               {"max_from", std::string(boundSourceName(each.maximumFrom))},
                               {"typical", each.typical}});
    }
    return list;
}

List inputsInfo(const ShapeSpace& space) {
    List list;
    for (const ShapedInput& each : space.inputs) {
        List sizes;
        std::vector<std::int64_t> bounds;
        for (const ShapeDimension& dimension : each.dimensions) {
            sizes.emplace_back(dimension.size);
            bounds.push_back(dimension.bound);
        }
        list.emplace_back(Dict{
            {"name", each.name},
            {"dtype", each.isTensor ? std::string(core::scalarTypeName(each.scalarType)) : std::string()},
            {"sizes", std::move(sizes)},
            {"bounds", std::move(bounds)}});
    }
    return list;
}

Dict memoryInfo(const ShapeMemory& memory) {
    return {{"planned", memory.planned},
            {"growing", memory.growing},
            {"temporary", memory.temporary},
            {"workspace", memory.workspace}};
}

List outputsInfo(const ShapeReport& report) {
    List list;
    for (const ShapeOutput& each : report.outputs) {
        list.emplace_back(Dict{{"sizes", each.sizes},
                               {"reference_sizes", each.referenceSizes},
                               {"elements", each.elements},
                               {"beyond_tolerance", each.beyond},
                               {"first_beyond", each.first},
                               {"max_error", each.maxError},
                               {"magnitude", each.magnitude}});
    }
    return list;
}

Dict caseInfo(const ShapeCase& each) {
    List sizes;
    for (const auto& input : each.sizes) {
        sizes.emplace_back(input);
    }
    Dict values;
    for (const auto& [name, value] : each.values) {
        values.emplace_back(name, value);
    }
    return {{"place", std::string(traits(each.place).name)},
            {"legal", traits(each.place).isLegal},
            {"what", each.what},
            {"values", std::move(values)},
            {"sizes", std::move(sizes)},
            {"verdict", std::string(shapeVerdictName(each.verdict))},
            {"end", std::string(shapeEndName(each.report.end))},
            {"reason", each.reason},
            {"culprit", each.report.culprit},
            {"outputs", outputsInfo(each.report)},
            {"memory", memoryInfo(each.report.memory)}};
}

Dict trendInfo(const SizeTrend& trend) {
    List steps;
    for (const SizeStep& each : trend.steps) {
        steps.emplace_back(Dict{{"before", each.before},
                                {"after", each.after},
                                {"from", each.from},
                                {"to", each.to},
                                {"operator", each.maker},
                                {"operator_rise", each.makerRise}});
    }
    return {{"changes", trend.changes},
            {"base", trend.line.base},
            {"slope", trend.line.slope},
            {"linear_until", trend.linearUntil ? Cell(*trend.linearUntil) : Cell()},
            {"kind", std::string(inspector::growthKindName(trend.fit.kind))},
            {"exponent", trend.fit.exponent ? Cell(*trend.fit.exponent) : Cell()},
            {"steps", std::move(steps)}};
}

Dict curveInfo(const SizeCurve& curve) {
    std::vector<std::int64_t> sizes;
    std::vector<double> times;
    std::vector<double> bytes;
    for (const SizeSample& each : curve.times) {
        sizes.push_back(each.size);
        times.push_back(each.value);
    }
    for (const SizeSample& each : curve.memory) {
        bytes.push_back(each.value);
    }
    List operators;
    for (const SizePart& each : curve.operators) {
        operators.emplace_back(Dict{{"name", each.name}, {"p50_ns", each.values}});
    }
    return {{"dimension", curve.symbol},        {"sizes", std::move(sizes)},
            {"p50_ns", std::move(times)},       {"working_bytes", std::move(bytes)},
            {"peak_bytes", curve.peaks},        {"time", trendInfo(curve.time)},
            {"memory", trendInfo(curve.space)}, {"planned_bytes", curve.planned},
            {"operators", std::move(operators)}};
}

}  // namespace

Dict shapesInfo(const ShapesResult& result) {
    List cases;
    for (const ShapeCase& each : result.cases) {
        cases.emplace_back(caseInfo(each));
    }
    List curves;
    for (const SizeCurve& each : result.curves) {
        curves.emplace_back(curveInfo(each));
    }
    List outputs;
    for (const std::string& each : result.space.outputs) {
        outputs.emplace_back(each);
    }
    return {{"file", result.file},
            {"method", result.space.method},
            {"from_record", result.space.fromRecord},
            {"dimensions", symbolsInfo(result.space)},
            {"inputs", inputsInfo(result.space)},
            {"outputs", std::move(outputs)},
            {"failed", std::uint64_t{result.count(ShapeVerdict::Fail)}},
            {"cases", std::move(cases)},
            {"curves", std::move(curves)}};
}

}  // namespace et::app

#include "app/output/cells.h"
#include "app/output/shapes/shapes_info.h"
#include "runtime/core/scalar_type.h"

#include <string>
#include <utility>

namespace et::output {
namespace {

List symbolsInfo(const tasks::ShapeSpace& space) {
    return listOf(space.symbols, [&](const tasks::ShapeSymbol& each) {
        return Dict{{"name", each.name},
                    {"min", each.minimum},
                    {"min_from", std::string(tasks::boundSourceName(each.minimumFrom))},
                    {"max", each.maximum},
                    {"max_from", std::string(tasks::boundSourceName(each.maximumFrom))},
                    {"typical", each.typical}};
    });
}

List inputsInfo(const tasks::ShapeSpace& space) {
    return listOf(space.inputs, [&](const tasks::ShapedInput& each) {
        List sizes;
        std::vector<std::int64_t> bounds;
        for (const tasks::ShapeDimension& dimension : each.dimensions) {
            sizes.emplace_back(dimension.size);
            bounds.push_back(dimension.bound);
        }
        return Dict{
            {"name", each.name},
            {"dtype", each.isTensor ? std::string(core::scalarTypeName(each.scalarType)) : std::string()},
            {"sizes", std::move(sizes)},
            {"bounds", std::move(bounds)}};
    });
}

Dict memoryInfo(const tasks::ShapeMemory& memory) {
    return {{"planned", memory.planned},
            {"growing", memory.growing},
            {"temporary", memory.temporary},
            {"workspace", memory.workspace}};
}

List outputsInfo(const tasks::ShapeReport& report) {
    return listOf(report.outputs, [&](const tasks::ShapeOutput& each) {
        return Dict{{"sizes", each.sizes},        {"reference_sizes", each.referenceSizes},
                    {"elements", each.elements},  {"beyond_tolerance", each.beyond},
                    {"first_beyond", each.first}, {"max_error", each.maxError},
                    {"magnitude", each.magnitude}};
    });
}

Dict caseInfo(const tasks::ShapeCase& each) {
    Dict values;
    for (const auto& [name, value] : each.values) {
        values.emplace_back(name, value);
    }
    return {{"place", std::string(traits(each.place).name)},
            {"legal", traits(each.place).isLegal},
            {"what", each.what},
            {"values", std::move(values)},
            {"sizes", listOf(each.sizes)},
            {"verdict", std::string(tasks::shapeVerdictName(each.verdict))},
            {"end", std::string(tasks::shapeEndName(each.report.end))},
            {"reason", each.reason},
            {"culprit", each.report.culprit},
            {"outputs", outputsInfo(each.report)},
            {"memory", memoryInfo(each.report.memory)}};
}

Dict trendInfo(const tasks::SizeTrend& trend) {
    List steps;
    for (const tasks::SizeStep& each : trend.steps) {
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
            {"linear_until", optionalCell(trend.linearUntil)},
            {"kind", std::string(inspector::growthKindName(trend.fit.kind))},
            {"exponent", optionalCell(trend.fit.exponent)},
            {"bends", listOf(trend.bends,
                             [](const tasks::Nonlinearity& each) {
                                 return Dict{{"operator", each.maker}, {"excess", each.excess}};
                             })},
            {"steps", std::move(steps)}};
}

Dict curveInfo(const tasks::SizeCurve& curve) {
    std::vector<std::int64_t> sizes;
    std::vector<double> times;
    List bytes;
    for (const tasks::SizeSample& each : curve.times) {
        sizes.push_back(each.size);
        times.push_back(each.value);
        const auto memory = curve.memoryAt(each.size);
        bytes.emplace_back(optionalCell(memory));
    }
    List operators;
    for (const tasks::SizePart& each : curve.operators) {
        operators.emplace_back(
            Dict{{"name", each.name}, {"calls", std::uint64_t{each.calls}}, {"p50_ns", each.values}});
    }
    return {{"dimension", curve.symbol},        {"sizes", std::move(sizes)},
            {"p50_ns", std::move(times)},       {"working_bytes", std::move(bytes)},
            {"peak_bytes", curve.peaks},        {"time", trendInfo(curve.time)},
            {"memory", trendInfo(curve.space)}, {"planned_bytes", curve.planned},
            {"operators", std::move(operators)}};
}

}  // namespace

List curvesInfo(const tasks::ShapesResult& result) {
    return listOf(result.curves, curveInfo);
}

Dict shapesInfo(const tasks::ShapesResult& result) {
    return {{"file", result.file},
            {"method", result.space.method},
            {"from_record", result.space.fromRecord},
            {"dimensions", symbolsInfo(result.space)},
            {"inputs", inputsInfo(result.space)},
            {"outputs", listOf(result.space.outputs)},
            {"failed", std::uint64_t{result.count(tasks::ShapeVerdict::Fail)}},
            {"cases", listOf(result.cases, caseInfo)},
            {"curves", curvesInfo(result)}};
}

}  // namespace et::output

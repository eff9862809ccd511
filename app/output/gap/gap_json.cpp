#include "app/output/cells.h"
#include "app/output/gap/gap_info.h"
#include "app/tasks/gap/sensitivity.h"

#include <array>
#include <cmath>
#include <utility>

namespace et::output {
namespace {

using inspector::GapGraph;
using inspector::GapLevel;
using inspector::GapMetricInfo;
using inspector::GapPair;
using inspector::GapRow;
using inspector::NumericGap;
using inspector::OwnError;
using inspector::QuantizationParameters;
using inspector::SideStatistics;

/// Incremented when the meaning of a key changes.
constexpr std::int64_t gapSchema = 1;

Dict statisticsInfo(const inspector::GapTensor& side) {
    const SideStatistics& numbers = side.statistics;
    const core::Tensor& tensor = side.tensor.view;
    return {{"dtype", core::scalarTypeName(tensor.dtype())},
            {"shape", std::vector<std::int64_t>(tensor.sizes().begin(), tensor.sizes().end())},
            {"elements", numbers.elements},
            {"min", numbers.minimum},
            {"max", numbers.maximum},
            {"mean", numbers.mean},
            {"std", numbers.deviation},
            {"p99", numbers.p99},
            {"nan", numbers.nans},
            {"inf", numbers.infinities},
            {"zero", numbers.zeros}};
}

Cell quantizationCell(const std::optional<QuantizationParameters>& parameters) {
    if (!parameters) {
        return {};
    }
    return Dict{{"scale", parameters->scale}, {"zero_point", parameters->zeroPoint}};
}

Dict gapPairInfo(const GapPair& pair) {
    Dict metrics;
    Dict infinite;
    for (const GapMetricInfo& each : inspector::gapMetrics) {
        const std::optional<double> number = pair.numbers[each.metric];
        metrics.emplace_back(std::string(each.name), optionalCell(number));
        if (number && std::isinf(*number)) {
            infinite.emplace_back(std::string(each.name), std::string(*number < 0 ? "-inf" : "inf"));
        }
    }
    return {{"metrics", std::move(metrics)},
            {"infinite", infinite.empty() ? Cell() : Cell(std::move(infinite))},
            {"reference", statisticsInfo(pair.reference)},
            {"runtime", statisticsInfo(pair.runtime)},
            {"quantization", quantizationCell(pair.runtimeQuantization)},
            {"difference", textCell(pair.difference)}};
}

void addOwnError(Dict& info, const std::optional<OwnError>& own) {
    const auto number = [&](double OwnError::* field) { return own ? Cell((*own).*field) : Cell(); };
    info.emplace_back("own_error", number(&OwnError::own));
    info.emplace_back("inherited_error", number(&OwnError::inherited));
    info.emplace_back("total_error", number(&OwnError::total));
    info.emplace_back("own_steps", number(&OwnError::ownSteps));
    info.emplace_back("own_share", number(&OwnError::ownShare));
    info.emplace_back("own_shift", number(&OwnError::ownShift));
    info.emplace_back("diverges", own ? Cell(own->diverges) : Cell());
    info.emplace_back("reason", own ? textCell(own->reason) : Cell());
    info.emplace_back("explained_by", own ? textCell(own->explanation) : Cell());
}

Dict stackTraceInfo(const GapRow& row) {
    Dict traces;
    for (const auto& [node, trace] : row.stackTraces) {
        traces.emplace_back(node, trace);
    }
    return traces;
}

Dict rowInfo(const GapRow& row, inspector::GapMetric metric) {
    List gaps;
    List pairs;
    for (const GapPair& pair : row.pairs) {
        gaps.push_back(optionalCell(pair.numbers[metric]));
        pairs.emplace_back(gapPairInfo(pair));
    }
    Dict info{{"aot_debug_handle", numbersOf(row.referenceHandles)},
              {"aot_ops", listOf(row.referenceOps)},
              {"runtime_debug_handle", numbersOf(row.runtimeHandles)},
              {"runtime_ops", listOf(row.runtimeOps)},
              {"gap", std::move(gaps)},
              {"stacktraces", stackTraceInfo(row)},
              {"place", std::string(row.place == GapLevel::Delegate ? "delegate" : "instruction")},
              {"graph", std::string(row.graph == GapGraph::Edge ? "edge" : "exported")},
              {"instruction_id", static_cast<std::int64_t>(row.instruction)},
              {"backend", textCell(row.backend)},
              {"module", textCell(row.module)},
              {"outputs", std::move(pairs)}};
    if (row.own) {
        info.emplace_back("edge_nodes", listOf(row.edgeNodes));
        info.emplace_back("inputs", listOf(row.inputs));
    }
    addOwnError(info, row.own);
    return info;
}

Dict divergenceInfo(const GapRow& row, std::span<const std::string> inputs) {
    Dict info{{"debug_handles", numbersOf(row.referenceHandles)},
              {"aot_ops", listOf(row.edgeNodes)},
              {"runtime_ops", listOf(row.runtimeOps)}};
    addOwnError(info, row.own);
    info.emplace_back("place", std::string(row.place == GapLevel::Delegate ? "delegate" : "instruction"));
    info.emplace_back("instruction_id", static_cast<std::int64_t>(row.instruction));
    info.emplace_back("backend", textCell(row.backend));
    info.emplace_back("module", textCell(row.module));
    info.emplace_back("inputs", listOf(row.inputs));
    info.emplace_back("quantization",
                      row.pairs.empty() ? Cell() : quantizationCell(row.pairs.front().runtimeQuantization));
    info.emplace_back("stacktraces", stackTraceInfo(row));
    info.emplace_back("diverges_on", listOf(inputs));
    return info;
}

/// The operators that diverge on every input, and those that diverge on some.
Dict sensitivityInfo(tasks::Gaps gaps) {
    List always;
    List sometimes;
    for (const tasks::DivergingOperator& each : tasks::divergingOperators(gaps)) {
        (each.inputs.size() == gaps.size() ? always : sometimes)
            .emplace_back(divergenceInfo(*each.row, each.inputs));
    }
    List names;
    for (const auto& gap : gaps) {
        names.emplace_back(gap->inputs);
    }
    return {{"inputs", std::move(names)},
            {"diverge_always", std::move(always)},
            {"diverge_sometimes", std::move(sometimes)}};
}

Cell firstDivergenceCell(tasks::Gaps gaps) {
    const auto which = tasks::firstDivergingGap(gaps);
    if (!which) {
        return {};
    }
    const NumericGap& gap = *gaps[*which];
    const std::array inputs{gap.inputs};
    return divergenceInfo(gap.rows[*gap.firstDivergence], inputs);
}

List tapInfo(const NumericGap& gap) {
    return listOf(gap.taps, [&](const inspector::GapTaps& each) {
        return Dict{{"instruction_id", static_cast<std::int64_t>(each.instruction)},
                    {"values", each.values},
                    {"changed_operators", each.changedOperators},
                    {"changed_elements", each.changedElements}};
    });
}

List rowsOf(const NumericGap& gap, inspector::GapMetric metric) {
    return listOf(gap.rows, [&](const GapRow& row) { return rowInfo(row, metric); });
}

}  // namespace

std::string gapJson(tasks::Gaps gaps, const tasks::GapSettings& settings,
                    const std::vector<std::string>& emulated) {
    const NumericGap& first = *gaps.front();
    const std::vector<std::string> warnings = tasks::makeWarnings(gaps);
    Dict info{{"schema", gapSchema},
              {"method", first.method},
              {"metric", std::string(inspector::traits(settings.metric).name)},
              {"inputs", first.inputs},
              {"precision", std::string(tasks::precisionName(settings.precision))},
              {"rows", rowsOf(first, settings.metric)}};
    if (gaps.size() > 1) {
        info.emplace_back("other_inputs", listOf(gaps.subspan(1), [&](const auto& gap) {
                              return Dict{{"inputs", gap->inputs}, {"rows", rowsOf(*gap, settings.metric)}};
                          }));
    }
    if (settings.bisect) {
        info.emplace_back("tolerance", settings.tolerance);
        info.emplace_back("first_divergence", firstDivergenceCell(gaps));
        info.emplace_back("sensitivity", sensitivityInfo(gaps));
    }
    if (!emulated.empty()) {
        info.emplace_back("emulated", listOf(emulated));
    }
    info.emplace_back("taps", tapInfo(first));
    info.emplace_back("warnings", listOf(warnings));
    return jsonLine(std::move(info));
}

}  // namespace et::output

#include "app/pages/gap/gap_facts.h"
#include "app/tasks/gap/sensitivity.h"
#include "inspector/format/json_text.h"
#include "inspector/format/text_cell.h"

#include <array>
#include <cmath>
#include <utility>

namespace et::cli {
namespace {

using inspector::GapGraph;
using inspector::GapMetricFacts;
using inspector::GapPair;
using inspector::GapPlace;
using inspector::GapRow;
using inspector::NumericGap;
using inspector::OwnError;
using inspector::QuantizationParameters;
using inspector::SideStatistics;
using inspector::report::Cell;
using inspector::report::Dict;
using inspector::report::List;
using inspector::report::textCell;

/// Raised when the meaning of a key changes.
constexpr std::int64_t schema = 1;

Cell handlesCell(std::span<const core::DebugHandle> handles) {
    std::vector<std::int64_t> numbers;
    for (const core::DebugHandle each : handles) {
        numbers.push_back(each.value);
    }
    return numbers;
}

Cell textsCell(std::span<const std::string> texts) {
    return List(texts.begin(), texts.end());
}

Cell numberCell(const std::optional<double>& number) {
    return number ? Cell(*number) : Cell();
}

Dict statisticsFacts(const inspector::GapTensor& side) {
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

Dict pairFacts(const GapPair& pair) {
    Dict metrics;
    Dict infinite;
    for (const GapMetricFacts& each : inspector::gapMetrics) {
        const std::optional<double> number = pair.numbers[each.metric];
        metrics.emplace_back(std::string(each.name), numberCell(number));
        if (number && std::isinf(*number)) {
            infinite.emplace_back(std::string(each.name), std::string(*number < 0 ? "-inf" : "inf"));
        }
    }
    return {{"metrics", std::move(metrics)},
            {"infinite", infinite.empty() ? Cell() : Cell(std::move(infinite))},
            {"reference", statisticsFacts(pair.reference)},
            {"runtime", statisticsFacts(pair.runtime)},
            {"quantization", quantizationCell(pair.runtimeQuantization)},
            {"difference", textCell(pair.difference)}};
}

void addOwnError(Dict& facts, const std::optional<OwnError>& own) {
    const auto number = [&](double OwnError::* field) { return own ? Cell((*own).*field) : Cell(); };
    facts.emplace_back("own_error", number(&OwnError::own));
    facts.emplace_back("inherited_error", number(&OwnError::inherited));
    facts.emplace_back("total_error", number(&OwnError::total));
    facts.emplace_back("own_steps", number(&OwnError::ownSteps));
    facts.emplace_back("own_share", number(&OwnError::ownShare));
    facts.emplace_back("own_shift", number(&OwnError::ownShift));
    facts.emplace_back("diverges", own ? Cell(own->diverges) : Cell());
    facts.emplace_back("reason", own ? textCell(own->reason) : Cell());
}

Dict stackTraceFacts(const GapRow& row) {
    Dict traces;
    for (const auto& [node, trace] : row.stackTraces) {
        traces.emplace_back(node, trace);
    }
    return traces;
}

Dict rowFacts(const GapRow& row, inspector::GapMetric metric) {
    List gaps;
    List pairs;
    for (const GapPair& pair : row.pairs) {
        gaps.push_back(numberCell(pair.numbers[metric]));
        pairs.emplace_back(pairFacts(pair));
    }
    Dict facts{{"aot_debug_handle", handlesCell(row.referenceHandles)},
               {"aot_ops", textsCell(row.referenceOps)},
               {"runtime_debug_handle", handlesCell(row.runtimeHandles)},
               {"runtime_ops", textsCell(row.runtimeOps)},
               {"gap", std::move(gaps)},
               {"stacktraces", stackTraceFacts(row)},
               {"place", std::string(row.place == GapPlace::Delegate ? "delegate" : "instruction")},
               {"graph", std::string(row.graph == GapGraph::Edge ? "edge" : "exported")},
               {"instruction_id", static_cast<std::int64_t>(row.instruction)},
               {"backend", textCell(row.backend)},
               {"module", textCell(row.module)},
               {"outputs", std::move(pairs)}};
    if (row.own) {
        facts.emplace_back("edge_nodes", textsCell(row.edgeNodes));
        facts.emplace_back("inputs", textsCell(row.inputs));
    }
    addOwnError(facts, row.own);
    return facts;
}

Dict divergenceFacts(const GapRow& row, std::span<const std::string> inputs) {
    Dict facts{{"debug_handles", handlesCell(row.referenceHandles)},
               {"aot_ops", textsCell(row.edgeNodes)},
               {"runtime_ops", textsCell(row.runtimeOps)}};
    addOwnError(facts, row.own);
    facts.emplace_back("place", std::string(row.place == GapPlace::Delegate ? "delegate" : "instruction"));
    facts.emplace_back("instruction_id", static_cast<std::int64_t>(row.instruction));
    facts.emplace_back("backend", textCell(row.backend));
    facts.emplace_back("module", textCell(row.module));
    facts.emplace_back("inputs", textsCell(row.inputs));
    facts.emplace_back("quantization",
                       row.pairs.empty() ? Cell() : quantizationCell(row.pairs.front().runtimeQuantization));
    facts.emplace_back("stacktraces", stackTraceFacts(row));
    facts.emplace_back("diverges_on", textsCell(inputs));
    return facts;
}

/// The operators that diverge on each of the inputs, and those that do on some.
Dict sensitivityFacts(Gaps gaps) {
    List always;
    List sometimes;
    for (const DivergingOperator& each : divergingOperators(gaps)) {
        (each.inputs.size() == gaps.size() ? always : sometimes)
            .emplace_back(divergenceFacts(*each.row, each.inputs));
    }
    List names;
    for (const auto& gap : gaps) {
        names.emplace_back(gap->inputs);
    }
    return {{"inputs", std::move(names)},
            {"diverge_always", std::move(always)},
            {"diverge_sometimes", std::move(sometimes)}};
}

Cell firstDivergenceCell(Gaps gaps) {
    const auto which = firstDivergingGap(gaps);
    if (!which) {
        return {};
    }
    const NumericGap& gap = *gaps[*which];
    const std::array inputs{gap.inputs};
    return divergenceFacts(gap.rows[*gap.firstDivergence], inputs);
}

List tapFacts(const NumericGap& gap) {
    List taps;
    for (const inspector::GapTaps& each : gap.taps) {
        taps.emplace_back(Dict{{"instruction_id", static_cast<std::int64_t>(each.instruction)},
                               {"values", each.values},
                               {"changed_operators", each.changedOperators},
                               {"changed_elements", each.changedElements}});
    }
    return taps;
}

List rowsOf(const NumericGap& gap, inspector::GapMetric metric) {
    List rows;
    for (const GapRow& row : gap.rows) {
        rows.emplace_back(rowFacts(row, metric));
    }
    return rows;
}

}  // namespace

std::string gapJson(Gaps gaps, const GapFactsOptions& options) {
    const NumericGap& first = *gaps.front();
    const std::vector<std::string> warnings = warningsOf(gaps);
    Dict facts{{"schema", schema},
               {"method", first.method},
               {"metric", std::string(inspector::facts(options.metric).name)},
               {"inputs", first.inputs},
               {"precision", options.precision},
               {"rows", rowsOf(first, options.metric)}};
    if (gaps.size() > 1) {
        List others;
        for (const auto& gap : gaps.subspan(1)) {
            others.emplace_back(Dict{{"inputs", gap->inputs}, {"rows", rowsOf(*gap, options.metric)}});
        }
        facts.emplace_back("other_inputs", std::move(others));
    }
    if (options.bisect) {
        facts.emplace_back("tolerance", options.tolerance);
        facts.emplace_back("first_divergence", firstDivergenceCell(gaps));
        facts.emplace_back("sensitivity", sensitivityFacts(gaps));
    }
    if (!options.emulated.empty()) {
        facts.emplace_back("emulated", textsCell(options.emulated));
    }
    facts.emplace_back("taps", tapFacts(first));
    facts.emplace_back("warnings", textsCell(warnings));
    std::string text;
    inspector::report::appendJson(text, Cell(std::move(facts)));
    return text + "\n";
}

}  // namespace et::cli

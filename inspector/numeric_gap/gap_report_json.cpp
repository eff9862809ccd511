#include "inspector/format/json_text.h"
#include "inspector/format/list_of.h"
#include "inspector/format/text_cell.h"
#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/gap_report.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace et::inspector {
namespace {

namespace dom = simdjson::dom;
using core::DebugHandle;

using format::Cell;
using format::Dict;
using format::List;
using format::listOf;
using format::optionalCell;
using format::textCell;

/// Incremented when the meaning of a key changes.
constexpr std::int64_t schema = 1;
constexpr std::string_view delegatePlace = "delegate";
constexpr std::string_view edgeGraph = "edge";

// Parsing throws simdjson_error, caught in readGapJson(): the text is our own output, possibly of a process
// that crashed.

/// Whether the field exists and is not null.
bool isThere(dom::element object, const char* key) {
    dom::element value;
    return object[key].get(value) == simdjson::SUCCESS && !value.is_null();
}

dom::array arrayAt(dom::element object, const char* key) {
    return object[key].get_array().value();
}

std::string textAt(dom::element object, const char* key) {
    return isThere(object, key) ? std::string(object[key].get_string().value()) : std::string();
}

std::optional<double> numberAt(dom::element object, const char* key) {
    return isThere(object, key) ? std::optional(object[key].get_double().value()) : std::nullopt;
}

std::vector<std::string> textsAt(dom::element object, const char* key) {
    std::vector<std::string> texts;
    if (isThere(object, key)) {
        for (const dom::element each : arrayAt(object, key)) {
            texts.emplace_back(each.get_string().value());
        }
    }
    return texts;
}

std::vector<std::int64_t> integersAt(dom::element object, const char* key) {
    std::vector<std::int64_t> numbers;
    for (const dom::element each : arrayAt(object, key)) {
        numbers.push_back(each.get_int64().value());
    }
    return numbers;
}

std::vector<DebugHandle> handlesAt(dom::element object, const char* key) {
    std::vector<DebugHandle> handles;
    for (const std::int64_t each : integersAt(object, key)) {
        handles.emplace_back(each);
    }
    return handles;
}

/// A struct field and the JSON key of its number.
template <class T, class Number>
struct Key {
    const char* key;
    Number T::* field;
};

constexpr Key<SideStatistics, double> realStatistics[] = {
    {"min", &SideStatistics::minimum},   {"max", &SideStatistics::maximum}, {"mean", &SideStatistics::mean},
    {"std", &SideStatistics::deviation}, {"p99", &SideStatistics::p99},
};
constexpr Key<SideStatistics, std::uint64_t> wholeStatistics[] = {
    {"nan", &SideStatistics::nans},
    {"inf", &SideStatistics::infinities},
    {"zero", &SideStatistics::zeros},
};
constexpr Key<OwnError, double> errors[] = {
    {"own_error", &OwnError::own},      {"inherited_error", &OwnError::inherited},
    {"total_error", &OwnError::total},  {"own_steps", &OwnError::ownSteps},
    {"own_share", &OwnError::ownShare}, {"own_shift", &OwnError::ownShift},
};

GapSide sideOf(dom::element object) {
    GapSide side{.dtype = textAt(object, "dtype"), .sizes = integersAt(object, "shape"), .statistics = {}};
    for (const auto& each : realStatistics) {
        // The sum of finite numbers may be infinite.
        side.statistics.*each.field =
            numberAt(object, each.key).value_or(std::numeric_limits<double>::infinity());
    }
    side.statistics.elements = object["elements"].get_uint64().value();
    for (const auto& each : wholeStatistics) {
        side.statistics.*each.field = object[each.key].get_uint64().value();
    }
    return side;
}

/// Metrics that are not finite are null among the numbers and named in "infinite".
GapNumbers readGapNumbers(dom::element output) {
    GapNumbers numbers;
    const dom::element metrics = output["metrics"];
    for (const GapMetricInfo& each : gapMetrics) {
        const std::string key(each.name);
        numbers[each.metric] = numberAt(metrics, key.c_str());
        if (isThere(output, "infinite")) {
            const std::string sign = textAt(output["infinite"], key.c_str());
            constexpr double infinity = std::numeric_limits<double>::infinity();
            if (!sign.empty()) {
                numbers[each.metric] = sign == "nan"           ? std::numeric_limits<double>::quiet_NaN()
                                       : sign.starts_with('-') ? -infinity
                                                               : infinity;
            }
        }
    }
    return numbers;
}

GapOutput outputOf(dom::element object) {
    GapOutput output{.reference = sideOf(object["reference"]),
                     .runtime = sideOf(object["runtime"]),
                     .numbers = readGapNumbers(object),
                     .quantization = {},
                     .difference = textAt(object, "difference")};
    if (isThere(object, "quantization")) {
        const dom::element given = object["quantization"];
        output.quantization = QuantizationParameters{.scale = given["scale"].get_double().value(),
                                                     .zeroPoint = given["zero_point"].get_int64().value()};
    }
    return output;
}

/// Infinite values are null: the operator then diverges because only one side has a finite number.
std::optional<OwnError> readOwnError(dom::element object) {
    if (!isThere(object, "diverges")) {
        return std::nullopt;
    }
    OwnError own{.diverges = object["diverges"].get_bool().value(), .reason = textAt(object, "reason")};
    if (isThere(object, "explained_by")) {
        own.explanation = textAt(object, "explained_by");
    }
    for (const auto& each : errors) {
        own.*each.field = numberAt(object, each.key).value_or(std::numeric_limits<double>::infinity());
    }
    return own;
}

GapReportRow rowOf(dom::element object) {
    GapReportRow row;
    row.referenceHandles = handlesAt(object, "aot_debug_handle");
    row.referenceOps = textsAt(object, "aot_ops");
    row.runtimeHandles = handlesAt(object, "runtime_debug_handle");
    row.runtimeOps = textsAt(object, "runtime_ops");
    const dom::object traces = object["stacktraces"].get_object().value();
    for (const auto [node, trace] : traces) {
        row.stackTraces.emplace_back(node, trace.get_string().value());
    }
    row.place = textAt(object, "place") == delegatePlace ? GapLevel::Delegate : GapLevel::Instruction;
    row.graph = textAt(object, "graph") == edgeGraph ? GapGraph::Edge : GapGraph::Exported;
    row.instruction = static_cast<std::int32_t>(object["instruction_id"].get_int64().value());
    row.backend = textAt(object, "backend");
    row.module = textAt(object, "module");
    row.name = textAt(object, "name");
    row.edgeNodes = textsAt(object, "edge_nodes");
    row.inputs = textsAt(object, "inputs");
    row.own = readOwnError(object);
    row.sensitivity = numberAt(object, "sensitivity");
    for (const dom::element each : arrayAt(object, "outputs")) {
        row.outputs.push_back(outputOf(each));
    }
    return row;
}

std::vector<GapReportRow> rowsAt(dom::element object, std::size_t set) {
    std::vector<GapReportRow> rows;
    for (const dom::element each : arrayAt(object, "rows")) {
        GapReportRow& row = rows.emplace_back(rowOf(each));
        row.set = set;
        row.number = rows.size() - 1;
    }
    return rows;
}

void readOtherSets(dom::element root, GapReport& report) {
    if (isThere(root, "other_inputs")) {
        for (const dom::element each : arrayAt(root, "other_inputs")) {
            const std::size_t set = report.otherSets.size() + 1;
            report.otherSets.push_back({.inputs = textAt(each, "inputs"), .rows = rowsAt(each, set)});
        }
    }
}

/// The row of a diverging operator, which may be for other inputs than the report's rows.
std::optional<GapDivergence> computeDivergence(dom::element object, const std::vector<GapReportRow>& rows) {
    const std::vector<DebugHandle> handles = handlesAt(object, "debug_handles");
    const std::vector<std::string> operators = textsAt(object, "runtime_ops");
    const std::int64_t instruction = object["instruction_id"].get_int64().value();
    const auto found = std::ranges::find_if(rows, [&](const GapReportRow& row) {
        return row.referenceHandles == handles && row.runtimeOps == operators &&
               row.instruction == instruction;
    });
    if (found == rows.end()) {
        return std::nullopt;
    }
    return GapDivergence{.row = static_cast<std::size_t>(found - rows.begin()),
                         .own = readOwnError(object),
                         .inputs = textsAt(object, "diverges_on")};
}

void readSensitivity(dom::element object, GapReport& report) {
    report.triedInputs = textsAt(object, "inputs");
    for (const dom::element each : arrayAt(object, "diverge_sometimes")) {
        if (auto divergence = computeDivergence(each, report.rows)) {
            report.divergesSometimes.push_back(*std::move(divergence));
        }
    }
}

core::Result<GapReport> reportOf(dom::element root) {
    if (const std::int64_t given = root["schema"].get_int64().value(); given != schema) {
        return core::fail(core::ErrorCode::Format,
                          fmt::format("gap schema: expected {}, got {}", schema, given));
    }
    GapReport report;
    report.method = textAt(root, "method");
    report.inputs = textAt(root, "inputs");
    report.rows = rowsAt(root, 0);
    readOtherSets(root, report);
    report.bisected = isThere(root, "sensitivity");
    if (isThere(root, "first_divergence")) {
        report.firstDivergence = computeDivergence(root["first_divergence"], report.rows);
    }
    if (report.bisected) {
        readSensitivity(root["sensitivity"], report);
    }
    report.emulated = textsAt(root, "emulated");
    report.warnings = textsAt(root, "warnings");
    return report;
}

std::vector<std::int64_t> handleNumbers(const std::vector<DebugHandle>& handles) {
    std::vector<std::int64_t> numbers;
    for (const DebugHandle handle : handles) {
        numbers.push_back(handle.value);
    }
    return numbers;
}

Dict statisticsInfo(const GapTensor& side) {
    const SideStatistics& numbers = side.statistics;
    const core::Tensor& tensor = side.tensor.view;
    Dict info{{"dtype", core::scalarTypeName(tensor.dtype())},
              {"shape", std::vector<std::int64_t>(tensor.sizes().begin(), tensor.sizes().end())},
              {"elements", numbers.elements}};
    for (const auto& each : realStatistics) {
        info.emplace_back(each.key, numbers.*each.field);
    }
    for (const auto& each : wholeStatistics) {
        info.emplace_back(each.key, numbers.*each.field);
    }
    return info;
}

Cell quantizationCell(const std::optional<QuantizationParameters>& parameters) {
    if (!parameters) {
        return {};
    }
    return Dict{{"scale", parameters->scale}, {"zero_point", parameters->zeroPoint}};
}

Dict pairInfo(const GapPair& pair) {
    Dict metrics;
    Dict infinite;
    for (const GapMetricInfo& each : gapMetrics) {
        const std::optional<double> number = pair.numbers[each.metric];
        metrics.emplace_back(std::string(each.name), optionalCell(number));
        if (number && !std::isfinite(*number)) {
            infinite.emplace_back(std::string(each.name), std::string(std::isnan(*number) ? "nan"
                                                                      : *number < 0       ? "-inf"
                                                                                          : "inf"));
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
    for (const auto& each : errors) {
        info.emplace_back(each.key, own ? Cell((*own).*each.field) : Cell());
    }
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

Dict rowInfo(const GapRow& row, GapMetric metric) {
    List gaps;
    List pairs;
    for (const GapPair& pair : row.pairs) {
        gaps.push_back(optionalCell(pair.numbers[metric]));
        pairs.emplace_back(pairInfo(pair));
    }
    Dict info{{"aot_debug_handle", handleNumbers(row.referenceHandles)},
              {"aot_ops", listOf(row.referenceOps)},
              {"runtime_debug_handle", handleNumbers(row.runtimeHandles)},
              {"runtime_ops", listOf(row.runtimeOps)},
              {"gap", std::move(gaps)},
              {"stacktraces", stackTraceInfo(row)},
              {"place", std::string(row.place == GapLevel::Delegate ? delegatePlace : "instruction")},
              {"graph", std::string(row.graph == GapGraph::Edge ? edgeGraph : "exported")},
              {"instruction_id", static_cast<std::int64_t>(row.instruction)},
              {"backend", textCell(row.backend)},
              {"module", textCell(row.module)},
              {"name", textCell(row.name)},
              {"outputs", std::move(pairs)}};
    if (row.own) {
        info.emplace_back("edge_nodes", listOf(row.edgeNodes));
        info.emplace_back("inputs", listOf(row.inputs));
    }
    addOwnError(info, row.own);
    if (row.sensitivity) {
        info.emplace_back("edge_nodes", listOf(row.edgeNodes));
        info.emplace_back("sensitivity", *row.sensitivity);
    }
    return info;
}

Dict divergenceInfo(const GapRow& row, std::span<const std::string> inputs) {
    Dict info{{"debug_handles", handleNumbers(row.referenceHandles)},
              {"aot_ops", listOf(row.edgeNodes)},
              {"runtime_ops", listOf(row.runtimeOps)}};
    addOwnError(info, row.own);
    info.emplace_back("place", std::string(row.place == GapLevel::Delegate ? delegatePlace : "instruction"));
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
Dict sensitivityInfo(Gaps gaps) {
    List always;
    List sometimes;
    for (const DivergingOperator& each : divergingOperators(gaps)) {
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

Cell firstDivergenceCell(Gaps gaps) {
    const auto which = firstDivergingGap(gaps);
    if (!which) {
        return {};
    }
    const NumericGap& gap = *gaps[*which];
    const std::array inputs{gap.inputs};
    return divergenceInfo(gap.rows[*gap.firstDivergence], inputs);
}

List tapInfo(const NumericGap& gap) {
    return listOf(gap.taps, [&](const GapTaps& each) {
        return Dict{{"instruction_id", static_cast<std::int64_t>(each.instruction)},
                    {"values", each.values},
                    {"changed_operators", each.changedOperators},
                    {"changed_elements", each.changedElements}};
    });
}

List cacheInfo(const NumericGap& gap) {
    return listOf(gap.caches, [](const GapCache& cache) {
        return Dict{{"layer", cache.layer},
                    {"content", std::string(cache.isValue ? "values" : "keys")},
                    {"positions", std::uint64_t{cache.positions}},
                    {"snr", optionalCell(cache.numbers[GapMetric::Snr])},
                    {"max_abs", optionalCell(cache.numbers[GapMetric::MaxAbsolute])},
                    {"differs", cache.differs()},
                    {"difference", textCell(cache.difference)}};
    });
}

List rowsOf(const NumericGap& gap, GapMetric metric) {
    return listOf(gap.rows, [&](const GapRow& row) { return rowInfo(row, metric); });
}

}  // namespace

core::Result<GapReport> readGapJson(std::string_view text) {
    try {
        dom::parser parser;
        const simdjson::padded_string padded(text);
        return reportOf(parser.parse(padded));
    } catch (const simdjson::simdjson_error& error) {
        return core::fail(core::ErrorCode::Format, fmt::format("gap from another process: {}", error.what()));
    }
}

std::string gapJson(Gaps gaps, const GapOptions& options, GapMetric metric,
                    const std::vector<std::string>& emulated, const Dict& more) {
    const NumericGap& first = *gaps.front();
    const std::vector<std::string> warnings = makeWarnings(gaps);
    Dict info{{"schema", schema},
              {"method", first.method},
              {"metric", std::string(traits(metric).name)},
              {"inputs", first.inputs},
              {"precision",
               std::string(
                   std::ranges::find(gapPrecisions, options.precision, &GapPrecisionInfo::precision)->name)},
              {"rows", rowsOf(first, metric)}};
    if (gaps.size() > 1) {
        info.emplace_back("other_inputs", listOf(gaps.subspan(1), [&](const auto& gap) {
                              return Dict{{"inputs", gap->inputs}, {"rows", rowsOf(*gap, metric)}};
                          }));
    }
    if (options.ownErrors) {
        info.emplace_back("tolerance", options.tolerance);
        info.emplace_back("first_divergence", firstDivergenceCell(gaps));
        info.emplace_back("sensitivity", sensitivityInfo(gaps));
    }
    if (!emulated.empty()) {
        info.emplace_back("emulated", listOf(emulated));
    }
    info.emplace_back("taps", tapInfo(first));
    if (!first.caches.empty()) {
        info.emplace_back("host_caches", cacheInfo(first));
    }
    info.emplace_back("warnings", listOf(warnings));
    info.insert(info.end(), more.begin(), more.end());
    return format::jsonLine(std::move(info));
}

}  // namespace et::inspector

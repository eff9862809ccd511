#include "inspector/numeric_gap/gap_report.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <limits>

namespace et::inspector {
namespace {

namespace dom = simdjson::dom;
using core::DebugHandle;

constexpr std::int64_t schema = 1;

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
    {"elements", &SideStatistics::elements},
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
    for (const auto& each : wholeStatistics) {
        side.statistics.*each.field = object[each.key].get_uint64().value();
    }
    return side;
}

/// Infinite metrics are null among the numbers and have their sign in "infinite".
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
                numbers[each.metric] = sign.starts_with('-') ? -infinity : infinity;
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
    row.place = textAt(object, "place") == "delegate" ? GapLevel::Delegate : GapLevel::Instruction;
    row.graph = textAt(object, "graph") == "edge" ? GapGraph::Edge : GapGraph::Exported;
    row.instruction = static_cast<std::int32_t>(object["instruction_id"].get_int64().value());
    row.backend = textAt(object, "backend");
    row.module = textAt(object, "module");
    row.edgeNodes = textsAt(object, "edge_nodes");
    row.inputs = textsAt(object, "inputs");
    row.own = readOwnError(object);
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

}  // namespace et::inspector

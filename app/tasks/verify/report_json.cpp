#include "app/tasks/verify/report_json.h"

#include "inspector/format/decibel_cell.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

namespace et::tasks {
namespace {

namespace dom = simdjson::dom;
using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::FileReport;
using bundled_program::Metrics;
using bundled_program::OutputLimits;
using bundled_program::Verdict;
using bundled_program::WorstElement;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;
using inspector::format::optionalCell;

/// Increased when the meaning of a key changes.
constexpr std::int64_t schema = 1;

struct MetricKey {
    const char* key;
    std::optional<double> Metrics::* value;
};
constexpr MetricKey metricKeys[] = {
    {"max_abs_error", &Metrics::maxAbsoluteError},   {"max_rel_error", &Metrics::maxRelativeError},
    {"mean_abs_error", &Metrics::meanAbsoluteError}, {"snr_db", &Metrics::signalToNoiseDecibels},
    {"cosine", &Metrics::cosineSimilarity},          {"max_steps", &Metrics::maxSteps},
    {"top1_agreement", &Metrics::top1Agreement},
};

/// A number if JSON supports it; NaN, infinities, bools and complex numbers as text.
Cell numberCell(const std::string& text) {
    const char* const last = text.data() + text.size();
    std::int64_t whole = 0;
    if (const auto [end, error] = std::from_chars(text.data(), last, whole);
        end == last && error == std::errc()) {
        return whole;
    }
    double real = 0;
    if (const auto [end, error] = std::from_chars(text.data(), last, real);
        end == last && error == std::errc() && std::isfinite(real)) {
        return real;
    }
    return text;
}

Cell worstCell(const std::optional<WorstElement>& worst) {
    return worst ? Cell(Dict{{"index", worst->index},
                             {"expected", numberCell(worst->expected)},
                             {"actual", numberCell(worst->given)}})
                 : Cell();
}

Cell limitsCell(const OutputLimits& limits) {
    return Dict{{"step", optionalCell(limits.step)},
                {"steps", optionalCell(limits.maxSteps)},
                {"sqnr_db", optionalCell(limits.minSnr)},
                {"cosine", optionalCell(limits.minCosine)},
                {"top1", limits.sameTop1},
                {"replace_tolerance", limits.replaceTolerance}};
}

Cell outputCell(const Comparison& output) {
    Dict info{{"verdict", std::string(name(output.agrees() ? Verdict::Pass : Verdict::Fail))},
              {"message", output.difference},
              {"type", output.type},
              {"elements", output.elements},
              {"mismatches", output.mismatches},
              {"rtol", output.tolerance.relative},
              {"atol", output.tolerance.absolute}};
    info.emplace_back("limits", limitsCell(output.limits));
    for (const MetricKey& each : metricKeys) {
        info.emplace_back(each.key, inspector::format::decibelCell(output.metrics.*each.value));
    }
    info.emplace_back("non_finite", output.metrics.nonFinite);
    info.emplace_back("max_ulp", optionalCell(output.metrics.maxUlp));
    info.emplace_back("worst", worstCell(output.worst));
    return info;
}

Cell caseCell(const CaseReport& report) {
    List outputs;
    std::ranges::transform(report.outputs, std::back_inserter(outputs), outputCell);
    return Dict{{"method", report.method},
                {"case", static_cast<std::uint64_t>(report.index)},
                {"verdict", std::string(name(report.verdict))},
                {"message", report.message},
                {"outputs", outputs}};
}

Cell fileCell(const FileReport& report) {
    List cases;
    std::ranges::transform(report.cases, std::back_inserter(cases), caseCell);
    Dict info{{"file", report.file},
              {"verdict", std::string(name(report.verdict))},
              {"message", report.message},
              {"seconds", report.seconds},
              {"data", List(report.foundData.begin(), report.foundData.end())},
              {"cases", cases}};
    if (!report.emulated.empty()) {
        info.emplace_back("emulated", List(report.emulated.begin(), report.emulated.end()));
    }
    if (report.timedOut) {
        info.emplace_back("timed_out", true);
    }
    if (!report.weights.empty()) {
        info.emplace_back("weights", report.weights);
    }
    if (!report.memoryErrors.empty()) {
        info.emplace_back("memory_errors", List(report.memoryErrors.begin(), report.memoryErrors.end()));
    }
    if (!report.unsaved.empty()) {
        info.emplace_back("unsaved", report.unsaved);
    }
    return info;
}

// Throws simdjson_error, caught in readVerifyJson(): the text was written by this program, or by a process
// that died.

std::string textAt(dom::element object, const char* key) {
    const std::string_view text = object[key];
    return std::string(text);
}

Verdict verdictAt(dom::element object) {
    const std::string_view given = object["verdict"];
    const auto* const found =
        std::ranges::find(bundled_program::verdicts, given, &bundled_program::VerdictInfo::name);
    return found == std::end(bundled_program::verdicts) ? Verdict::Error : found->verdict;
}

std::optional<double> numberAt(dom::element object, const char* key) {
    const dom::element value = object[key];
    if (value.is_string()) {
        return -std::numeric_limits<double>::infinity();
    }
    return value.is_null() ? std::optional<double>() : value.get_double().value();
}

std::string elementText(dom::element value) {
    if (value.is_int64()) {
        return fmt::format("{}", value.get_int64().value());
    }
    return value.is_number() ? fmt::format("{}", value.get_double().value())
                             : std::string(value.get_string().value());
}

std::optional<WorstElement> worstAt(dom::element object) {
    const dom::element value = object["worst"];
    if (value.is_null()) {
        return {};
    }
    WorstElement worst{
        .index = {}, .expected = elementText(value["expected"]), .given = elementText(value["actual"])};
    const dom::array index = value["index"].get_array().value();
    for (const dom::element each : index) {
        worst.index.push_back(each.get_int64().value());
    }
    return worst;
}

OutputLimits limitsFrom(dom::element object) {
    return {.step = numberAt(object, "step"),
            .maxSteps = numberAt(object, "steps"),
            .minSnr = numberAt(object, "sqnr_db"),
            .minCosine = numberAt(object, "cosine"),
            .sameTop1 = object["top1"].get_bool().value(),
            .replaceTolerance = object["replace_tolerance"].get_bool().value()};
}

Comparison outputFrom(dom::element object) {
    Comparison output;
    output.difference = textAt(object, "message");
    output.type = textAt(object, "type");
    output.elements = object["elements"].get_uint64().value();
    output.mismatches = object["mismatches"].get_uint64().value();
    output.tolerance = {.relative = object["rtol"].get_double().value(),
                        .absolute = object["atol"].get_double().value()};
    output.limits = limitsFrom(object["limits"]);
    for (const MetricKey& each : metricKeys) {
        output.metrics.*each.value = numberAt(object, each.key);
    }
    output.metrics.nonFinite = object["non_finite"].get_uint64().value();
    const dom::element ulp = object["max_ulp"];
    if (!ulp.is_null()) {
        output.metrics.maxUlp = ulp.get_uint64().value();
    }
    output.worst = worstAt(object);
    return output;
}

CaseReport caseFrom(dom::element object) {
    CaseReport report{.method = textAt(object, "method"),
                      .index = object["case"].get_uint64().value(),
                      .verdict = verdictAt(object),
                      .message = textAt(object, "message"),
                      .outputs = {}};
    const dom::array outputs = object["outputs"].get_array().value();
    for (const dom::element each : outputs) {
        report.outputs.push_back(outputFrom(each));
    }
    return report;
}

/// Empty without the key.
std::vector<std::string> textsAt(dom::element object, std::string_view key) {
    std::vector<std::string> texts;
    dom::array listed;
    if (object[key].get_array().get(listed) == simdjson::SUCCESS) {
        for (const dom::element each : listed) {
            texts.emplace_back(each.get_string().value());
        }
    }
    return texts;
}

FileReport fileFrom(dom::element object) {
    FileReport report{.file = textAt(object, "file"),
                      .verdict = verdictAt(object),
                      .message = textAt(object, "message"),
                      .cases = {},
                      .seconds = object["seconds"].get_double().value(),
                      .emulated = textsAt(object, "emulated"),
                      .memoryErrors = textsAt(object, "memory_errors")};
    if (std::string_view unsaved; object["unsaved"].get_string().get(unsaved) == simdjson::SUCCESS) {
        report.unsaved = unsaved;
    }
    if (std::string_view weights; object["weights"].get_string().get(weights) == simdjson::SUCCESS) {
        report.weights = weights;
    }
    if (bool late = false; object["timed_out"].get_bool().get(late) == simdjson::SUCCESS) {
        report.timedOut = late;
    }
    const dom::array data = object["data"].get_array().value();
    for (const dom::element each : data) {
        report.foundData.emplace_back(each.get_string().value());
    }
    const dom::array cases = object["cases"].get_array().value();
    for (const dom::element each : cases) {
        report.cases.push_back(caseFrom(each));
    }
    return report;
}

}  // namespace

VerifySummary summarize(std::span<const FileReport> reports) {
    VerifySummary sum;
    for (const FileReport& each : reports) {
        sum.passed += each.verdict == Verdict::Pass ? 1 : 0;
        sum.failed += each.verdict == Verdict::Fail ? 1 : 0;
        sum.errors += each.verdict == Verdict::Error ? 1 : 0;
        sum.cases += each.cases.size();
    }
    return sum;
}

std::string verifyJson(std::span<const FileReport> reports) {
    List files;
    std::ranges::transform(reports, std::back_inserter(files), fileCell);
    const VerifySummary sum = summarize(reports);
    std::string text;
    inspector::format::appendJson(text, Cell(Dict{{"schema", schema},
                                                  {"files", files},
                                                  {"summary", Dict{{"pass", sum.passed},
                                                                   {"fail", sum.failed},
                                                                   {"error", sum.errors},
                                                                   {"cases", sum.cases}}}}));
    return text + "\n";
}

core::Result<FileReport> readVerifyJson(std::string_view text) {
    try {
        dom::parser parser;
        const simdjson::padded_string padded(text);
        const dom::element root = parser.parse(padded);
        return fileFrom(root["files"].at(0));
    } catch (const simdjson::simdjson_error& error) {
        return core::fail(core::ErrorCode::Format, error.what());
    }
}

}  // namespace et::tasks

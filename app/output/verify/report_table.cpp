#include "app/output/verify/report_table.h"

#include "app/output/verify/summary.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>

namespace et::output {
namespace {

using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::FileReport;
using bundled_program::Verdict;

constexpr std::array reportColumns{
    VerifyColumn{"file", "file", "", false},
    VerifyColumn{"method", "method", "", false},
    VerifyColumn{"case", "case", "index of the case in the bundle", true},
    VerifyColumn{"output", "output", "index of the output", true},
    VerifyColumn{"type", "type", "type of the actual output", false},
    VerifyColumn{"verdict", "verdict", "pass or fail", false},
    VerifyColumn{"limit", "limit",
                 "required tolerance: rtol and atol of each element, or the limit for quantized values",
                 false},
    VerifyColumn{"mismatches", "mismatches", "elements out of tolerance, and the total", false},
    VerifyColumn{"max_abs", "max abs", "largest absolute error", true},
    VerifyColumn{"max_rel", "max rel", "largest relative error, except where 0 is expected", true},
    VerifyColumn{"mean_abs", "mean abs", "average absolute error", true},
    VerifyColumn{"snr", "SNR (dB)",
                 "ratio of the power of the expected output to the power of the error; inf: no error", true},
    VerifyColumn{"cosine", "cosine", "cosine similarity of expected and actual output", true},
    VerifyColumn{"ulp", "ULP", "largest distance in units in the last place", true},
};

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : "";
}

std::string signalToNoise(const Comparison& output) {
    const bool exact = output.metrics.maxAbsoluteError == 0.0 && output.mismatches == 0;
    return exact ? "inf" : number(output.metrics.signalToNoiseDecibels);
}

std::string limitText(const Comparison& output) {
    const bundled_program::OutputLimits& limits = output.limits;
    std::vector<std::string> parts;
    if (!limits.any() || !limits.replaceTolerance) {
        const auto& [relative, absolute] = output.tolerance;
        parts.push_back(relative == 0 && absolute == 0
                            ? "equal"
                            : fmt::format("rtol {:g}, atol {:g}", relative, absolute));
    }
    if (limits.step && limits.maxSteps) {
        parts.push_back(fmt::format("{:g} {} of {:.4g}", *limits.maxSteps,
                                    *limits.maxSteps == 1 ? "step" : "steps", *limits.step));
    }
    if (limits.minSnr) {
        parts.push_back(fmt::format("SNR {:g} dB", *limits.minSnr));
    }
    if (limits.minCosine) {
        parts.push_back(fmt::format("cosine {:g}", *limits.minCosine));
    }
    if (limits.sameTop1) {
        parts.emplace_back("top 1");
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<Cell> row(const FileReport& file, const CaseReport& tested, std::size_t index) {
    const Comparison& output = tested.outputs[index];
    const auto& metrics = output.metrics;
    return {core::printable(file.file),
            core::printable(tested.method),
            static_cast<std::uint64_t>(tested.index),
            static_cast<std::uint64_t>(index),
            output.type,
            fmt::format("{}{}", name(output.agrees() ? Verdict::Pass : Verdict::Fail),
                        file.emulated.empty() ? "" : " (emulated)"),
            output.elements == 0 && !output.agrees() ? "" : limitText(output),
            output.elements == 0 && !output.agrees()
                ? ""
                : fmt::format("{}/{}", output.mismatches, output.elements),
            number(metrics.maxAbsoluteError),
            number(metrics.maxRelativeError),
            number(metrics.meanAbsoluteError),
            signalToNoise(output),
            metrics.cosineSimilarity ? fmt::format("{:.8g}", *metrics.cosineSimilarity) : "",
            metrics.maxUlp ? fmt::format("{}", *metrics.maxUlp) : ""};
}

Table outputsTable(std::span<const FileReport> reports, bool all) {
    Table table{.columns = {}, .indexed = false};
    for (const VerifyColumn& column : reportColumns) {
        table.columns.push_back({.id = column.id, .header = column.header, .numeric = column.numeric});
    }
    for (const FileReport& file : reports) {
        for (const CaseReport& tested : file.cases) {
            for (std::size_t i = 0; i < tested.outputs.size(); ++i) {
                if (all || !tested.outputs[i].agrees()) {
                    table.rows.push_back(row(file, tested, i));
                }
            }
        }
    }
    return table;
}

}  // namespace

std::span<const VerifyColumn> verifyColumns() {
    return reportColumns;
}

std::string verifyTable(std::span<const FileReport> reports, bool all, const Style& style) {
    const Table table = outputsTable(reports, all);
    std::string text = table.rows.empty() ? "" : render(table, Format::Table, style);
    for (const FileReport& file : reports) {
        if (!file.foundData.empty()) {
            text += fmt::format("note: {}: using {}, found next to it\n", core::printable(file.file),
                                core::printable(fmt::format("{}", fmt::join(file.foundData, ", "))));
        }
        for (const Problem& each : problems(file)) {
            text += fmt::format("{}: {}: {}\n", name(each.verdict), core::printable(file.file),
                                core::printable(each.message));
        }
        if (!file.weights.empty()) {
            text +=
                fmt::format("weights: {}: {}\n", core::printable(file.file), core::printable(file.weights));
        }
    }
    for (const FileReport& file : reports) {
        if (!file.emulated.empty()) {
            text +=
                core::printable(fmt::format("emulated: {}: {}", file.file, fmt::join(file.emulated, ", "))) +
                "\n";
        }
    }
    return text + summaryLine(reports) + "\n";
}

}  // namespace et::output

#include "app/output/pipeline/pipeline_checks.h"

#include "app/output/pipeline/pipeline_info.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using tasks::PipelineComparison;
using tasks::PipelineDivergence;
using tasks::PipelineGapResult;
using tasks::PipelineGapRow;
using tasks::TensorDifference;
using tasks::VariantDifference;
using tasks::VariantRow;

/// "denoise/unet, iteration 3".
std::string callText(std::string_view stage, std::string_view iteration) {
    return fmt::format("{}{}{}", core::printable(stage), iteration.empty() ? "" : ", iteration ", iteration);
}

/// "relative error 0.12", "3 of 8 elements differ", "float16 [2] instead of float32 [2]".
std::string differenceText(const TensorDifference& difference) {
    if (!difference.isComparable) {
        return difference.types;
    }
    if (difference.isInteger) {
        return fmt::format("{} of {} elements differ", difference.differing, difference.elements);
    }
    return fmt::format("relative error {:.3g}", difference.relative);
}

Cell relativeCell(const TensorDifference& difference) {
    return difference.isComparable ? Cell(difference.relative) : Cell();
}

/// Largest errors of a stage, and those of its last iteration.
struct StageErrors {
    std::string stage;
    std::size_t calls = 0;
    bool isCovered = true;
    double own = 0;
    double first = 0;  ///< accumulated, in the first iteration
    double last = 0;
    std::string lastIteration;
};

std::vector<StageErrors> errorsByStage(const PipelineGapResult& result) {
    std::vector<StageErrors> stages;
    for (const PipelineGapRow& row : result.rows) {
        auto found = std::ranges::find(stages, row.stage, &StageErrors::stage);
        const bool isNew = found == stages.end();
        if (isNew) {
            stages.push_back({.stage = row.stage, .isCovered = row.isCovered});
            found = stages.end() - 1;
        }
        const double accumulated = row.accumulated ? row.accumulated->relative : 0;
        if (isNew || found->lastIteration != row.iteration) {
            ++found->calls;
            found->last = 0;
            found->lastIteration = row.iteration;
        }
        found->own = std::max(found->own, row.own.relative);
        found->last = std::max(found->last, accumulated);
        if (found->calls == 1) {
            found->first = found->last;
        }
    }
    return stages;
}

Table stageErrorTable(const PipelineGapResult& result) {
    Table table{.columns = {textColumn("stage"), numberColumn("calls"), numberColumn("own", "own error"),
                            numberColumn("first", "error at first"), numberColumn("last", "error at last")},
                .indexed = false};
    for (const StageErrors& each : errorsByStage(result)) {
        table.rows.push_back({each.stage, std::uint64_t{each.calls},
                              each.isCovered ? Cell(fmt::format("{:.2g}", each.own)) : Cell("no ETRecord"),
                              fmt::format("{:.2g}", each.first), fmt::format("{:.2g}", each.last)});
    }
    return table;
}

Dict differenceDict(const TensorDifference& difference) {
    return {{"comparable", difference.isComparable},
            {"types", difference.types},
            {"relative", relativeCell(difference)},
            {"max_abs", difference.isComparable ? Cell(difference.largest) : Cell()},
            {"differing", std::uint64_t{difference.differing}},
            {"elements", std::uint64_t{difference.elements}}};
}

Cell divergenceCell(const std::optional<PipelineDivergence>& divergence) {
    return divergence ? Cell(Dict{{"stage", divergence->stage},
                                  {"iteration", divergence->iteration},
                                  {"cause", divergence->cause}})
                      : Cell();
}

Dict gapRowDict(const PipelineGapRow& row) {
    return {{"stage", row.stage},
            {"iteration", row.iteration},
            {"output", row.output},
            {"has_reference", row.isCovered},
            {"own", differenceDict(row.own)},
            {"accumulated", row.accumulated ? Cell(differenceDict(*row.accumulated)) : Cell()}};
}

std::string verdictText(const PipelineGapResult& result) {
    std::string text;
    if (result.divergence) {
        text += fmt::format(
            "first divergence: {}{}{}\n", callText(result.divergence->stage, result.divergence->iteration),
            result.divergence->cause.empty() ? "" : ": ", core::printable(result.divergence->cause));
        for (const PipelineGapRow& row : result.rows) {
            if (row.stage == result.divergence->stage && row.iteration == result.divergence->iteration) {
                text += fmt::format("  {}: {}\n", core::printable(row.output), differenceText(row.own));
            }
        }
    } else {
        text += fmt::format("no stage diverges: own errors are at most {:g}\n", result.tolerance);
    }
    if (result.choice) {
        text += fmt::format("first other choice than the reference: {}\n",
                            callText(result.choice->stage, result.choice->iteration));
    }
    if (!result.uncovered.empty()) {
        text += fmt::format("not checked, no ETRecord: {}\n",
                            core::printable(fmt::format("{}", fmt::join(result.uncovered, ", "))));
    }
    return text;
}

std::string firstText(const VariantDifference& first) {
    std::string text = fmt::format("first difference: {}", callText(first.stage, first.iteration));
    if (!first.output.empty()) {
        text += fmt::format(": {}: {}", core::printable(first.output), differenceText(first.difference));
    }
    text += "\n";
    for (const std::string& cause : first.causes) {
        text += fmt::format("  {}\n", core::printable(cause));
    }
    return text;
}

}  // namespace

Table pipelineGapTable(const PipelineGapResult& result) {
    Table table{.columns = {textColumn("stage"), textColumn("iteration"), textColumn("output"),
                            numberColumn("own", "own error"), numberColumn("accumulated", "error"),
                            numberColumn("differing")},
                .indexed = false};
    for (const PipelineGapRow& row : result.rows) {
        table.rows.push_back({row.stage, row.iteration, row.output,
                              row.isCovered ? relativeCell(row.own) : Cell(),
                              row.accumulated ? relativeCell(*row.accumulated) : Cell(),
                              row.accumulated ? Cell(std::uint64_t{row.accumulated->differing}) : Cell()});
    }
    return table;
}

std::string pipelineGapText(const PipelineGapResult& result, bool byIteration, Style style) {
    return fmt::format("{}: relative errors against the ETRecords\n", core::printable(result.name)) +
           render(stageErrorTable(result), Format::Table, style) +
           (byIteration ? firstCallsText(pipelineGapTable(result), style) : std::string()) +
           verdictText(result);
}

Dict pipelineGapInfo(const PipelineGapResult& result) {
    return {{"pipeline", result.name},
            {"tolerance", result.tolerance},
            {"calls", listOf(result.rows, gapRowDict)},
            {"divergence", divergenceCell(result.divergence)},
            {"choice", divergenceCell(result.choice)},
            {"without_reference", listOf(result.uncovered)}};
}

Table comparisonTable(const PipelineComparison& result) {
    Table table{.columns = {textColumn("stage"), numberColumn("calls"), numberColumn("differing"),
                            numberColumn("relative", "largest relative difference")},
                .indexed = false};
    for (const VariantRow& row : result.stages) {
        table.rows.push_back(
            {row.stage, std::uint64_t{row.calls}, std::uint64_t{row.differing}, row.relative});
    }
    return table;
}

std::string comparisonText(const PipelineComparison& result, Style style) {
    return fmt::format("{} and {}\n", core::printable(result.before), core::printable(result.after)) +
           render(comparisonTable(result), Format::Table, style) +
           (result.first ? firstText(*result.first)
                         : fmt::format("no stage differs by more than {:g}\n", result.tolerance));
}

Dict comparisonInfo(const PipelineComparison& result) {
    Cell first;
    if (result.first) {
        first = Dict{{"stage", result.first->stage},
                     {"iteration", result.first->iteration},
                     {"output", result.first->output},
                     {"difference", differenceDict(result.first->difference)},
                     {"causes", listOf(result.first->causes)}};
    }
    return {{"before", result.before},
            {"after", result.after},
            {"tolerance", result.tolerance},
            {"stages", listOf(result.stages,
                              [](const VariantRow& row) {
                                  return Dict{{"stage", row.stage},
                                              {"calls", std::uint64_t{row.calls}},
                                              {"differing", std::uint64_t{row.differing}},
                                              {"relative", row.relative}};
                              })},
            {"first", std::move(first)}};
}

}  // namespace et::output

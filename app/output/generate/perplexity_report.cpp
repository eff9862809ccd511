#include "app/output/generate/perplexity_report.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace et::output {
namespace {

constexpr std::int64_t perplexitySchema = 1;

/// Combines all passages into one.
tasks::PassageResult together(std::span<const tasks::PassageResult> results) {
    tasks::PassageResult all{.passage = {.name = "all", .ids = {}}, .tokenNll = {}, .referenceNll = {}};
    for (const tasks::PassageResult& each : results) {
        all.tokenNll.insert(all.tokenNll.end(), each.tokenNll.begin(), each.tokenNll.end());
        all.referenceNll.insert(all.referenceNll.end(), each.referenceNll.begin(), each.referenceNll.end());
        all.differences.insert(all.differences.end(), each.differences.begin(), each.differences.end());
        all.nll += each.nll;
        all.referenceSum += each.referenceSum;
    }
    return all;
}

Cell positionCell(const tasks::PassageResult& result) {
    const auto first = result.firstDifference();
    return first ? Cell(static_cast<std::uint64_t>(*first)) : Cell();
}

Dict summaryOf(const tasks::PassageResult& result) {
    Dict summary{{"predicted", static_cast<std::uint64_t>(result.tokenNll.size())},
                 {"nll", result.nll},
                 {"perplexity", result.perplexity()}};
    if (!result.differences.empty()) {
        summary.emplace_back("reference_nll", result.referenceSum);
        summary.emplace_back("reference_perplexity", result.referencePerplexity());
        summary.emplace_back("kl_divergence", result.meanDivergence());
        summary.emplace_back("top1_agreement", result.agreement());
    }
    return summary;
}

Dict passageInfo(const tasks::PassageResult& result) {
    Dict info{{"name", result.passage.name},
              {"ids", std::vector<std::uint64_t>(result.passage.ids.begin(), result.passage.ids.end())}};
    std::ranges::move(summaryOf(result), std::back_inserter(info));
    info.emplace_back("token_nll", result.tokenNll);
    if (!result.differences.empty()) {
        std::vector<double> divergences;
        std::vector<double> logits;
        List same;
        for (const tasks::PredictionDifference& each : result.differences) {
            divergences.push_back(each.divergence);
            logits.push_back(each.maxLogit);
            same.emplace_back(each.sameTop);
        }
        info.emplace_back("first_difference", positionCell(result));
        info.emplace_back("token_kl", divergences);
        info.emplace_back("token_same_top1", same);
        info.emplace_back("token_max_logit_difference", logits);
    }
    return info;
}

std::string jsonOf(const std::string& program, const std::string& reference,
                   std::span<const tasks::PassageResult> results) {
    return jsonDocument(perplexitySchema, {{"file", program},
                                           {"reference", textCell(reference)},
                                           {"passages", listOf(results, passageInfo)},
                                           {"all", summaryOf(together(results))}});
}

void addRow(Table& table, const tasks::PassageResult& result, bool compared, bool isSum) {
    std::vector<Cell> row{result.passage.name, static_cast<std::uint64_t>(result.tokenNll.size()),
                          result.perplexity()};
    if (compared) {
        row.emplace_back(result.referencePerplexity());
        row.emplace_back(result.meanDivergence());
        row.emplace_back(100 * result.agreement());
        row.push_back(isSum ? Cell() : positionCell(result));
    }
    table.rows.push_back(std::move(row));
}

}  // namespace

std::string renderPerplexity(const std::string& program, const std::string& reference,
                             std::span<const tasks::PassageResult> results, PerplexityFormat format,
                             const Style& style) {
    if (format == PerplexityFormat::Json) {
        return jsonOf(program, reference, results);
    }
    const bool compared = !reference.empty();
    Table table{
        .columns = {textColumn("text"), numberColumn("predicted", "tokens"), numberColumn("perplexity")},
        .indexed = false};
    if (compared) {
        table.columns.push_back(numberColumn("reference_perplexity", "reference"));
        table.columns.push_back(numberColumn("kl_divergence", "KL (nats)"));
        table.columns.push_back(numberColumn("top1_agreement", "same top-1 (%)"));
        table.columns.push_back(numberColumn("first_difference", "first difference"));
    }
    for (const tasks::PassageResult& each : results) {
        addRow(table, each, compared, false);
    }
    if (results.size() > 1) {
        addRow(table, together(results), compared, true);
    }
    return render(table, Format::Table, style);
}

}  // namespace et::output

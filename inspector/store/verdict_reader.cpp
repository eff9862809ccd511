#include "inspector/store/database/each_row.h"
#include "inspector/store/session_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace et::inspector::store {
namespace {

using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::WorstElement;
using core::Result;

/// Maximum number of cases, and of outputs of all cases, that are read.
constexpr std::size_t maxVerdicts = 1'000'000;
/// Maximum number of dimensions of a worst element's index.
constexpr std::size_t maxDimensions = 64;

/// Parses "[1, 3]"; nothing if the text is not a list of integers.
std::optional<std::vector<std::int64_t>> listOf(std::string_view text) {
    if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 2) {
        return std::nullopt;
    }
    text = text.substr(1, text.size() - 2);
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (error != std::errc() || numbers.size() == maxDimensions ||
            (!text.empty() && !text.starts_with(", "))) {
            return std::nullopt;
        }
        text.remove_prefix(text.empty() ? 0 : 2);
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<std::uint64_t> ulpOf(std::optional<double> apart) {
    constexpr double max = 0x1p63;
    return apart && *apart >= 0 && *apart < max ? std::optional(static_cast<std::uint64_t>(*apart))
                                                : std::nullopt;
}

Result<Comparison> outputOf(const Database& database, const Statement& row) {
    Comparison output;
    output.type = row.text(3);
    output.elements = static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(4), 0));
    output.mismatches = static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(5), 0));
    output.tolerance = {.relative = row.real(6), .absolute = row.real(7)};
    output.metrics = {.maxAbsoluteError = row.optionalReal(8),
                      .maxRelativeError = row.optionalReal(9),
                      .meanAbsoluteError = row.optionalReal(10),
                      .meanSquaredError = {},
                      .signalToNoiseDecibels = row.optionalReal(11),
                      .cosineSimilarity = row.optionalReal(12),
                      .maxSteps = {},
                      .top1Agreement = {},
                      .maxUlp = ulpOf(row.optionalReal(13))};
    output.difference = row.text(17);
    if (!row.isNull(14)) {
        auto index = listOf(row.text(14));
        if (!index) {
            return damaged(
                database, "verdict_outputs.worst_index",
                fmt::format("expected a list of integers, got \"{}\"", core::printable(row.text(14))));
        }
        output.worst = WorstElement{.index = *std::move(index),
                                    .expected = std::string(row.text(15)),
                                    .given = std::string(row.text(16))};
    }
    return output;
}

}  // namespace

Result<std::vector<CaseReport>> SessionStore::verdicts() const {
    std::vector<CaseReport> cases;
    std::map<std::pair<std::string, std::int64_t>, std::size_t> places;
    ET_TRY(eachTableRow(
        *opened, "SELECT method, test_case, verdict, message FROM verdicts ORDER BY rowid", "verdicts",
        [&](const Statement& row) -> Result<> {
            const auto* const verdict = std::ranges::find(bundled_program::verdicts, row.text(2),
                                                          &bundled_program::VerdictInfo::name);
            const bool fresh =
                places.try_emplace({std::string(row.text(0)), row.integer(1)}, cases.size()).second;
            if (verdict == std::end(bundled_program::verdicts) || row.integer(1) < 0 || !fresh) {
                return damaged(
                    *opened, "verdicts",
                    fmt::format("expected one verdict per case, got \"{}\" for case {} of \"{}\"",
                                core::printable(row.text(2)), row.integer(1), core::printable(row.text(0))));
            }
            cases.push_back({.method = std::string(row.text(0)),
                             .index = static_cast<std::size_t>(row.integer(1)),
                             .verdict = verdict->verdict,
                             .message = std::string(row.text(3)),
                             .outputs = {}});
            return {};
        },
        maxVerdicts));
    ET_TRY(eachTableRow(
        *opened,
        "SELECT method, test_case, output, type, elements, mismatches, rtol, atol, max_abs, max_rel, "
        "mean_abs, snr, cosine, ulp, worst_index, worst_expected, worst_actual, message FROM verdict_outputs "
        "ORDER BY rowid",
        "verdict_outputs",
        [&](const Statement& row) -> Result<> {
            const auto place = places.find({std::string(row.text(0)), row.integer(1)});
            if (place == places.end() ||
                row.integer(2) != static_cast<std::int64_t>(cases[place->second].outputs.size())) {
                return damaged(*opened, "verdict_outputs.output",
                               fmt::format("expected the outputs of a case in order, got output {} of case "
                                           "{} of \"{}\"",
                                           row.integer(2), row.integer(1), core::printable(row.text(0))));
            }
            ET_ASSIGN(Comparison output, outputOf(*opened, row));
            cases[place->second].outputs.push_back(std::move(output));
            return {};
        },
        maxVerdicts));
    return cases;
}

}  // namespace et::inspector::store

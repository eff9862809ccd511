#include "inspector/store/session/session_rows.h"

namespace et::inspector::store {
namespace {

using bundled_program::CaseReport;
using bundled_program::Comparison;
using core::Result;

Result<> addOutput(RowWriter& rows, const CaseReport& report, std::size_t output) {
    const Comparison& compared = report.outputs[output];
    const bundled_program::Metrics& metrics = compared.metrics;
    const auto index = compared.worst.transform([](const auto& worst) { return jsonList(worst.index); });
    const auto expected = compared.worst.transform([](const auto& worst) { return worst.expected; });
    const auto given = compared.worst.transform([](const auto& worst) { return worst.given; });
    // The exact distance is irrelevant beyond 2^53, and SQLite's integers end at 2^63.
    const auto ulp = metrics.maxUlp.transform([](std::uint64_t apart) { return static_cast<double>(apart); });
    return rows.add("verdict_outputs", report.method, report.index, output, compared.type, compared.elements,
                    compared.mismatches, compared.tolerance.relative, compared.tolerance.absolute,
                    metrics.maxAbsoluteError, metrics.maxRelativeError, metrics.meanAbsoluteError,
                    metrics.signalToNoiseDecibels, metrics.cosineSimilarity, ulp, index, expected, given,
                    orNull(compared.difference));
}

}  // namespace

Result<> addVerdictRows(RowWriter& rows, const Session& session, std::span<const CaseReport> cases) {
    if (session.bundle == nullptr) {
        return {};
    }
    const std::string file = session.files.bundle.filename().string();
    for (const CaseReport& report : cases) {
        ET_TRY(rows.add("verdicts", file, report.method, report.index, name(report.verdict),
                        orNull(report.message)));
        for (std::size_t output = 0; output < report.outputs.size(); ++output) {
            ET_TRY(addOutput(rows, report, output));
        }
    }
    return {};
}

}  // namespace et::inspector::store

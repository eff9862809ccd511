#include "inspector/store/session/session_rows.h"

#include <array>
#include <optional>

namespace et::inspector::store {
namespace {

using core::Result;

Result<> addOutput(RowWriter& rows, std::size_t at, std::size_t output, const GapReport& gap,
                   const GapOutput& values) {
    const GapReportRow& row = gap.rows[at];
    const auto number = [&](GapMetric metric) { return values.numbers[metric]; };
    const auto own = row.own.transform([](const OwnError& error) { return error.own; });
    const auto inherited = row.own.transform([](const OwnError& error) { return error.inherited; });
    const auto diverges = row.own.transform([](const OwnError& error) { return error.diverges; });
    const std::string reason = row.own ? row.own->reason : std::string();
    const bool inside = row.place == GapLevel::Delegate;
    return rows.add("gap", at, output, gap.method, row.instruction, inside ? "delegate" : "instruction",
                    orNull(row.backend), joined(row.runtimeOps), joined(row.referenceOps), orNull(row.module),
                    number(GapMetric::Mse), number(GapMetric::L1), number(GapMetric::Snr),
                    number(GapMetric::Cosine), number(GapMetric::MaxAbsolute), number(GapMetric::MaxRelative),
                    number(GapMetric::Ulp), number(GapMetric::Psnr), own, inherited, diverges, orNull(reason),
                    orNull(values.difference));
}

Result<> addHandles(RowWriter& rows, std::size_t at, std::string_view side,
                    std::span<const core::DebugHandle> handles) {
    for (const core::DebugHandle handle : handles) {
        ET_TRY(rows.add("gap_handles", at, side, handle.value));
    }
    return {};
}

}  // namespace

Result<> addGapRows(RowWriter& rows, const GapReport& gap) {
    for (std::size_t i = 0; i < gap.rows.size(); ++i) {
        const GapReportRow& row = gap.rows[i];
        for (std::size_t output = 0; output < row.outputs.size(); ++output) {
            ET_TRY(addOutput(rows, i, output, gap, row.outputs[output]));
        }
        ET_TRY(addHandles(rows, i, "runtime", row.runtimeHandles));
        ET_TRY(addHandles(rows, i, "reference", row.referenceHandles));
    }
    return {};
}

}  // namespace et::inspector::store

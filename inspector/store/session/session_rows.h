#pragma once

#include "bundled_program/verify.h"
#include "inspector/numeric_gap/gap_report.h"
#include "inspector/session/session.h"
#include "inspector/store/session/row_writer.h"
#include "runtime/executor/backend.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

// Conversion of a session to rows: one function for each group of tables. Each adds nothing if the session
// lacks the file.
namespace et::inspector::store {

/// Row numbers in `nodes` of the Edge nodes of a record's method.
struct NodeRows {
    std::int64_t graph = 0;
    std::map<std::string, std::int64_t, std::less<>> byName;
};
using NodeRowsByMethod = std::map<std::string, NodeRows, std::less<>>;

[[nodiscard]] core::Result<> addProgramRows(RowWriter& rows, const Session& session,
                                            std::span<const executor::Backend* const> backends);
/// Fills `edgeNodes` for addTraceRows().
[[nodiscard]] core::Result<> addGraphRows(RowWriter& rows, const Session& session,
                                          std::span<const executor::Backend* const> backends,
                                          NodeRowsByMethod& edgeNodes);
[[nodiscard]] core::Result<> addTraceRows(RowWriter& rows, const Session& session,
                                          std::span<const executor::Backend* const> backends,
                                          const NodeRowsByMethod& edgeNodes);
[[nodiscard]] core::Result<> addTestRows(RowWriter& rows, const Session& session);
[[nodiscard]] core::Result<> addGapRows(RowWriter& rows, const GapReport& gap);
[[nodiscard]] core::Result<> addVerdictRows(RowWriter& rows, const Session& session,
                                            std::span<const bundled_program::CaseReport> cases);

/// `[1, 3, 96, 96]`
[[nodiscard]] std::string jsonList(std::span<const std::int64_t> numbers);
[[nodiscard]] std::string jsonList(std::span<const std::uint8_t> numbers);
/// "2026-11-21T04:05:06Z"
[[nodiscard]] std::string utcNow();
/// Joins the texts with commas.
[[nodiscard]] std::string joined(std::span<const std::string> texts);

}  // namespace et::inspector::store

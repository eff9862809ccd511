#pragma once

#include "app/output/cells.h"
#include "app/output/compare/report.h"
#include "inspector/program_diff/program_diff.h"

#include <cstddef>
#include <string>

// Tables and lines shared by all formats of a report.
namespace et::output {

/// Adds the changes inside the programs to the report; with `all`, also unchanged items.
void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const Style& style);

/// The total and the operators of a method; `left` is set to the number of omitted operators.
[[nodiscard]] Table operatorsTable(const CompareReport& report, const inspector::MethodComparison& method,
                                   std::size_t& left);
/// Properties of both programs; no rows if none are known.
[[nodiscard]] Table programTable(const inspector::Comparison& comparison);
[[nodiscard]] Table outputsTable(const inspector::Comparison& comparison);

/// "a.etdp: trace, 50 runs".
[[nodiscard]] std::string sideLine(const inspector::Measurement& side);
/// Name, source, machine, settings and program of a measurement, for JSON.
[[nodiscard]] Dict sideInfo(const inspector::Measurement& side);
/// "forward: slower: 1.2 ms -> 1.3 ms, +8.3 % [+7.9 %, +8.6 %] (threshold 2 %)".
[[nodiscard]] std::string verdictLine(const CompareReport& report, const inspector::MethodComparison& method);
/// Launches excluded from the verdicts, and disturbances; empty if there are none.
[[nodiscard]] std::string launchesLine(const CompareReport& report);
/// "outputs: 1 equal, 0 within tolerance, 0 different"; empty without outputs.
[[nodiscard]] std::string outputsLine(const CompareReport& report);

}  // namespace et::output

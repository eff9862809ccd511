#pragma once

#include "inspector/format/table.h"
#include "inspector/numeric_gap/diverging_operators.h"
#include "inspector/numeric_gap/metrics.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A numeric gap without tensors, as reported by another process: `et-inspect gap --format json`.
namespace et::inspector {

struct GapOptions;

/// Dtype, sizes and statistics of a tensor of one side.
struct GapSide {
    std::string dtype;  ///< "float32"
    std::vector<std::int64_t> sizes;
    SideStatistics statistics;
};

/// One output of an operator, on both sides.
struct GapOutput {
    GapSide reference;
    GapSide runtime;
    GapNumbers numbers;
    std::optional<QuantizationParameters> quantization;  ///< used to dequantize the runtime's values
    std::string difference;  ///< reason for missing metrics; empty if there are metrics
};

struct GapReportRow : GapOperator {
    std::vector<GapOutput> outputs;
    std::size_t set = 0;     ///< index of the input set of the metrics; GapReport::rows belong to set 0
    std::size_t number = 0;  ///< index among the rows of that set
};

/// Results of the runtime on an additional input set.
struct GapSet {
    std::string inputs;
    std::vector<GapReportRow> rows;
};

/// An operator whose own error exceeds what rounding explains.
struct GapDivergence {
    std::size_t row = 0;              ///< into GapReport::rows
    std::optional<OwnError> own;      ///< on the first of `inputs`
    std::vector<std::string> inputs;  ///< input sets on which it diverges
};

struct GapReport {
    std::string method;
    std::string inputs;              ///< input set of the rows: "bundled:0", "random:1"
    std::vector<GapReportRow> rows;  ///< in execution order
    std::vector<GapSet> otherSets;   ///< one per further input set; empty if there was only one
    bool bisected = false;  ///< operators were replayed in isolation: own errors and divergences are known
    std::optional<GapDivergence> firstDivergence;
    std::vector<std::string> triedInputs;          ///< all input sets tried, if bisected
    std::vector<GapDivergence> divergesSometimes;  ///< divergences on only some of the tried input sets
    std::vector<std::string> emulated;             ///< emulated backends
    std::vector<std::string> warnings;
};

/// Formats gaps calculated with `options` as JSON (docs/reference/json.md), the output of `et-inspect gap
/// --format json`. `emulated`: names of emulated backends; `more`: further keys.
[[nodiscard]] std::string gapJson(Gaps gaps, const GapOptions& options, GapMetric metric,
                                  const std::vector<std::string>& emulated, const format::Dict& more = {});
/// Parses that text. Errors: Format (other text or another schema).
[[nodiscard]] core::Result<GapReport> readGapJson(std::string_view text);

/// The metric of a row: the worst of its outputs. Nothing if no output has it.
[[nodiscard]] std::optional<double> metricOf(const GapReportRow& row, GapMetric metric);

/// The innermost Python line that created the operator: 'File "model.py", line 12, in forward'; empty if
/// unknown.
[[nodiscard]] std::string pythonLineOf(const GapOperator& row);

/// The most specific row for each debug handle: the one with the fewest other handles (an operator inside a
/// delegate rather than the whole call); the last one if several are equal.
[[nodiscard]] std::map<core::DebugHandle, std::size_t> rowsByHandle(const GapReport& report);

/// The row that shares most of these handles, with the fewest others if several are equal. Nothing if none
/// shares any.
[[nodiscard]] std::optional<std::size_t> rowOfHandles(const GapReport& report,
                                                      std::span<const core::DebugHandle> handles);

}  // namespace et::inspector

#pragma once

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

// A numeric gap without its tensors, as another process reports it: `et-inspect gap --format json`.
namespace et::inspector {

/// What is known of a tensor of one side.
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
    std::optional<QuantizationParameters> quantization;  ///< what the runtime's numbers were read with
    std::string difference;                              ///< why there are no numbers; empty: there are
};

struct GapReportRow : GapOperator {
    std::vector<GapOutput> outputs;
    std::size_t set = 0;     ///< of inputs, that the numbers are of: GapReport::rows are of 0
    std::size_t number = 0;  ///< among the rows of that set
};

/// What the runtime computed on another set of inputs.
struct GapSet {
    std::string inputs;
    std::vector<GapReportRow> rows;
};

/// An operator whose own error rounding does not explain.
struct GapDivergence {
    std::size_t row = 0;              ///< into GapReport::rows
    std::optional<OwnError> own;      ///< on the first of `inputs`
    std::vector<std::string> inputs;  ///< on which it diverges
};

struct GapReport {
    std::string method;
    std::string inputs;              ///< that the rows are of: "bundled:0", "random:1"
    std::vector<GapReportRow> rows;  ///< in execution order
    std::vector<GapSet> otherSets;   ///< of inputs; empty: there was one
    bool bisected = false;           ///< operators were replayed alone: own errors and divergences are known
    std::optional<GapDivergence> firstDivergence;
    std::vector<std::string> triedInputs;          ///< all, where it was bisected
    std::vector<GapDivergence> divergesSometimes;  ///< on some of the tried inputs only
    std::vector<std::string> emulated;             ///< backends that were
    std::vector<std::string> warnings;
};

/// Reads what `et-inspect gap --format json` prints (docs/json.md). Errors: Format (another text, another
/// schema).
[[nodiscard]] core::Result<GapReport> readGapJson(std::string_view text);

/// The number of a row: of several outputs, the worst. Nothing where no output has one.
[[nodiscard]] std::optional<double> metricOf(const GapReportRow& row, GapMetric metric);

/// The innermost Python line that made the operator: 'File "model.py", line 12, in forward'; empty: nobody
/// knows it.
[[nodiscard]] std::string pythonLineOf(const GapOperator& row);

/// The row that tells most of each debug handle: the one with the fewest other handles (an operator inside of
/// a delegate rather than the whole call), and of several the last.
[[nodiscard]] std::map<core::DebugHandle, std::size_t> rowsByHandle(const GapReport& report);

/// The row that shares most of these handles: of several, the one with the fewest others. Nothing where none
/// shares any.
[[nodiscard]] std::optional<std::size_t> rowOfHandles(const GapReport& report,
                                                      std::span<const core::DebugHandle> handles);

}  // namespace et::inspector

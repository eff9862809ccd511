#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/output_error.h"
#include "app/tasks/lab/site_report.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <optional>
#include <string>
#include <string_view>

namespace et::output {

/// "27.07", "exact" for equal outputs (nothing), "not finite" for -infinity.
[[nodiscard]] std::string decibelText(std::optional<double> decibels);
/// The same as text; empty without a value.
[[nodiscard]] std::string decibelText(const std::optional<tasks::OutputError>& closeness);
/// "all quantized: 27.07 dB, cosine 0.999147, top-1 100.0 %, KL 0.00051" with a line break, or "all
/// quantized: 64 of 64 elements are not finite, unlike the reference; SQNR undefined".
[[nodiscard]] std::string closenessText(std::string_view what, const tasks::OutputError& closeness);
/// docs/reference/json_quantization.md, sensitivity.
[[nodiscard]] Dict closenessInfo(const tasks::OutputError& closeness);
/// Members that identify a site: its name, operator, module, line and nodes.
[[nodiscard]] Dict siteMembers(const tasks::SiteReport& site);
/// [low, high]
[[nodiscard]] Cell rangeInfo(backends::xnnpack::ValueRange range);

}  // namespace et::output

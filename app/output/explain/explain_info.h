#pragma once

#include "app/output/cells.h"
#include "inspector/explain/explanation.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace et::output {

/// docs/reference/json_correctness.md, explain.
[[nodiscard]] Dict explanationInfo(const inspector::Explanation& explanation);

/// Text for a terminal: the failure, its place in the program, causes with evidence and remedies.
[[nodiscard]] std::string explanationText(const inspector::Explanation& explanation, std::size_t width);

/// All error codes of ExecuTorch and XNNPACK, with their meaning and usual causes.
[[nodiscard]] std::string codesText();
[[nodiscard]] Dict codesInfo();
/// The same as a page of the documentation.
[[nodiscard]] std::string codesPage();

/// One code: "0x12", "18", "InvalidArgument", "xnn_status_invalid_parameter"; empty if it is none.
[[nodiscard]] std::optional<std::string> codeText(std::string_view code, std::size_t width);
[[nodiscard]] std::optional<Dict> codeInfo(std::string_view code);

}  // namespace et::output

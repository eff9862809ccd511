#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// An error code of ExecuTorch, XNNPACK or the tokenizers.
struct ExplainedCode {
    std::string_view group;  ///< "ExecuTorch", "XNNPACK", "tokenizers"
    std::uint32_t code = 0;
    std::string_view name;     ///< "OperatorMissing"
    std::string_view meaning;  ///< a clause
    struct Usual {
        std::string_view cause;
        std::string_view remedy;
    };
    std::vector<Usual> causes{};  ///< from the table of causes
};

/// All codes, by group.
[[nodiscard]] std::vector<ExplainedCode> explainedCodes();

/// The codes that a text names: "0x12", "0x:14", "18" (decimal, as apps print it), "NotFound",
/// "Error::NotFound", "xnn_status_invalid_parameter". Several groups may use a number.
[[nodiscard]] std::vector<ExplainedCode> findCodes(std::string_view text);

}  // namespace et::inspector

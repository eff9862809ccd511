#pragma once

#include <string>
#include <string_view>

namespace et::backends::tosa {

/// Origin of an operator by its debug information; unknown members are empty.
struct Origin {
    std::string node;    ///< of the exported graph: "linear_2"
    std::string target;  ///< its operator: "aten.linear.default"
    std::string module;  ///< "c (torch.nn.modules.linear.Linear)"
    std::string source;  ///< innermost line of the model: "File \"model.py\", line 28, in forward"
};

/// Reads debug information as ExecuTorch's compiler for TOSA writes it. Everything is empty for other texts.
[[nodiscard]] Origin originOf(std::string_view location);

}  // namespace et::backends::tosa

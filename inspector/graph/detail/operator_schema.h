#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace et::inspector::detail {

/// Names of the arguments of an operator ("aten::convolution"), in order, without out arguments. Empty for
/// one that the table does not have. By PyTorch's native_functions.yaml and ExecuTorch's operator libraries.
[[nodiscard]] std::vector<std::string_view> argumentNames(std::string_view op);

}  // namespace et::inspector::detail

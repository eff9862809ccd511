#include "inspector/names/called_operator.h"

#include <string>
#include <variant>

namespace et::inspector {

std::string_view calledOperator(const etrecord::Node& node) {
    constexpr std::string_view torchOps = "torch.ops.";
    const auto* wrapped = node.op.contains("auto_functionalized") && !node.inputs.empty()
                              ? std::get_if<std::string>(&node.inputs.front().value)
                              : nullptr;
    if (wrapped == nullptr) {
        return node.op;
    }
    const std::string_view target = *wrapped;
    return target.starts_with(torchOps) ? target.substr(torchOps.size()) : etrecord::operatorName(target);
}

}  // namespace et::inspector

#include "inspector/names/called_operator.h"

#include <string_view>
#include <variant>

namespace et::inspector {

std::string calledOperator(const etrecord::Node& node) {
    constexpr std::string_view torchOps = "torch.ops.";
    const auto* wrapped = node.op.contains("auto_functionalized") && !node.inputs.empty()
                              ? std::get_if<std::string>(&node.inputs.front().value)
                              : nullptr;
    if (wrapped == nullptr) {
        return node.op;
    }
    return wrapped->starts_with(torchOps) ? wrapped->substr(torchOps.size())
                                          : std::string(etrecord::operatorName(*wrapped));
}

}  // namespace et::inspector

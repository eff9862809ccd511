#include "inspector/comparison/readable_times.h"

#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <cstddef>
#include <string_view>

namespace et::inspector {
namespace {

/// Rank from names that contain a layout, "Convolution (NHWC, F32) IGEMM": four dimensions; 0: unknown.
std::size_t rankIn(std::string_view name) {
    return name.contains("(NHWC") ? 4 : 0;
}

}  // namespace

std::string readableOperator(const OperatorTimes& of) {
    if (of.kind == OperatorKind::DelegateCall) {
        return of.name == names::detail::delegateCall ? "Delegate call" : of.name;
    }
    if (of.kind == OperatorKind::Kernel) {
        return plainOperator(names::detail::nodeOperator(of.name));
    }
    JoinedOperators operators;
    for (const std::string& node : of.nodes) {
        operators.add(names::detail::nodeOperator(node), rankIn(of.name));
    }
    const std::string joined = operators.text();
    return joined.empty() ? of.name : joined;
}

std::string readableName(const OperatorTimes& of) {
    const std::string name = readableOperator(of);
    return of.module.empty() ? name : name + " · " + of.module;
}

}  // namespace et::inspector

#include "inspector/comparison/readable_times.h"

#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

/// More operators than that are no name.
constexpr std::size_t mostNamed = 3;

/// Of names that have a layout, "Convolution (NHWC, F32) IGEMM": four dimensions; 0: not known.
std::size_t rankIn(std::string_view name) {
    return name.contains("(NHWC") ? 4 : 0;
}

/// What the nodes compute, each once; empty: none of them, or too much for one name.
std::string namesOf(const OperatorTimes& of) {
    std::vector<std::string> plain;
    for (const std::string& node : of.nodes) {
        const std::string_view op = detail::nodeOperator(node);
        std::string name = plainOperator(op, rankIn(of.name));
        if (!isQuantization(op) && !std::ranges::contains(plain, name)) {
            plain.push_back(std::move(name));
        }
    }
    std::string all;
    for (const std::string& each : plain) {
        all += all.empty() ? each : " + " + each;
    }
    return plain.size() > mostNamed ? std::string() : all;
}

}  // namespace

std::string readableOperator(const OperatorTimes& of) {
    if (of.kind == OperatorKind::DelegateCall) {
        return of.name == detail::delegateCall ? "Delegate call" : of.name;
    }
    if (of.kind == OperatorKind::Kernel) {
        return plainOperator(detail::nodeOperator(of.name));
    }
    const std::string names = namesOf(of);
    return names.empty() ? of.name : names;
}

std::string readableName(const OperatorTimes& of) {
    const std::string name = readableOperator(of);
    return of.module.empty() ? name : name + " · " + of.module;
}

}  // namespace et::inspector

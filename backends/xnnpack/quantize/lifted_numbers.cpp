#include "backends/xnnpack/quantize/lifted_numbers.h"

#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/quantize/exported_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::ScalarType;
using etrecord::Argument;
using etrecord::Node;

struct NumberRow {
    std::string_view op;
    std::string_view lifted;
};
constexpr std::array numberRows{
    NumberRow{.op = "aten.add.Scalar", .lifted = "aten.add.Tensor"},
    NumberRow{.op = "aten.mul.Scalar", .lifted = "aten.mul.Tensor"},
};

/// Whether the exported program has the operator itself. Products inside decomposed attention are none.
bool isExported(const Node& node, std::string_view lifted) {
    const auto origin = originOf(node);
    return !origin || origin->target == lifted;
}

bool isFloat(const ModelDraft& draft, std::string_view value) {
    const auto found = draft.graph.tensors.find(value);
    return found != draft.graph.tensors.end() &&
           found->second.scalarType == std::to_underlying(ScalarType::Float);
}

}  // namespace

void liftNumbers(ModelDraft& draft) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < draft.graph.nodes.size(); ++i) {
        const Node& node = draft.graph.nodes[i];
        const auto* const row = std::ranges::find(numberRows, node.op, &NumberRow::op);
        const auto number = lowering::numberArgument(node, "other");
        if (row == numberRows.end() || !number || !isExported(node, row->lifted) ||
            !isFloat(draft, lowering::firstResult(node))) {
            continue;
        }
        const auto single = static_cast<float>(*number);
        const std::string target = fmt::format("_tensor_constant_{}", count++);
        const std::string value =
            draft.addTensor("tensor_constant", target, target,
                            tensorOf(ScalarType::Float, {}, std::as_bytes(std::span(&single, 1))));
        Node& lifted = draft.graph.nodes[i];
        const std::size_t place = lifted.target.rfind(row->op);
        if (place != std::string::npos) {
            lifted.target.replace(place, row->op.size(), row->lifted);
        }
        lifted.op = row->lifted;
        const auto other = std::ranges::find(lifted.inputs, "other", &Argument::name);
        *other = {.name = "other", .kind = "as_tensor", .value = etrecord::ValueRef{.name = value}};
    }
}

}  // namespace et::backends::xnnpack

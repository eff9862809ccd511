#include "backends/lowering/emission.h"
#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"

// Operators that export preserves for delegates and that no runtime kernel computes: outside delegates they
// are decomposed as export would do it.
namespace et::backends::lowering {

using core::Result;
using etrecord::Node;
using program::ValueId;

/// The kernel also returns the indices of the maxima.
Result<> Emission::addMaxPool(const Node& node) {
    Node whole = node;
    whole.target = "aten.max_pool2d_with_indices.default";
    ET_ASSIGN(const KernelChoice choice, chooseKernel(whole, kernels));
    ET_ASSIGN(builder::Arguments arguments, argumentsOf(choice));
    const std::string_view name = firstResult(node);
    ET_ASSIGN(builder::TensorSpec places, specOf(method.graph(), name));
    places.dtype = core::ScalarType::Long;
    ET_ASSIGN(const ValueId largest, result(name));
    into.call(choice.kernel, arguments, {largest, into.intermediate(places)});
    return {};
}

/// x * clamp(x + 3, 0, 6) / 6
Result<> Emission::addHardSwish(const Node& node) {
    constexpr std::int64_t shift = 3;
    constexpr std::int64_t top = 6;
    const std::string_view name = firstResult(node);
    ET_ASSIGN(const ValueId operand, value(valueName(findArgument(node, "self"))));
    ET_ASSIGN(const builder::TensorSpec spec, specOf(method.graph(), name));
    const ValueId sum = into.intermediate(spec);
    into.call("aten::add.Scalar_out", {operand, shift, std::int64_t{1}}, {sum});
    const ValueId clamped = into.intermediate(spec);
    into.call("aten::clamp.out", {sum, std::int64_t{0}, top}, {clamped});
    const ValueId product = into.intermediate(spec);
    into.call("aten::mul.out", {operand, clamped}, {product});
    ET_ASSIGN(const ValueId quotient, result(name));
    into.call("aten::div.Scalar_out", {product, top}, {quotient});
    return {};
}

}  // namespace et::backends::lowering

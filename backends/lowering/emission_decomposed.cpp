#include "backends/lowering/emission_decomposed.h"

#include "backends/lowering/emission_products.h"
#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/operators.h"

#include <utility>
#include <vector>

namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using program::ValueId;

namespace {

/// The kernel also returns the indices of the maxima.
Result<> emitMaxPool(EmittedValues& values, const kernels::KernelRegistry& kernels, const Node& node) {
    builder::MethodBuilder& into = values.builder();
    Node whole = node;
    whole.target = "aten.max_pool2d_with_indices.default";
    ET_ASSIGN(const KernelChoice choice, chooseKernel(whole, kernels));
    ET_ASSIGN(builder::Arguments arguments, values.arguments(choice));
    const std::string_view name = firstResult(node);
    ET_ASSIGN(builder::TensorSpec places, specOf(values.edge().graph(), name));
    places.dtype = core::ScalarType::Long;
    ET_ASSIGN(const ValueId largest, values.result(name));
    into.call(choice.kernel, arguments, {largest, into.intermediate(places)});
    return {};
}

/// x * clamp(x + 3, 0, 6) / 6
Result<> emitHardSwish(EmittedValues& values, const Node& node) {
    builder::MethodBuilder& into = values.builder();
    constexpr std::int64_t shift = 3;
    constexpr std::int64_t top = 6;
    const std::string_view name = firstResult(node);
    ET_ASSIGN(const ValueId operand, values.value(valueName(findArgument(node, "self"))));
    ET_ASSIGN(const builder::TensorSpec spec, specOf(values.edge().graph(), name));
    const ValueId sum = into.intermediate(spec);
    into.call("aten::add.Scalar_out", {operand, shift, std::int64_t{1}}, {sum});
    const ValueId clamped = into.intermediate(spec);
    into.call("aten::clamp.out", {sum, std::int64_t{0}, top}, {clamped});
    const ValueId product = into.intermediate(spec);
    into.call("aten::mul.out", {operand, clamped}, {product});
    ET_ASSIGN(const ValueId quotient, values.result(name));
    into.call("aten::div.Scalar_out", {product, top}, {quotient});
    return {};
}

/// where(x > 0, x, x * weight), with a weight per channel.
Result<> emitPrelu(EmittedValues& values, const Node& node) {
    builder::MethodBuilder& into = values.builder();
    const std::string_view name = firstResult(node);
    const std::string_view slope = valueName(findArgument(node, "weight"));
    ET_ASSIGN(const ValueId operand, values.value(valueName(findArgument(node, "self"))));
    ET_ASSIGN(ValueId weight, values.value(slope));
    ET_ASSIGN(builder::TensorSpec spec, specOf(values.edge().graph(), name));
    ET_ASSIGN(builder::TensorSpec perChannel, specOf(values.edge().graph(), slope));
    perChannel = {.dtype = perChannel.dtype, .sizes = std::move(perChannel.sizes)};
    constexpr std::size_t fromChannels = 1;  // dimensions before the channels
    const std::size_t rank =
        spec.sizes.size() > fromChannels ? spec.sizes.size() - fromChannels : spec.sizes.size();
    if (perChannel.sizes.size() != rank) {
        perChannel.sizes.resize(rank, 1);
        const ValueId viewed = into.intermediate(perChannel);
        into.call("aten::view_copy.out", {weight, builder::Ints(perChannel.sizes)}, {viewed});
        weight = viewed;
    }
    const ValueId product = into.intermediate(spec);
    into.call("aten::mul.out", {operand, weight}, {product});
    ET_ASSIGN(const ValueId chosen, values.result(name));
    spec.dtype = core::ScalarType::Bool;
    const ValueId above = into.intermediate(spec);
    into.call("aten::gt.Scalar_out", {operand, std::int64_t{0}}, {above});
    into.call("aten::where.self_out", {above, operand, product}, {chosen});
    return {};
}

/// update_cache writes rows into a cache; its functional form returns the updated caches.
Result<> emitFunctionalized(EmittedValues& values, const Node& node) {
    builder::MethodBuilder& into = values.builder();
    const auto* target = node.inputs.empty() ? nullptr : std::get_if<std::string>(&node.inputs[0].value);
    if (target == nullptr || reference::plainTarget(*target) != "llama.update_cache.default") {
        return fail(ErrorCode::Unsupported, "only llama.update_cache is known to write to its argument");
    }
    const auto bases = tensorsArgument(node, "_all_bases");
    const auto index = integerArgument(node, "_cache_base_index");
    const Argument* rows = findArgument(node, "value");
    const Argument* start = findArgument(node, "start_pos");
    if (!bases || bases->size() != 1 || index != 0 || rows == nullptr || start == nullptr ||
        node.outputs.size() != 2) {
        return fail(ErrorCode::InvalidArgument, "expected one cache, the values to write and their position");
    }
    ET_ASSIGN(const builder::Argument from, values.argument(*rows));
    ET_ASSIGN(const builder::Argument position, values.argument(*start));
    ET_ASSIGN(const ValueId cache, values.writable(node, bases->front()));
    const std::vector<std::int64_t> one{1};
    const ValueId unused = into.intermediate({.sizes = one});
    into.call("llama::update_cache.out", {from, cache, position}, {unused});
    values.bind(valueName(&node.outputs[1]), cache);
    return {};
}

}  // namespace

Result<bool> emitDecomposed(EmittedValues& values, const kernels::KernelRegistry& kernels, const Node& node) {
    const std::string_view target = reference::plainTarget(node.target);
    const auto done = [](Result<> added) { return std::move(added).transform([] { return true; }); };
    if (target == "higher_order.auto_functionalized_v2") {
        return done(emitFunctionalized(values, node));
    }
    if (target == "aten.max_pool2d.default") {
        return done(emitMaxPool(values, kernels, node));
    }
    if (target == "aten.hardswish.default") {
        return done(emitHardSwish(values, node));
    }
    if (target == "aten.matmul.default") {
        return done(emitMatmul(values, node));
    }
    if (target == "aten.scaled_dot_product_attention.default") {
        return done(emitAttention(values, node));
    }
    if (target == "aten.prelu.default") {
        return done(emitPrelu(values, node));
    }
    return false;
}

}  // namespace et::backends::lowering

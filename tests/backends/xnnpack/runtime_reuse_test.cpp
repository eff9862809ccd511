// Tests which changes of shapes need a new runtime of the library, which packs all weights again.
#include "backends/xnnpack/library/runtime_reuse.h"

#include "backends/xnnpack/nodes/node_table.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace et::backends::xnnpack {
namespace {

constexpr ValueIndex input = 0;
constexpr ValueIndex inner = 1;
constexpr ValueIndex factor = 2;
constexpr ValueIndex product = 3;
constexpr ValueIndex output = 4;

/// output = -(-input * factor)
Payload negatedProduct() {
    Payload payload;
    payload.values.resize(5);
    payload.values[input].isInput = true;
    payload.values[output].isOutput = true;
    const auto add = [&](NodeKind kind, std::initializer_list<ValueIndex> inputs, ValueIndex to) {
        PayloadNode node{.traits = nodeKind(std::to_underlying(kind))};
        node.inputs = NodeValues(inputs);
        node.outputs = {to};
        payload.nodes.push_back(std::move(node));
    };
    add(NodeKind::Negate, {input}, inner);
    add(NodeKind::Multiply, {inner, factor}, product);
    add(NodeKind::Negate, {product}, output);
    return payload;
}

Shapes shapesFor(std::size_t rows) {
    const auto sizes = [](std::size_t count, std::size_t width) {
        ValueSizes made(2, count);
        made[1] = width;
        return made;
    };
    constexpr std::size_t width = 8;
    return {sizes(rows, width), sizes(rows, width), sizes(1, width), sizes(rows, width), sizes(rows, width)};
}

TEST(RuntimeReuseTest, AllowsOneRowWhereAConstantIsBroadcast) {
    Payload payload = negatedProduct();
    payload.values[factor].constant = 1;
    RuntimeReuse reuse(payload);
    reuse.begin(shapesFor(16));
    EXPECT_TRUE(reuse.allows(shapesFor(1))) << "the product never takes the memory of a constant";
    EXPECT_TRUE(reuse.allows(shapesFor(16)));
}

TEST(RuntimeReuseTest, AllowsOneRowWhereAnArgumentIsBroadcast) {
    Payload payload = negatedProduct();
    payload.values[factor].isInput = true;
    RuntimeReuse reuse(payload);
    reuse.begin(shapesFor(16));
    EXPECT_TRUE(reuse.allows(shapesFor(1)));
}

TEST(RuntimeReuseTest, RefusesOneRowWhereAnInnerValueIsBroadcast) {
    const Payload payload = negatedProduct();  // another node would compute `factor`
    RuntimeReuse reuse(payload);
    reuse.begin(shapesFor(16));
    EXPECT_FALSE(reuse.allows(shapesFor(1))) << "the product would take the memory of the factor";
    reuse.begin(shapesFor(1));
    EXPECT_FALSE(reuse.allows(shapesFor(16)));
}

}  // namespace
}  // namespace et::backends::xnnpack

#include "tests/backends/xnnpack/byte_graph.h"

#include "backends/xnnpack/custom_kernels/faster_nodes.h"
#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"

#include <gtest/gtest.h>
#include <xnnpack.h>

#include <algorithm>
#include <random>

namespace et::test {
namespace {

using namespace backends::xnnpack;  // NOLINT(google-build-using-namespace): its tests' own

constexpr std::uint64_t maxMemory = std::uint64_t{1} << 30U;

struct NoNamedData final : executor::NamedDataSource {
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

}  // namespace

ValueIndex ByteGraph::add(Datatype type, Sizes sizes, Quantized quantization) {
    PayloadValue& value = payload.values.emplace_back();
    value.datatype = type;
    value.sizes = std::move(sizes);
    value.quantization = quantization;
    return static_cast<ValueIndex>(payload.values.size() - 1);
}

ValueIndex ByteGraph::addFloats(Sizes sizes) {
    const ValueIndex value = add(Datatype::Fp32, std::move(sizes), {});
    payload.values[value].quantization = {};
    return value;
}

ValueIndex ByteGraph::addInput(Datatype type, Sizes sizes, Quantized quantization) {
    const ValueIndex value = add(type, std::move(sizes), quantization);
    payload.values[value].isInput = true;
    payload.externals.push_back(value);
    return value;
}

PayloadNode& ByteGraph::addNode(NodeKind kind, std::vector<ValueIndex> from, ValueIndex to) {
    return payload.nodes.emplace_back(PayloadNode{
        .traits = nodeKind(static_cast<std::uint8_t>(kind)), .inputs = std::move(from), .outputs = {to}});
}

void ByteGraph::end(ValueIndex output) {
    payload.values[output].isOutput = true;
    payload.externals.push_back(output);
    const NoNamedData nothing;
    shapes = exportedShapes(payload);
    auto found = ConstantData::find(payload, nothing);
    const auto followed = followShapes(payload, shapes, maxMemory);
    ASSERT_TRUE(found && followed) << followed.error().toString();
    constants.emplace(*std::move(found));
}

std::size_t ByteGraph::bytesOf(ValueIndex value) const {
    std::size_t count = 1;
    for (const std::size_t size : shapes[value]) {
        count *= size;
    }
    return count;
}

Bytes ByteGraph::runOwn(const std::vector<Bytes>& inputs, std::size_t threadCount) {
    const kernels::ThreadPool threads(threadCount);
    auto node =
        makeFasterNode({.payload = payload, .constants = *constants, .threads = threads, .widenHalf = false},
                       payload.nodes[0]);
    EXPECT_TRUE(node) << node.error().toString();
    (*node)->reshape(shapes);
    return run(inputs, [&](std::span<void* const> places) { (*node)->run(places); });
}

Bytes ByteGraph::runLibrary(const std::vector<Bytes>& inputs) {
    const kernels::ThreadPool threads;
    auto shared = SharedMemory::make();
    auto runtime = LibraryRuntime::make(payload, *constants, shapes, *shared, threads, {}, maxMemory);
    EXPECT_TRUE(runtime) << runtime.error().toString();
    EXPECT_TRUE(runtime->reshape(payload, shapes));
    return run(inputs, [&](std::span<void* const> places) { EXPECT_TRUE(runtime->run(places)); });
}

std::pair<Bytes, std::vector<std::string>> ByteGraph::runGraph(const std::vector<Bytes>& inputs,
                                                               std::size_t threadCount) {
    const kernels::ThreadPool threads(threadCount);
    auto shared = SharedMemory::make();
    auto runtime =
        GraphRuntime::make(payload, *constants, shapes, *shared, threads, {.profiled = true}, maxMemory);
    EXPECT_TRUE(runtime) << runtime.error().toString();
    EXPECT_TRUE(runtime->reshape(shapes));
    Bytes made = run(inputs, [&](std::span<void* const> places) { EXPECT_TRUE(runtime->run(places)); });
    return {std::move(made), *runtime->operatorNames()};
}

Bytes ByteGraph::run(std::vector<Bytes> inputs,
                     const std::function<void(std::span<void* const>)>& runner) const {
    std::vector<void*> places;
    for (Bytes& each : inputs) {
        each.resize(each.size() + XNN_EXTRA_BYTES);
        places.push_back(each.data());
    }
    Bytes made(bytesOf(payload.externals.back()));
    places.push_back(made.data());
    runner(places);
    return made;
}

Bytes randomBytes(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    Bytes made(count);
    std::ranges::generate(made, [&] { return static_cast<std::uint8_t>(generator()); });
    return made;
}

}  // namespace et::test

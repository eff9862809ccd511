#include "tests/backends/reference/graph_builder.h"

#include "etrecord/writer.h"
#include "runtime/core/mapped_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace et::test {

using etrecord::Argument;
using etrecord::ValueRef;

Argument tensorArgument(std::string name, std::string value) {
    return {.name = std::move(name), .kind = "as_tensor", .value = ValueRef{.name = std::move(value)}};
}

Argument tensorsArgument(std::string name, const std::vector<std::string>& values) {
    std::vector<std::optional<ValueRef>> items;
    std::ranges::transform(values, std::back_inserter(items),
                           [](const std::string& value) { return ValueRef{.name = value}; });
    return {.name = std::move(name), .kind = "as_tensors", .value = std::move(items)};
}

Argument intArgument(std::string name, std::int64_t value) {
    return {.name = std::move(name), .kind = "as_int", .value = value};
}

Argument intsArgument(std::string name, const std::vector<std::int64_t>& values) {
    std::vector<etrecord::SymInt> items;
    std::ranges::transform(values, std::back_inserter(items), [](std::int64_t value) {
        return etrecord::SymInt{.value = value, .expression = {}};
    });
    return {.name = std::move(name), .kind = "as_ints", .value = std::move(items)};
}

Argument floatArgument(std::string name, double value) {
    return {.name = std::move(name), .kind = "as_float", .value = value};
}

Argument boolArgument(std::string name, bool value) {
    return {.name = std::move(name), .kind = "as_bool", .value = value};
}

Argument graphArgument(etrecord::ExportedGraph graph) {
    return {.name = {},
            .kind = "as_graph",
            .value = std::make_shared<const etrecord::GraphRef>(
                etrecord::GraphRef{.name = "body", .graph = std::move(graph)})};
}

GraphBuilder& GraphBuilder::tensor(const std::string& name, std::vector<std::int64_t> sizes,
                                   std::int8_t scalarType) {
    etrecord::TensorMeta meta;
    meta.scalarType = scalarType;
    meta.device = "cpu";
    meta.layout = 7;
    std::ranges::transform(sizes, std::back_inserter(meta.sizes), [](std::int64_t size) {
        return etrecord::SymInt{.value = size, .expression = {}};
    });
    meta.strides = meta.sizes;
    made.tensors[name] = std::move(meta);
    return *this;
}

GraphBuilder& GraphBuilder::input(const std::string& name, std::vector<std::int64_t> sizes) {
    tensor(name, std::move(sizes));
    made.inputs.push_back(tensorArgument({}, name));
    etrecord::InputSpec spec;
    spec.kind = "user_input";
    spec.value = name;
    spec.argument = tensorArgument({}, name);
    made.inputSpecs.push_back(std::move(spec));
    return *this;
}

GraphBuilder& GraphBuilder::node(const std::string& name, const std::string& target,
                                 std::vector<Argument> inputs) {
    etrecord::Node added;
    added.name = name;
    added.target = target;
    added.op = etrecord::operatorName(target);
    added.inputs = std::move(inputs);
    added.outputs = {tensorArgument({}, name)};
    made.nodes.push_back(std::move(added));
    return tensor(name, {});
}

GraphBuilder& GraphBuilder::output(const std::string& name) {
    made.outputs.push_back(tensorArgument({}, name));
    etrecord::OutputSpec spec;
    spec.kind = "user_output";
    spec.value = name;
    spec.argument = tensorArgument({}, name);
    made.outputSpecs.push_back(std::move(spec));
    return *this;
}

std::shared_ptr<const etrecord::Record> GraphBuilder::record() const {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", made);
    auto bytes = writer.finish();
    EXPECT_TRUE(bytes);
    auto parsed = etrecord::Record::parse(core::MappedFile::fromMemory(std::move(*bytes), "made.etrecord"));
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().toString());
    return parsed ? *parsed : nullptr;
}

}  // namespace et::test

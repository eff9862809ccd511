#include "etrecord/exported_graph.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace et::etrecord {
namespace {

using core::DebugHandle;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Result<ExportedGraph> parseGraph(std::string_view json) {
    return parseExportedGraph(std::as_bytes(std::span(json)), "entry");
}

/// Returns a program whose only node has `argument` as its input.
std::string programWith(std::string_view argument, std::string_view values = R"("tensor_values": {})") {
    return fmt::format(
        R"({{"graph_module": {{"graph": {{"inputs": [], "outputs": [], {}, "nodes": [{{"name": "n", "target": "torch.ops.aten.x.default",
        "inputs": [{{"name": "self", "arg": {}}}], "outputs": [], "metadata": {{}}}}]}}, "signature": null, "module_call_graph": []}}, "schema_version": {{"major": 5, "minor": 3}}}})",
        values, argument);
}

Argument argumentFrom(std::string_view json) {
    const auto graph = parseGraph(programWith(json));
    EXPECT_TRUE(graph) << graph.error().toString();
    return graph ? graph->nodes.front().inputs.front() : Argument{};
}

Argument::Value ref(std::string name) {
    return ValueRef{.name = std::move(name)};
}

Argument of(std::string kind, Argument::Value value) {
    return {.name = "self", .kind = std::move(kind), .value = std::move(value)};
}

Argument element(std::string kind, Argument::Value value) {
    return {.name = {}, .kind = std::move(kind), .value = std::move(value)};
}

constexpr double infinity = std::numeric_limits<double>::infinity();

using Refs = std::vector<std::optional<ValueRef>>;

struct KindCase {
    const char* json;
    Argument expected;
};

std::vector<KindCase> kindCases() {
    return {
        {R"({"as_tensor": {"name": "x"}})", of("as_tensor", ref("x"))},
        {R"({"as_none": []})", of("as_none", std::monostate{})},
        {R"({"as_none": true})", of("as_none", std::monostate{})},
        {R"({"as_none": null, "as_int": null})", of("as_none", std::monostate{})},
        {R"({"as_none": null, "as_int": 4, "as_ints": null})", of("as_int", std::int64_t{4})},
        {R"({"as_int": true})", of("as_int", true)},
        {R"({"as_tensors": [{"name": "a"}, {"name": "b"}]})",
         of("as_tensors", Refs{ValueRef{"a"}, ValueRef{"b"}})},
        {R"({"as_optional_tensors": [{"as_none": []}, {"as_tensor": {"name": "b"}}]})",
         of("as_optional_tensors", Refs{std::nullopt, ValueRef{"b"}})},
        {R"({"as_optional_tensor": {"as_tensor": {"name": "b"}}})", of("as_optional_tensor", ref("b"))},
        {R"({"as_optional_tensor": {"as_none": true}})", of("as_optional_tensor", std::monostate{})},
        {R"({"as_ints": [1, -2]})", of("as_ints", std::vector<SymInt>{{1, ""}, {-2, ""}})},
        {R"({"as_float": -Infinity})", of("as_float", -infinity)},
        {R"({"as_float": 3})", of("as_float", 3.0)},
        {R"({"as_floats": [0.5, "Infinity"]})", of("as_floats", std::vector{0.5, infinity})},
        {R"({"as_complex": {"real": 1.5, "imag": -2}})", of("as_complex", std::vector{1.5, -2.0})},
        {R"({"as_bool": false})", of("as_bool", false)},
        {R"({"as_bools": [true, false]})", of("as_bools", std::vector{true, false})},
        {R"({"as_string": "reflect"})", of("as_string", std::string("reflect"))},
        {R"({"as_strings": ["a", ""]})", of("as_strings", std::vector<std::string>{"a", ""})},
        {R"({"as_operator": "torch.ops.llama.x.default"})",
         of("as_operator", std::string("torch.ops.llama.x.default"))},
        {R"({"as_sym_int": {"as_name": "s"}})", of("as_sym_int", ref("s"))},
        {R"({"as_sym_int": {"as_int": 9}})", of("as_sym_int", std::int64_t{9})},
        {R"({"as_sym_ints": [{"as_name": "s"}, {"as_int": -1}]})",
         of("as_sym_ints", std::vector<SymInt>{{0, "s"}, {-1, ""}})},
        {R"({"as_sym_bool": {"as_name": "b"}})", of("as_sym_bool", ref("b"))},
        {R"({"as_sym_bool": {"as_bool": true}})", of("as_sym_bool", true)},
        {R"({"as_sym_float": {"as_float": 2.5}})", of("as_sym_float", 2.5)},
        {R"({"as_sym_bools": [{"as_name": "b"}, {"as_bool": true}]})",
         of("as_sym_bools", std::vector{element("as_sym_bool", ref("b")), element("as_sym_bool", true)})},
        {R"({"as_sym_floats": [{"as_float": 1}]})",
         of("as_sym_floats", std::vector{element("as_sym_float", 1.0)})},
        {R"({"as_scalar_type": 7})", of("as_scalar_type", std::int64_t{6})},
        {R"({"as_scalar_type": 0})", of("as_scalar_type", std::int64_t{unknownScalarType})},
        {R"({"as_memory_format": 2})", of("as_memory_format", std::int64_t{2})},
        {R"({"as_layout": 7})", of("as_layout", std::int64_t{7})},
        {R"({"as_device": {"type": "cuda", "index": 1}})", of("as_device", std::string("cuda:1"))},
        {R"({"as_device": {"type": "cpu", "index": null}})", of("as_device", std::string("cpu"))},
        {R"({"as_custom_obj": {"name": "o", "class_fqn": "C"}})", of("as_custom_obj", ValueRef{"o", "C"})},
        {R"({"as_nested_tensors": [[{"name": "a"}], []]})",
         of("as_nested_tensors",
            std::vector{element("as_tensors", Refs{ValueRef{"a"}}), element("as_tensors", Refs{})})},
        {R"({"as_int_lists": [[1], [2, 3]]})",
         of("as_int_lists", std::vector{element("as_ints", std::vector<SymInt>{{1, ""}}),
                                        element("as_ints", std::vector<SymInt>{{2, ""}, {3, ""}})})},
        {R"({"as_string_to_argument": {"k": {"as_int": 1}}})",
         of("as_string_to_argument",
            std::vector{Argument{.name = "k", .kind = "as_int", .value = std::int64_t{1}}})},
        {R"({"as_future": {"a":[1,2]}})", of("as_future", std::string(R"({"a":[1,2]})"))},
    };
}

TEST(ExportedGraph, ReadsAndWritesEveryKindOfArgument) {
    for (const auto& [json, expected] : kindCases()) {
        const auto graph = parseGraph(programWith(json));
        ASSERT_TRUE(graph) << json << ": " << graph.error().toString();
        EXPECT_EQ(graph->nodes.front().inputs.front(), expected) << json;
        const auto again = parseGraph(serializeExportedGraph(*graph));
        ASSERT_TRUE(again) << json << ": " << again.error().toString();
        EXPECT_EQ(*again, *graph) << json;
    }
}

TEST(ExportedGraph, ReadsNaN) {
    const Argument argument = argumentFrom(R"({"as_float": NaN})");
    EXPECT_TRUE(std::isnan(std::get<double>(argument.value)));
}

TEST(ExportedGraph, ErrorsNameTheJsonPath) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"as_int": "x"})", "as_int: expected a 64-bit integer, got \"x\""},
        {R"({"as_tensor": {}})", "as_tensor: expected a member named \"name\""},
        {R"({"as_ints": [1, {}]})", "as_ints[1]: expected a 64-bit integer, got an object"},
        {R"({"as_float": "one"})", "as_float: expected a number"},
        {R"({"as_graph": {"graph": {"inputs": []}}})", "as_graph.graph: expected a member named \"outputs\""},
        {R"([])", "expected an object, got a list"},
    };
    for (const auto& [json, expected] : cases) {
        const auto graph = parseGraph(programWith(json));
        ASSERT_FALSE(graph) << json;
        EXPECT_EQ(graph.error().code, core::ErrorCode::Format);
        EXPECT_THAT(graph.error().toString(),
                    testing::StartsWith("entry: graph_module.graph.nodes[0].inputs[0].arg"));
        EXPECT_THAT(graph.error().toString(), HasSubstr(expected));
    }
    EXPECT_EQ(parseGraph("{}").error().toString(), "entry: expected a member named \"graph_module\"");
}

TEST(ExportedGraph, ReadsTensorMetadataOfBothAges) {
    const auto graph = parseGraph(programWith(R"({"as_none": []})", R"("tensor_values": {
        "now": {"dtype": 13, "sizes": [{"as_expr": {"expr_str": "2*s0", "hint": {"as_int": 8}}}, {"as_int": 3}], "strides": [{"as_int": 3}, {"as_int": 1}],
                "requires_grad": true, "device": {"type": "cpu"}, "storage_offset": {"as_int": 5}, "layout": 7},
        "then": {"meta": {"dtype": 7, "sizes": [{"as_expr": null, "as_int": 3}], "strides": [{"as_expr": null, "as_int": 1}],
                 "requires_grad": false, "device": {"type": "cpu", "index": null}, "storage_offset": 0, "layout": 7}},
        "odd": {"dtype": 99, "sizes": []}},
        "sym_int_values": {"s": {"as_expr": {"expr_str": "s0", "hint": 4}}, "u": {"as_expr": {"expr_str": "u0"}}, "n": {"as_int": 7}},
        "sym_bool_values": {"b": {"as_expr": {"expr_str": "s0 > 1", "hint": {"as_bool": true}}}},
        "sym_float_values": {"f": {"as_float": 0.5}},
        "custom_obj_values": {"o": {"name": "o", "class_fqn": "pkg.C"}})"));
    ASSERT_TRUE(graph) << graph.error().toString();
    const TensorMeta& now = graph->tensors.at("now");
    EXPECT_EQ(core::scalarTypeName(now.scalarType), "bfloat16");
    EXPECT_THAT(now.sizes, ElementsAre(SymInt{8, "2*s0"}, SymInt{3, ""}));
    EXPECT_THAT(now.strides, ElementsAre(SymInt{3, ""}, SymInt{1, ""}));
    EXPECT_TRUE(now.requiresGrad);
    EXPECT_EQ(now.device, "cpu");
    EXPECT_EQ(now.storageOffset.value, 5);
    EXPECT_EQ(graph->tensors.at("then").sizes, (std::vector<SymInt>{{3, ""}}));
    EXPECT_EQ(graph->tensors.at("odd").scalarType, unknownScalarType);
    EXPECT_EQ(graph->symInts.at("s"), (SymInt{4, "s0"}));
    EXPECT_EQ(graph->symInts.at("u"), (SymInt{0, "u0"}));
    EXPECT_EQ(graph->symInts.at("n"), (SymInt{7, ""}));
    EXPECT_EQ(graph->symBools.at("b"), (SymBool{true, "s0 > 1"}));
    EXPECT_EQ(graph->symFloats.at("f"), (SymFloat{0.5, ""}));
    EXPECT_EQ(graph->customObjects.at("o"), "pkg.C");
    const auto again = parseGraph(serializeExportedGraph(*graph));
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(*again, *graph);
}

TEST(ExportedGraph, ScalarTypesAreC10sNotTorchExports) {
    // torch.export's number and torch's name of the dtype.
    const std::pair<int, const char*> types[] = {
        {1, "uint8"},
        {2, "int8"},
        {3, "int16"},
        {4, "int32"},
        {5, "int64"},
        {6, "float16"},
        {7, "float32"},
        {8, "float64"},
        {9, "complex32"},
        {10, "complex64"},
        {11, "complex128"},
        {12, "bool"},
        {13, "bfloat16"},
        {14, "uint16"},
        {28, "uint16"},
        {29, "float8_e4m3fn"},
        {30, "float8_e5m2"},
        {31, "float8_e4m3fnuz"},
        {32, "float8_e5m2fnuz"},
        {34, "uint32"},
        {35, "uint64"},
    };
    for (const auto& [number, name] : types) {
        const Argument argument = argumentFrom(fmt::format(R"({{"as_scalar_type": {}}})", number));
        EXPECT_EQ(core::scalarTypeName(std::get<std::int64_t>(argument.value)), name) << number;
    }
}

TEST(ExportedGraph, OperatorNamesAreThoseThatPythonGives) {
    const std::pair<const char*, const char*> names[] = {
        {"executorch.exir.dialects.edge.ops.aten.mm.default", "aten.mm.default"},
        {"executorch.exir.dialects.edge.ops.dim_order_ops._to_dim_order_copy.default",
         "dim_order_ops._to_dim_order_copy.default"},
        {"executorch.exir.dialects.backend.ops.cadence.x.default", "cadence.x.default"},
        {"torch.ops.aten.sym_size.int", "sym_size.int"},
        {"torch.ops.higher_order.executorch_call_delegate", "executorch_call_delegate"},
        {"_operator.add", "add"},
        {"math.floor", "floor"},
        {"bare", "bare"},
        {"", ""},
    };
    for (const auto& [target, name] : names) {
        EXPECT_EQ(operatorName(target), name);
    }
}

TEST(ExportedGraph, ReadsNodesSubgraphsAndHandles) {
    const auto graph = parseGraph(
        R"({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [{"as_tensor": {"name": "g0"}}], "tensor_values": {},
        "is_single_tensor_return": false, "nodes": [
        {"name": "cond", "target": "torch.ops.higher_order.cond", "outputs": [{"as_tensors": [{"name": "g0"}]}], "metadata": {"debug_handle": "1", "stack_trace": "File a", "odd": 5, "none": null},
         "inputs": [{"name": "", "arg": {"as_graph": {"name": "true_graph", "graph": {"inputs": [], "outputs": [], "tensor_values": {}, "is_single_tensor_return": true, "nodes": [
            {"target": "executorch.exir.dialects.edge.ops.aten.sin.default", "inputs": [], "outputs": [{"as_tensor": {"name": "inner"}}], "metadata": {"debug_handle": "2"}}]}}}}]},
        {"name": "b", "target": "executorch.exir.dialects.edge.ops.aten.add.Tensor", "inputs": [], "outputs": [], "metadata": {"debug_handle": "1", "nn_module_stack": "k,f,T"}},
        {"name": "c", "target": "_operator.getitem", "inputs": [], "outputs": [], "metadata": {"debug_handle": "1"}}]},
        "signature": {"input_specs": [], "output_specs": []}, "module_call_graph": [{"fqn": ""}]}, "dialect": "OLD", "verifiers": ["EDGE"], "torch_version": "2.9", "opset_version": {"aten": 10},
        "range_constraints": {"s0": {"min_val": 2, "max_val": Infinity}}, "schema_version": {"major": 8, "minor": 14}})");
    ASSERT_TRUE(graph) << graph.error().toString();
    EXPECT_THAT(graph->nodesOf(DebugHandle(1)), ElementsAre(0U, 1U)) << "getitem stands for its operator";
    EXPECT_THAT(graph->nodesOf(DebugHandle(2)), IsEmpty()) << "nodes of subgraphs are their graph's";
    const Node& cond = graph->nodes[0];
    EXPECT_EQ(cond.op, "cond");
    EXPECT_EQ(cond.stackTrace, "File a");
    EXPECT_THAT(cond.metadata,
                ElementsAre(testing::Pair("debug_handle", "1"), testing::Pair("stack_trace", "File a"),
                            testing::Pair("odd", "5")));
    const auto subgraph = std::get<std::shared_ptr<const GraphRef>>(cond.inputs[0].value);
    EXPECT_EQ(subgraph->name, "true_graph");
    EXPECT_TRUE(subgraph->graph.singleTensorReturn);
    EXPECT_EQ(subgraph->graph.nodes[0].name, "inner") << "a node without a name is called as its result";
    EXPECT_THAT(subgraph->graph.nodesOf(DebugHandle(2)), ElementsAre(0U));
    EXPECT_THAT(graph->nodes[1].moduleStack, ElementsAre(ModuleFrame{"k", "f", "T"}));
    EXPECT_EQ(graph->dialect, "EDGE");
    EXPECT_EQ(graph->torchVersion, "2.9");
    EXPECT_EQ(graph->schemaMajor, 8);
    EXPECT_EQ(graph->opsetVersions.at("aten"), 10);
    EXPECT_EQ(graph->rangeConstraints.at("s0"), (RangeConstraint{2, std::nullopt}));
    EXPECT_EQ(graph->moduleCallGraph, R"([{"fqn":""}])");
    const auto again = parseGraph(serializeExportedGraph(*graph));
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(*again, *graph);
}

TEST(ExportedGraph, ReadsTheSignature) {
    const std::string json =
        R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}}, "signature": {
        "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "conv.w"}}, {"buffer": {"arg": {"name": "b"}, "buffer_name": "cache", "persistent": false}},
            {"user_input": {"arg": {"as_tensor": {"name": "x"}}}, "parameter": null}, {"user_input": {"arg": {"as_int": 3}}}, {"constant_input": {"name": "y", "value": {"as_none": []}}},
            {"tensor_constant": {"arg": {"name": "c"}, "tensor_constant_name": "k"}}, {"token": {"arg": {"name": "t"}}}, {"custom_obj": {"arg": {"name": "o", "class_fqn": "C"}, "custom_obj_name": "obj"}}, {"future_input": {"a":1}}],
        "output_specs": [{"buffer_mutation": {"arg": {"name": "m"}, "buffer_name": "cache"}}, {"user_output": {"arg": {"as_tensor": {"name": "out"}}}},
            {"user_input_mutation": {"arg": {"name": "u"}, "user_input_name": "x"}}, {"loss_output": {"arg": {"name": "l"}}}]}}, "schema_version": 1})";
    const auto graph = parseGraph(json);
    ASSERT_TRUE(graph) << graph.error().toString();
    EXPECT_EQ(graph->schemaMajor, 1);
    const auto info = [](const auto& spec) {
        return fmt::format("{} {} {}", spec.kind, spec.value, spec.target);
    };
    std::vector<std::string> inputs;
    std::ranges::transform(graph->inputSpecs, std::back_inserter(inputs), info);
    EXPECT_THAT(inputs, ElementsAre("parameter p_w conv.w", "buffer b cache", "user_input x ", "user_input  ",
                                    "constant_input y ", "tensor_constant c k", "token t ",
                                    "custom_obj o obj", R"(future_input  {"a":1})"));
    EXPECT_TRUE(graph->inputSpecs[0].persistent);
    EXPECT_FALSE(graph->inputSpecs[1].persistent);
    EXPECT_EQ(std::get<std::int64_t>(graph->inputSpecs[3].argument.value), 3);
    EXPECT_EQ(graph->inputSpecs[4].argument.kind, "as_none");
    std::vector<std::string> outputs;
    std::ranges::transform(graph->outputSpecs, std::back_inserter(outputs), info);
    EXPECT_THAT(outputs, ElementsAre("buffer_mutation m cache", "user_output out ", "user_input_mutation u x",
                                     "loss_output l "));
    const auto again = parseGraph(serializeExportedGraph(*graph));
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(*again, *graph);
}

TEST(ExportedGraph, KeepsUnknownMetadata) {
    const auto graph = parseGraph(
        R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "tensor_values": {}, "nodes": [{"name": "n", "target": "t", "inputs": [], "outputs": [],
        "metadata": {"from_node": "[{", "debug_handle": "none of it", "nn_module_stack": ";;("}}]}}})");
    ASSERT_TRUE(graph) << graph.error().toString();
    const Node& node = graph->nodes[0];
    EXPECT_THAT(node.history(), IsEmpty());
    EXPECT_THAT(node.debugHandles, IsEmpty());
    EXPECT_THAT(node.metadata,
                ElementsAre(testing::Pair("from_node", "[{"), testing::Pair("debug_handle", "none of it"),
                            testing::Pair("nn_module_stack", ";;(")));
}

TEST(ExportedGraph, GraphsMadeByHandAreWrittenWhole) {
    ExportedGraph graph;
    Node node;
    node.name = "aten_mm_default";
    node.target = "executorch.exir.dialects.edge.ops.aten.mm.default";
    node.op = operatorName(node.target);
    node.stackTrace = "File \"m.py\", line 3";
    node.moduleStack = {{"L__self__", "", "M"}, {"L__self___a", "a", "Linear"}};
    node.debugHandles = {DebugHandle(7)};
    node.inputs = {{.name = "self", .kind = "as_tensor", .value = ValueRef{"x"}}};
    graph.nodes = {node};
    graph.inputSpecs = {{.kind = "user_input", .value = "x", .target = {}}};
    const auto read = parseGraph(serializeExportedGraph(graph));
    ASSERT_TRUE(read) << read.error().toString();
    const Node& back = read->nodes[0];
    EXPECT_EQ(back.op, node.op);
    EXPECT_EQ(back.stackTrace, node.stackTrace);
    EXPECT_EQ(back.moduleStack, node.moduleStack);
    EXPECT_EQ(back.debugHandles, node.debugHandles);
    EXPECT_EQ(back.inputs, node.inputs);
    EXPECT_EQ(read->inputSpecs[0].value, "x");
    EXPECT_THAT(read->nodesOf(DebugHandle(7)), ElementsAre(0U));
}

TEST(ExportedGraph, DeepSubgraphsAreRefusedNotFollowed) {
    std::string json = R"({"as_none": []})";
    for (int depth = 0; depth < 200; ++depth) {
        json = fmt::format(
            R"({{"as_graph": {{"name": "g", "graph": {{"inputs": [{}], "outputs": [], "nodes": [], "tensor_values": {{}}}}}}}})",
            json);
    }
    const auto graph = parseGraph(programWith(json));
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, core::ErrorCode::Limit);
}

}  // namespace
}  // namespace et::etrecord

#include "tests/cli/shape_models.h"

#include "app/samples/edge_parts.h"
#include "etrecord/root_call.h"
#include "etrecord/writer.h"
#include "tests/cli/plugin_models.h"

#include <gtest/gtest.h>

#include <utility>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using etrecord::Argument;

constexpr std::int64_t rows = 16;
constexpr std::int64_t columns = 8;
constexpr std::uint64_t tensorBytes = rows * columns * sizeof(float);

TensorSpec dynamicTensor(std::uint64_t offset) {
    return {
        .sizes = {rows, columns}, .allocation = AllocationSpec{.arena = 1, .offset = offset}, .dynamism = 1};
}

/// A graph of tensors of identical sizes.
class SameSizes {
  public:
    SameSizes(std::int64_t minimum, bool isPlane) {
        samples::describeEdge(graph);
        sizes = samples::tensorMeta(core::ScalarType::Float, {3, columns});
        sizes.sizes[0].expression = "s0";
        graph.rangeConstraints["s0"] = {.minimum = minimum, .maximum = rows};
        if (isPlane) {
            sizes.sizes[1] = {.value = 5, .expression = "s1"};
            graph.rangeConstraints["s1"] = {.minimum = 1, .maximum = columns};
        }
    }

    void input(const std::string& name) {
        graph.tensors[name] = sizes;
        graph.inputs.push_back(reference(name));
        graph.inputSpecs.push_back(
            {.kind = "user_input", .value = name, .target = {}, .argument = reference(name)});
    }
    void node(const std::string& name, const std::string& op, const std::vector<std::string>& arguments) {
        static constexpr const char* names[] = {"self", "other"};
        etrecord::Node made;
        made.name = name;
        made.target = "executorch.exir.dialects.edge.ops." + op;
        made.op = op;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            made.inputs.push_back(reference(arguments[i]));
            made.inputs.back().name = names[i];
        }
        made.outputs.push_back(reference(name));
        made.debugHandles.emplace_back(static_cast<std::int64_t>(graph.nodes.size()) + 1);
        graph.tensors[name] = sizes;
        graph.nodes.push_back(std::move(made));
    }
    void write(const fs::path& path) {
        const std::string& last = graph.nodes.back().name;
        graph.outputs.push_back(reference(last));
        graph.outputSpecs.push_back(
            {.kind = "user_output", .value = last, .target = {}, .argument = reference(last)});
        graph.moduleCallGraph = etrecord::rootCall(graph.inputs.size(), 1);
        graph.indexHandles();
        etrecord::MethodMaps maps;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            maps.debugHandles[core::InstructionId(static_cast<std::int32_t>(i))].handles.emplace_back(
                static_cast<std::int64_t>(i) + 1);
        }
        etrecord::RecordWriter writer;
        writer.addEdgeGraph("forward", graph);
        writer.setMaps("forward", std::move(maps));
        const auto bytes = writer.finish();
        ASSERT_TRUE(bytes) << bytes.error().toString();
        writeBytes(path, *bytes);
    }

  private:
    static Argument reference(const std::string& name) {
        return {.name = {}, .kind = "as_tensor", .value = etrecord::ValueRef{.name = name}};
    }

    etrecord::ExportedGraph graph;
    etrecord::TensorMeta sizes;
};

}  // namespace

void writeShapeModel(const fs::path& folder, const std::string& name, const ShapeModel& model) {
    MethodSpec method;
    for (const std::uint64_t offset : {std::uint64_t{0}, tensorBytes, model.negOffset, 3 * tensorBytes}) {
        method.values.emplace_back(dynamicTensor(offset));
    }
    method.inputs = {0};
    method.outputs = {3};
    method.operators = {{"aten::relu", "out"}, {"aten::neg", "out"}, {"aten::sigmoid", "out"}};
    method.instructions = {KernelSpec{.op = 0, .args = {0, 1}}, KernelSpec{.op = 1, .args = {1, 2}},
                           KernelSpec{.op = 2, .args = {2, 3}}};
    method.arenas = {0, 4 * tensorBytes};
    writeBytes(folder / (name + ".pte"), writeProgram({.methods = {method}}));

    SameSizes graph(model.minimum, model.isPlane);
    graph.input("x");
    graph.node("aten_relu_default", "aten.relu.default", {"x"});
    graph.node("aten_neg_default", "aten.neg.default", {"aten_relu_default"});
    graph.node("aten_sigmoid_default", "aten.sigmoid.default", {"aten_neg_default"});
    graph.write(folder / (name + ".etrecord"));
}

void writePairModel(const fs::path& folder, const std::string& name) {
    MethodSpec method;
    for (std::uint64_t i = 0; i < 4; ++i) {
        method.values.emplace_back(dynamicTensor(i * tensorBytes));
    }
    method.values.emplace_back(std::int64_t{1});  // alpha
    method.inputs = {0, 1};
    method.outputs = {3};
    method.operators = {{"aten::add", "out"}, {"aten::neg", "out"}};
    method.instructions = {KernelSpec{.op = 0, .args = {0, 1, 4, 2}}, KernelSpec{.op = 1, .args = {2, 3}}};
    method.arenas = {0, 4 * tensorBytes};
    writeBytes(folder / (name + ".pte"), writeProgram({.methods = {method}}));

    SameSizes graph(1, false);
    graph.input("x");
    graph.input("y");
    graph.node("aten_add_tensor", "aten.add.Tensor", {"x", "y"});
    graph.node("aten_neg_default", "aten.neg.default", {"aten_add_tensor"});
    graph.write(folder / (name + ".etrecord"));
}

}  // namespace et::test

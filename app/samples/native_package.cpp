#include "app/samples/native_package.h"

#include "app/samples/random.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace et::samples {
namespace {

using core::ScalarType;

constexpr std::int64_t packageInputs = 32;
constexpr std::int64_t packageHidden = 16;
constexpr std::int64_t packageOutputs = 8;
constexpr std::int64_t packageGroup = 16;
constexpr std::int64_t packageMaxRows = 4;

native::TensorMeta packageMetaOf(ScalarType type, const std::vector<std::int64_t>& sizes) {
    native::TensorMeta meta{.scalarType = static_cast<std::int8_t>(type)};
    for (const std::int64_t size : sizes) {
        meta.dimOrder.push_back(static_cast<std::uint8_t>(meta.sizes.size()));
        meta.sizes.push_back({.minimum = size, .maximum = size});
    }
    return meta;
}

/// Float32 with 1 to 4 rows.
native::TensorMeta packageRowsOf(std::int64_t columns) {
    native::TensorMeta meta = packageMetaOf(ScalarType::Float, {1, columns});
    meta.sizes.front().maximum = packageMaxRows;
    return meta;
}

template <class T>
native::TensorContent packageContentOf(ScalarType type, std::vector<std::int64_t> sizes,
                                       const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {.scalarType = static_cast<std::int8_t>(type),
            .sizes = std::move(sizes),
            .data = {bytes.begin(), bytes.end()}};
}

std::vector<float> packageFloats(Random& random, std::int64_t count, float low, float high) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) {
        value = random.uniform(low, high);
    }
    return values;
}

/// Collects a method; nodes in order.
class PackageMethodMaker {
  public:
    void addConstant(const std::string& key, const std::string& name, native::TensorMeta meta,
                     bool isMutable = false) {
        method.constants.push_back(
            {.name = name,
             .key = key,
             .meta = meta,
             .kind = isMutable ? native::Constant::Kind::Buffer : native::Constant::Kind::Parameter,
             .isMutable = isMutable});
        addPlaceholder(name, std::move(meta));
    }
    void addInput(const std::string& name, native::TensorMeta meta) {
        method.graph.inputs.push_back(name);
        addPlaceholder(name, std::move(meta));
    }
    void addCall(const std::string& name, const std::string& target, std::vector<native::Argument> inputs,
                 native::TensorMeta meta) {
        method.graph.nodes.push_back(
            {.name = name, .target = target, .inputs = std::move(inputs), .outputs = {{.name = name}}});
        method.graph.tensors.emplace(name, std::move(meta));
    }
    void addOutput(const std::string& name, native::OutputSpec::Kind kind, const std::string& target) {
        method.graph.outputs.push_back(name);
        method.outputSpecs.push_back({.name = name, .kind = kind, .target = target});
        outputs.push_back({.name = "", .value = native::TensorName{name}});
    }
    native::Method finish() {
        method.graph.nodes.push_back(
            {.kind = native::Node::Kind::Output, .name = "output", .target = {}, .inputs = outputs});
        return std::move(method);
    }

  private:
    void addPlaceholder(const std::string& name, native::TensorMeta meta) {
        method.graph.nodes.push_back({.kind = native::Node::Kind::Placeholder,
                                      .name = name,
                                      .target = {},
                                      .outputs = {{.name = name}}});
        method.graph.tensors.emplace(name, std::move(meta));
    }

    native::Method method{.name = "forward"};
    std::vector<native::Argument> outputs;
};

native::Argument packageTensor(const std::string& parameter, const std::string& name) {
    return {.name = parameter, .value = native::TensorName{name}};
}

/// Two 4-bit numbers a byte, the first in the low bits; scales that keep the magnitude of a linear layer's
/// input.
void addPackageWeights(Random& random, PackageContent& content) {
    constexpr std::int64_t groups = packageInputs / packageGroup;
    std::vector<std::uint8_t> packed(static_cast<std::size_t>(packageHidden * packageInputs / 2));
    for (std::uint8_t& pair : packed) {
        pair = static_cast<std::uint8_t>(random.next());
    }
    content.tensors.emplace("hidden.weight",
                            packageContentOf(ScalarType::Byte, {packageHidden, packageInputs / 2}, packed));
    content.tensors.emplace("hidden.weight.scale",
                            packageContentOf(ScalarType::Float, {packageHidden, groups},
                                             packageFloats(random, packageHidden * groups, 0.02F, 0.06F)));
}

}  // namespace

PackageContent nativeContent() {
    PackageContent content;
    Random random(48);
    addPackageWeights(random, content);
    content.tensors.emplace(
        "head.weight", packageContentOf(ScalarType::Float, {packageOutputs, packageHidden},
                                        packageFloats(random, packageOutputs * packageHidden, -0.5F, 0.5F)));
    content.tensors.emplace("head.bias",
                            packageContentOf(ScalarType::Float, {packageOutputs},
                                             packageFloats(random, packageOutputs, -1.0F, 1.0F)));
    content.tensors.emplace("calls", packageContentOf(ScalarType::Float, {1}, std::vector<float>{0.0F}));
    PackageMethodMaker maker;
    native::TensorMeta quantized = packageMetaOf(ScalarType::Byte, {packageHidden, packageInputs});
    quantized.quantization = native::AffineGroups{.scaleKey = "hidden.weight.scale",
                                                  .scaleType = static_cast<std::int8_t>(ScalarType::Float),
                                                  .minimum = -8,
                                                  .maximum = 7,
                                                  .groupSize = packageGroup};
    maker.addConstant("hidden.weight", "p_hidden_weight", std::move(quantized));
    maker.addConstant("head.weight", "p_head_weight",
                      packageMetaOf(ScalarType::Float, {packageOutputs, packageHidden}));
    maker.addConstant("head.bias", "p_head_bias", packageMetaOf(ScalarType::Float, {packageOutputs}));
    maker.addConstant("calls", "b_calls", packageMetaOf(ScalarType::Float, {1}), true);
    maker.addInput("x", packageRowsOf(packageInputs));
    maker.addCall("aten_linear_default", "torch.ops.aten.linear.default",
                  {packageTensor("input", "x"), packageTensor("weight", "p_hidden_weight")},
                  packageRowsOf(packageHidden));
    maker.addCall("aten_relu_default", "torch.ops.aten.relu.default",
                  {packageTensor("self", "aten_linear_default")}, packageRowsOf(packageHidden));
    maker.addCall("aten_linear_default_1", "torch.ops.aten.linear.default",
                  {packageTensor("input", "aten_relu_default"), packageTensor("weight", "p_head_weight"),
                   packageTensor("bias", "p_head_bias")},
                  packageRowsOf(packageOutputs));
    maker.addCall(
        "aten_add_scalar", "torch.ops.aten.add.Scalar",
        {packageTensor("self", "b_calls"), {.name = "other", .value = native::IntOrName{.value = 1}}},
        packageMetaOf(ScalarType::Float, {1}));
    maker.addOutput("aten_add_scalar", native::OutputSpec::Kind::BufferMutation, "calls");
    maker.addOutput("aten_linear_default_1", native::OutputSpec::Kind::UserOutput, "");
    content.program = {.version = "1", .methods = {maker.finish()}};
    return content;
}

core::Result<std::vector<SampleFile>> makeNative() {
    const PackageContent content = nativeContent();
    ET_ASSIGN(const core::FileContent package, native::writePackage(content.program, content.tensors));
    std::vector<SampleFile> files;
    files.push_back({.name = "native.ptn", .bytes = package.joined()});
    return files;
}

}  // namespace et::samples

#include "backends/xnnpack/nodes/signatures.h"

#include "backends/xnnpack/library/constant_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace et::backends::xnnpack {
namespace {

using core::Result;

/// A set of datatypes, or of forms.
template <class... Items>
constexpr std::uint32_t setOf(Items... items) {
    return ((1U << static_cast<unsigned>(items)) | ... | 0U);
}
template <class Item>
constexpr bool has(std::uint32_t set, Item item) {
    return (set >> static_cast<unsigned>(item) & 1U) != 0;
}

constexpr std::uint32_t floats = setOf(Datatype::Fp32, Datatype::Fp16);
constexpr std::uint32_t floatsAndBytes = floats | setOf(Datatype::QInt8, Datatype::QUInt8);
constexpr std::uint32_t anyActivation = floatsAndBytes | setOf(Datatype::Int32);

/// Forms of which all values have one datatype.
struct UniformForm {
    NodeForm form;
    std::uint32_t types;
};
constexpr std::array uniformForms = std::to_array<UniformForm>({
    {NodeForm::Unary, anyActivation},
    {NodeForm::UnaryNumber, floatsAndBytes},
    {NodeForm::Binary, anyActivation},
    {NodeForm::Copy, anyActivation},
    {NodeForm::Transpose, anyActivation},
    {NodeForm::Reshape, anyActivation},
    {NodeForm::Softmax, floats},
    {NodeForm::AveragePooling, floats},
    {NodeForm::Attention, floats},
    {NodeForm::MaxPooling, floatsAndBytes},
    {NodeForm::GlobalAveragePooling, floatsAndBytes},
    {NodeForm::Resize, floatsAndBytes},
    {NodeForm::Pad, floatsAndBytes},
    {NodeForm::Slice, floatsAndBytes},
    {NodeForm::Concatenate, floatsAndBytes},
});

/// A product with constant weights. It may always do without a bias.
struct Product {
    std::uint32_t forms;
    Datatype input, filter, bias, output;
};
constexpr std::uint32_t windows =
    setOf(NodeForm::Convolution, NodeForm::DepthwiseConvolution, NodeForm::TransposedConvolution);
constexpr std::uint32_t full = setOf(NodeForm::FullyConnected);
constexpr std::uint32_t dense =
    setOf(NodeForm::FullyConnected, NodeForm::Convolution, NodeForm::TransposedConvolution);
constexpr std::uint32_t batches = setOf(NodeForm::BatchMatrixMultiply);
using enum Datatype;
constexpr std::array products = std::to_array<Product>({
    {full | windows, Fp32, Fp32, Fp32, Fp32},
    {full | windows, Fp16, Fp32, Fp32, Fp16},
    {full, Fp16, Fp16, Fp16, Fp16},
    {full | windows, QInt8, QInt8, QInt32, QInt8},
    {full | windows, QUInt8, QUInt8, QInt32, QUInt8},
    {full | windows, QInt8, QCInt8, QCInt32, QInt8},
    {dense, QDInt8, QCInt8, Fp32, Fp32},
    {full | setOf(NodeForm::Convolution), QDInt8, QCInt8, Fp32, Fp16},
    {full, Fp32, QCInt8, Fp32, Fp32},
    {full, Fp32, QCInt4, Fp32, Fp32},
    {full, QDInt8, QCInt4, Fp32, Fp32},
    {full, QDInt8, QCInt4, Fp32, Fp16},
    {full, QDInt8, QBInt4, Fp32, Fp32},
    {full, QDInt8, QBInt4, Fp32, Fp16},
    {batches, Fp32, Fp32, Invalid, Fp32},
    {batches, Fp16, Fp16, Invalid, Fp16},
    {batches, QDInt8, QCInt8, Invalid, Fp32},
});

class Signature {
  public:
    Signature(const Payload& from, std::size_t nodeIndex, NodeForm computedForm, bool widen)
        : payload(from),
          node(from.nodes[nodeIndex]),
          index(nodeIndex),
          form(computedForm),
          widenHalf(widen) {}

    Result<> check() const {
        if (isKnown()) {
            return {};
        }
        std::string types;
        for (const ValueIndex input : node.inputs) {
            types += (types.empty() ? "" : ", ") + (input == noValue ? "none" : datatypeName(type(input)));
        }
        for (const ValueIndex output : node.outputs) {
            types += " -> " + datatypeName(type(output));
        }
        return core::fail(
            core::ErrorCode::Unsupported, fmt::format("no support for {}", types),
            {.file = {}, .field = fmt::format("nodes[{}] ({})", index, node.facts->name), .offset = {}});
    }

  private:
    [[nodiscard]] Datatype type(ValueIndex value) const {
        return computedAs(payload.value(value).datatype, widenHalf);
    }
    [[nodiscard]] Datatype output() const { return type(node.outputs[0]); }

    [[nodiscard]] bool isKnown() const {
        if (node.facts->kind == NodeKind::Convert && form != NodeForm::Copy) {
            return isConversion();
        }
        if (form == NodeForm::ArgMaxPooling) {
            return type(node.inputs[0]) == Fp32 && output() == Fp32 && type(node.outputs[1]) == Int32;
        }
        const auto uniform = std::ranges::find(uniformForms, form, &UniformForm::form);
        return uniform == uniformForms.end() ? isProduct() : isUniform(uniform->types);
    }

    [[nodiscard]] bool isConversion() const {
        const Datatype from = type(node.inputs[0]);
        return output() == QDInt8 ? has(floats, from)
                                  : has(anyActivation, from) && has(anyActivation, output());
    }

    [[nodiscard]] bool isUniform(std::uint32_t types) const {
        const auto same = [this](ValueIndex value) { return type(value) == output(); };
        // There is a division by zero in the library's division of integers.
        const bool mayTrap = node.facts->kind == NodeKind::Divide && output() == Int32;
        return has(types, output()) && std::ranges::all_of(node.inputs, same) && !mayTrap;
    }

    [[nodiscard]] bool isProduct() const {
        const ValueIndex bias = node.inputs.size() > 2 ? node.inputs[2] : noValue;
        const bool isConstant = payload.value(node.inputs[1]).constant != 0;
        return std::ranges::any_of(products, [&](const Product& product) {
            // Filters that are computed are of what they are multiplied with.
            const bool mayVary = !has(windows, form) && product.filter == product.input;
            return has(product.forms, form) && type(node.inputs[0]) == product.input &&
                   type(node.inputs[1]) == product.filter && output() == product.output &&
                   (bias == noValue || type(bias) == product.bias) && (isConstant || mayVary);
        });
    }

    const Payload& payload;
    const PayloadNode& node;
    std::size_t index;
    NodeForm form;
    bool widenHalf;
};

}  // namespace

Result<> checkSignature(const Payload& payload, std::size_t node, NodeForm form, bool widenHalf) {
    return Signature(payload, node, form, widenHalf).check();
}

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/nodes/node_table.h"

#include "backends/xnnpack/nodes/forms.h"
#include "backends/xnnpack/nodes/scale_rules.h"

#include <xnnpack.h>

#include <array>

namespace et::backends::xnnpack {
namespace {

constexpr std::int8_t noOperation = -1;
constexpr const ScaleRule* noScales = nullptr;
constexpr bool exactInHalf = true;
constexpr bool roundsInBetween = false;

constexpr NodeKindInfo unary(NodeKind kind, std::string_view name, const NodeFormInfo& form,
                             xnn_unary_operator operation, std::string_view tracedAs, bool isExact,
                             const ScaleRule* scales = noScales) {
    return {kind,     name,   &form, 1, static_cast<std::int8_t>(operation), scales, "Unary Elementwise (",
            tracedAs, isExact};
}

constexpr NodeKindInfo binary(NodeKind kind, std::string_view name, xnn_binary_operator operation,
                              std::string_view tracedAs, bool isExact, const ScaleRule* scales = noScales) {
    return {
        kind,     name,   &binaryForm, 2, static_cast<std::int8_t>(operation), scales, "Binary Elementwise (",
        tracedAs, isExact};
}

constexpr std::array table = std::to_array<NodeKindInfo>({
    binary(NodeKind::Add, "XNNAdd", xnn_binary_add, "Add (ND)", exactInHalf, &sumScales),
    {NodeKind::FullyConnected, "XNNFullyConnected", &fullyConnectedForm, 3, noOperation, &productScales,
     "Fully Connected (", "", roundsInBetween},
    {NodeKind::Softmax, "XNNSoftmax", &softmaxForm, 1, noOperation, noScales, "Softmax (", "",
     roundsInBetween},
    unary(NodeKind::Sigmoid, "XNNSigmoid", unaryForm, xnn_unary_sigmoid, "Sigmoid (NC)", roundsInBetween),
    {NodeKind::Transpose, "XNNStaticTranspose", &transposeForm, 1, noOperation, noScales, "Transpose (", "",
     exactInHalf},
    unary(NodeKind::Clamp, "XNNClamp", unaryForm, xnn_unary_clamp, "Clamp (NC)", exactInHalf),
    {NodeKind::Convolution, "XNNConv2d", &convolutionForm, 3, noOperation, &productScales, "Convolution (",
     "", roundsInBetween},
    binary(NodeKind::Divide, "XNNDiv", xnn_binary_divide, "Divide (ND)", exactInHalf),
    {NodeKind::Resize, "XNNStaticResizeBilinear2D", &resizeForm, 1, noOperation, noScales,
     "Resize Bilinear (", "", roundsInBetween},
    {NodeKind::Pad, "XNNStaticConstantPad", &padForm, 1, noOperation, noScales, "Constant Pad (", "",
     exactInHalf},
    {NodeKind::AveragePooling, "XNNAvgPooling2d", &averagePoolingForm, 1, noOperation, noScales,
     "Average Pooling (", "", roundsInBetween},
    binary(NodeKind::Minimum, "XNNMinimum", xnn_binary_minimum, "Minimum (ND)", exactInHalf),
    {NodeKind::DepthwiseConvolution, "XNNDepthwiseConv2d", &depthwiseConvolutionForm, 3, noOperation,
     &productScales, "Convolution (", "", roundsInBetween},
    {NodeKind::MaxPooling, "XNNMaxPooling2d", &maxPoolingForm, 1, noOperation, noScales, "Max Pooling (", "",
     exactInHalf},
    binary(NodeKind::Multiply, "XNNMultiply", xnn_binary_multiply, "Multiply (ND)", exactInHalf,
           &multiplyScales),
    binary(NodeKind::Subtract, "XNNSubtract", xnn_binary_subtract, "Subtract (ND)", exactInHalf, &sumScales),
    unary(NodeKind::Floor, "XNNFloor", unaryForm, xnn_unary_floor, "Floor (NC)", exactInHalf),
    {NodeKind::Convert, "XNNConvert", &convertForm, 1, xnn_unary_convert, &requantizeScales,
     "Convert (|Unary Elementwise (", "Convert (NC)", exactInHalf},
    {NodeKind::GlobalAveragePooling, "XNNGlobalAvgPooling2d", &globalAveragePoolingForm, 1, noOperation,
     noScales, "Mean (", "", roundsInBetween},
    {NodeKind::Reshape, "XNNStaticReshape", &reshapeForm, 1, noOperation, noScales, "Copy (",
     "Static Reshape (NC)", exactInHalf},
    {NodeKind::ArgMaxPooling, "XNNArgMaxPooling2d", &argMaxPoolingForm, 1, noOperation, noScales,
     "ArgMax Pooling (", "", roundsInBetween},
    unary(NodeKind::SquareRoot, "XNNSquareRoot", unaryForm, xnn_unary_square_root, "Square Root (NC)",
          roundsInBetween),
    unary(NodeKind::Ceiling, "XNNCeiling", unaryForm, xnn_unary_ceiling, "Ceiling (NC)", exactInHalf),
    unary(NodeKind::HardSwish, "XNNHardswish", unaryForm, xnn_unary_hardswish, "HardSwish (NC)",
          roundsInBetween),
    unary(NodeKind::LeakyRelu, "XNNLeakyReLU", unaryNumberForm, xnn_unary_leaky_relu, "Leaky ReLU (NC)",
          roundsInBetween, &requantizeScales),
    binary(NodeKind::Maximum, "XNNMaximum", xnn_binary_maximum, "Maximum (ND)", exactInHalf),
    unary(NodeKind::Negate, "XNNNegate", unaryForm, xnn_unary_negate, "Negate (NC)", exactInHalf),
    unary(NodeKind::Square, "XNNSquare", unaryForm, xnn_unary_square, "Square (NC)", exactInHalf),
    unary(NodeKind::Elu, "XNNELU", unaryNumberForm, xnn_unary_elu, "ELU (NC)", roundsInBetween),
    unary(NodeKind::Abs, "XNNAbs", unaryForm, xnn_unary_abs, "Abs (NC)", exactInHalf),
    binary(NodeKind::PRelu, "XNNPReLU", xnn_binary_prelu, "PReLU (ND)", exactInHalf),
    {NodeKind::Concatenate2, "XNNConcatenate2", &concatenateForm, 2, noOperation, noScales, "Copy (", "",
     exactInHalf},
    {NodeKind::Concatenate3, "XNNConcatenate3", &concatenateForm, 3, noOperation, noScales, "Copy (", "",
     exactInHalf},
    {NodeKind::Concatenate4, "XNNConcatenate4", &concatenateForm, 4, noOperation, noScales, "Copy (", "",
     exactInHalf},
    {NodeKind::Slice, "XNNStaticSlice", &sliceForm, 1, noOperation, noScales, "Slice (", "", exactInHalf},
    {NodeKind::Attention, "XNNScaledDotProductAttention", &attentionForm, 5, noOperation, noScales,
     "Scaled Dot-Product Attention (", "", roundsInBetween},
    {NodeKind::BatchMatrixMultiply, "XNNBatchMatrixMultiply", &batchMatrixMultiplyForm, 2, noOperation,
     noScales, "Batch Matrix Multiply (", "", roundsInBetween},
    {NodeKind::Concatenate5, "XNNConcatenate5", &concatenateForm, 5, noOperation, noScales, "Copy (", "",
     exactInHalf},
    {NodeKind::TransposedConvolution, "XNNConvTranspose2d", &transposedConvolutionForm, 3, noOperation,
     &productScales, "Deconvolution (", "", roundsInBetween},
    unary(NodeKind::ReciprocalSquareRoot, "XNNReciprocalSquareRoot", unaryForm,
          xnn_unary_reciprocal_square_root, "Reciprocal Square Root (NC)", roundsInBetween),
    unary(NodeKind::Log, "XNNLog", unaryForm, xnn_unary_log, "Log (NC)", roundsInBetween),
    unary(NodeKind::Gelu, "XNNGelu", unaryForm, xnn_unary_gelu, "GELU (NC)", roundsInBetween),
    unary(NodeKind::Tanh, "XNNTanh", unaryForm, xnn_unary_tanh, "TanH (NC)", roundsInBetween),
    unary(NodeKind::Exp, "XNNExp", unaryForm, xnn_unary_exp, "Exp (NC)", roundsInBetween),
    unary(NodeKind::Sine, "XNNSin", unaryForm, xnn_unary_sine, "Sine (NC)", roundsInBetween),
    {NodeKind::Copy, "XNNCopy", &copyForm, 1, noOperation, noScales, "Copy (", "", exactInHalf},
    unary(NodeKind::Cosine, "XNNCos", unaryForm, xnn_unary_cosine, "Cosine (NC)", roundsInBetween),
});

consteval bool inOrder() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table[i].kind) != i + 1) {
            return false;
        }
    }
    return true;
}
static_assert(inOrder());

}  // namespace

std::span<const NodeKindInfo> nodeKinds() {
    return table;
}

const NodeKindInfo* nodeKind(std::uint8_t number) {
    return number == 0 || number > table.size() ? nullptr : &table[number - 1U];
}

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/nodes/node_kinds.h"

#include <xnnpack.h>

#include <array>

namespace et::backends::xnnpack {
namespace {

constexpr std::int8_t none = -1;

constexpr std::array table = std::to_array<NodeKindFacts>({
    {NodeKind::Add, "XNNAdd", NodeForm::Binary, 2, 0, xnn_binary_add, "Binary Elementwise (", "Add (ND)",
     true},
    {NodeKind::FullyConnected, "XNNFullyConnected", NodeForm::FullyConnected, 3, XNN_FLAG_TRANSPOSE_WEIGHTS,
     none, "Fully Connected (", ""},
    {NodeKind::Softmax, "XNNSoftmax", NodeForm::Softmax, 1, 0, none, "Softmax (", ""},
    {NodeKind::Sigmoid, "XNNSigmoid", NodeForm::Unary, 1, 0, xnn_unary_sigmoid, "Unary Elementwise (",
     "Sigmoid (NC)"},
    {NodeKind::Transpose, "XNNStaticTranspose", NodeForm::Transpose, 1, 0, none, "Transpose (", "", true},
    {NodeKind::Clamp, "XNNClamp", NodeForm::Unary, 1, 0, xnn_unary_clamp, "Unary Elementwise (", "Clamp (NC)",
     true},
    {NodeKind::Convolution, "XNNConv2d", NodeForm::Convolution, 3, 0, none, "Convolution (", ""},
    {NodeKind::Divide, "XNNDiv", NodeForm::Binary, 2, 0, xnn_binary_divide, "Binary Elementwise (",
     "Divide (ND)", true},
    {NodeKind::Resize, "XNNStaticResizeBilinear2D", NodeForm::Resize, 1,
     XNN_FLAG_TENSORFLOW_LEGACY_MODE | XNN_FLAG_ALIGN_CORNERS, none, "Resize Bilinear (", ""},
    {NodeKind::Pad, "XNNStaticConstantPad", NodeForm::Pad, 1, 0, none, "Constant Pad (", "", true},
    {NodeKind::AveragePooling, "XNNAvgPooling2d", NodeForm::AveragePooling, 1, XNN_FLAG_KEEP_DIMS, none,
     "Average Pooling (", ""},
    {NodeKind::Minimum, "XNNMinimum", NodeForm::Binary, 2, 0, xnn_binary_minimum, "Binary Elementwise (",
     "Minimum (ND)", true},
    {NodeKind::DepthwiseConvolution, "XNNDepthwiseConv2d", NodeForm::DepthwiseConvolution, 3,
     XNN_FLAG_DEPTHWISE_CONVOLUTION, none, "Convolution (", ""},
    {NodeKind::MaxPooling, "XNNMaxPooling2d", NodeForm::MaxPooling, 1, XNN_FLAG_KEEP_DIMS, none,
     "Max Pooling (", "", true},
    {NodeKind::Multiply, "XNNMultiply", NodeForm::Binary, 2, 0, xnn_binary_multiply, "Binary Elementwise (",
     "Multiply (ND)", true},
    {NodeKind::Subtract, "XNNSubtract", NodeForm::Binary, 2, 0, xnn_binary_subtract, "Binary Elementwise (",
     "Subtract (ND)", true},
    {NodeKind::Floor, "XNNFloor", NodeForm::Unary, 1, 0, xnn_unary_floor, "Unary Elementwise (", "Floor (NC)",
     true},
    {NodeKind::Convert, "XNNConvert", NodeForm::Unary, 1, 0, xnn_unary_convert,
     "Convert (|Unary Elementwise (", "Convert (NC)", true},
    {NodeKind::GlobalAveragePooling, "XNNGlobalAvgPooling2d", NodeForm::GlobalAveragePooling, 1,
     XNN_FLAG_KEEP_DIMS, none, "Mean (", ""},
    {NodeKind::Reshape, "XNNStaticReshape", NodeForm::Reshape, 1, 0, none, "Copy (", "Static Reshape (NC)",
     true},
    {NodeKind::ArgMaxPooling, "XNNArgMaxPooling2d", NodeForm::ArgMaxPooling, 1, 0, none, "ArgMax Pooling (",
     ""},
    {NodeKind::SquareRoot, "XNNSquareRoot", NodeForm::Unary, 1, 0, xnn_unary_square_root,
     "Unary Elementwise (", "Square Root (NC)"},
    {NodeKind::Ceiling, "XNNCeiling", NodeForm::Unary, 1, 0, xnn_unary_ceiling, "Unary Elementwise (",
     "Ceiling (NC)", true},
    {NodeKind::HardSwish, "XNNHardswish", NodeForm::Unary, 1, 0, xnn_unary_hardswish, "Unary Elementwise (",
     "HardSwish (NC)"},
    {NodeKind::LeakyRelu, "XNNLeakyReLU", NodeForm::UnaryNumber, 1, 0, xnn_unary_leaky_relu,
     "Unary Elementwise (", "Leaky ReLU (NC)"},
    {NodeKind::Maximum, "XNNMaximum", NodeForm::Binary, 2, 0, xnn_binary_maximum, "Binary Elementwise (",
     "Maximum (ND)", true},
    {NodeKind::Negate, "XNNNegate", NodeForm::Unary, 1, 0, xnn_unary_negate, "Unary Elementwise (",
     "Negate (NC)", true},
    {NodeKind::Square, "XNNSquare", NodeForm::Unary, 1, 0, xnn_unary_square, "Unary Elementwise (",
     "Square (NC)", true},
    {NodeKind::Elu, "XNNELU", NodeForm::UnaryNumber, 1, 0, xnn_unary_elu, "Unary Elementwise (", "ELU (NC)"},
    {NodeKind::Abs, "XNNAbs", NodeForm::Unary, 1, 0, xnn_unary_abs, "Unary Elementwise (", "Abs (NC)", true},
    {NodeKind::PRelu, "XNNPReLU", NodeForm::Binary, 2, 0, xnn_binary_prelu, "Binary Elementwise (",
     "PReLU (ND)", true},
    {NodeKind::Concatenate2, "XNNConcatenate2", NodeForm::Concatenate, 2, 0, none, "Copy (", "", true},
    {NodeKind::Concatenate3, "XNNConcatenate3", NodeForm::Concatenate, 3, 0, none, "Copy (", "", true},
    {NodeKind::Concatenate4, "XNNConcatenate4", NodeForm::Concatenate, 4, 0, none, "Copy (", "", true},
    {NodeKind::Slice, "XNNStaticSlice", NodeForm::Slice, 1, 0, none, "Slice (", "", true},
    {NodeKind::Attention, "XNNScaledDotProductAttention", NodeForm::Attention, 5, 0, none,
     "Scaled Dot-Product Attention (", ""},
    {NodeKind::BatchMatrixMultiply, "XNNBatchMatrixMultiply", NodeForm::BatchMatrixMultiply, 2,
     XNN_FLAG_TRANSPOSE_B, none, "Batch Matrix Multiply (", ""},
    {NodeKind::Concatenate5, "XNNConcatenate5", NodeForm::Concatenate, 5, 0, none, "Copy (", "", true},
    {NodeKind::TransposedConvolution, "XNNConvTranspose2d", NodeForm::TransposedConvolution, 3, 0, none,
     "Deconvolution (", ""},
    {NodeKind::ReciprocalSquareRoot, "XNNReciprocalSquareRoot", NodeForm::Unary, 1, 0,
     xnn_unary_reciprocal_square_root, "Unary Elementwise (", "Reciprocal Square Root (NC)"},
    {NodeKind::Log, "XNNLog", NodeForm::Unary, 1, 0, xnn_unary_log, "Unary Elementwise (", "Log (NC)"},
    {NodeKind::Gelu, "XNNGelu", NodeForm::Unary, 1, 0, xnn_unary_gelu, "Unary Elementwise (", "GELU (NC)"},
    {NodeKind::Tanh, "XNNTanh", NodeForm::Unary, 1, 0, xnn_unary_tanh, "Unary Elementwise (", "TanH (NC)"},
    {NodeKind::Exp, "XNNExp", NodeForm::Unary, 1, 0, xnn_unary_exp, "Unary Elementwise (", "Exp (NC)"},
    {NodeKind::Sine, "XNNSin", NodeForm::Unary, 1, 0, xnn_unary_sine, "Unary Elementwise (", "Sine (NC)"},
    {NodeKind::Copy, "XNNCopy", NodeForm::Copy, 1, 0, none, "Copy (", "", true},
    {NodeKind::Cosine, "XNNCos", NodeForm::Unary, 1, 0, xnn_unary_cosine, "Unary Elementwise (",
     "Cosine (NC)"},
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

std::span<const NodeKindFacts> nodeKinds() {
    return table;
}

const NodeKindFacts* nodeKind(std::uint8_t number) {
    return number == 0 || number > table.size() ? nullptr : &table[number - 1U];
}

}  // namespace et::backends::xnnpack

#include "backends/reference/operators.h"

// Operators of the Cadence and Cortex-M dialects: one runtime kernel each, named after its out variant.
// Argument names: backends/cadence/aot/ops_registrations.py and backends/cortex_m/ops/operators.py of
// ExecuTorch.
namespace et::backends::reference {
namespace {

constexpr std::string_view quantizing = "input scale zero_point quant_min quant_max dtype";
constexpr std::string_view linear =
    "src weight bias src_zero_point weight_zero_point out_multiplier out_shift out_zero_point offset=None";
constexpr std::string_view acceleratedMatmul =
    "X X_zero_point Y Y_zero_point bias out_multiplier out_shift out_zero_point transposed=False";
constexpr std::string_view binary = "X X_scale X_zero_point Y Y_scale Y_zero_point out_scale out_zero_point";
constexpr std::string_view withScalar = "X X_scale X_zero_point Y out_scale out_zero_point";
constexpr std::string_view relu = "X X_zero_point out_zero_point out_multiplier out_shift";
constexpr std::string_view floatConvolution = "input weight bias stride padding dilation groups";
constexpr std::string_view acceleratedConvolution =
    "input weight bias stride padding dilation groups input_zero_point weight_zero_point bias_scale "
    "out_scale "
    "out_zero_point out_multiplier out_shift";
constexpr std::string_view offsetConvolution =
    "input weight bias stride padding dilation groups input_zero_point weight_zero_point bias_scale "
    "out_scale "
    "out_zero_point out_multiplier out_shift offset=None";
constexpr std::string_view requantize = "input in_scale in_zero_point out_scale out_zero_point out_dtype";
constexpr std::string_view acceleratedSoftmax =
    "input mask dim mask_type pos in_scale in_zero_point out_scale out_zero_point";
constexpr std::string_view acceleratedLayerNorm =
    "X X_scale X_zero_point normalized_shape weight bias eps output_scale output_zero_point";
constexpr std::string_view rope = "input sin_tensor cos_tensor pos";
constexpr std::string_view im2row =
    "input kernel_size dilation padding stride in_zero_point channel_last=False";
constexpr std::string_view acceleratedMaxPool = "input kernel_size stride padding dilation ceil_mode";
constexpr std::string_view transfer = "src task_num=0 channel=0";

constexpr std::string_view armConvolution =
    "input weight bias stride padding dilation input_offset output_offset requantize_multipliers "
    "requantize_shifts activation_min activation_max scratch=None";
constexpr std::string_view armDepthwise =
    "input weight bias stride padding dilation depth_multiplier input_offset output_offset "
    "requantize_multipliers requantize_shifts activation_min activation_max scratch=None";
constexpr std::string_view armTransposed =
    "input weight bias stride padding output_padding dilation input_offset output_offset "
    "requantize_multipliers requantize_shifts activation_min activation_max scratch=None output_scratch=None";
constexpr std::string_view armMaxPool =
    "input kernel_size stride padding dilation ceil_mode input_zero_point output_zero_point activation_min "
    "activation_max";
constexpr std::string_view armAvgPool =
    "input kernel_size stride padding ceil_mode zero_point multiplier shift scratch=None";

constexpr Operator acceleratorOperatorsRows[] = {
    {"cadence.quantize_per_tensor.default", quantizing, "cadence::quantize_per_tensor.out"},
    {"cadence.quantize_per_tensor_asym8s.default", quantizing, "cadence::quantize_per_tensor_asym8s.out"},
    {"cadence.quantize_per_tensor_asym8u.default", quantizing, "cadence::quantize_per_tensor_asym8u.out"},
    {"cadence.quantize_per_tensor_asym16s.default", quantizing, "cadence::quantize_per_tensor_asym16s.out"},
    {"cadence.quantize_per_tensor_asym16u.default", quantizing, "cadence::quantize_per_tensor_asym16u.out"},
    {"cadence.quantize_per_tensor_asym32s.default", quantizing, "cadence::quantize_per_tensor_asym32s.out"},
    {"cadence.dequantize_per_tensor.default", quantizing, "cadence::dequantize_per_tensor.out"},
    {"cadence.dequantize_per_tensor_asym8s.default", quantizing, "cadence::dequantize_per_tensor_asym8s.out"},
    {"cadence.dequantize_per_tensor_asym8u.default", quantizing, "cadence::dequantize_per_tensor_asym8u.out"},
    {"cadence.dequantize_per_tensor_asym16s.default", quantizing,
     "cadence::dequantize_per_tensor_asym16s.out"},
    {"cadence.dequantize_per_tensor_asym16u.default", quantizing,
     "cadence::dequantize_per_tensor_asym16u.out"},
    {"cadence.dequantize_per_tensor_asym32s.default", quantizing,
     "cadence::dequantize_per_tensor_asym32s.out"},
    {"cadence.requantize.default", requantize, "cadence::requantize.out"},
    {"cadence.requantize.per_tensor", requantize, "cadence::requantize.per_tensor_out"},
    {"cadence.quantized_linear.default", linear, "cadence::quantized_linear.out"},
    {"cadence.quantized_linear.per_tensor", linear, "cadence::quantized_linear.per_tensor_out"},
    {"cadence.quantized_linear_asym8sxasym8s_asym8s.per_tensor", linear,
     "cadence::quantized_linear_asym8sxasym8s_asym8s.per_tensor_out"},
    {"cadence.quantized_linear_asym8uxasym8u_asym8u.per_tensor", linear,
     "cadence::quantized_linear_asym8uxasym8u_asym8u.per_tensor_out"},
    {"cadence.quantized_fully_connected.default", linear, "cadence::quantized_fully_connected.out"},
    {"cadence.quantized_fully_connected.per_tensor", linear,
     "cadence::quantized_fully_connected.per_tensor_out"},
    {"cadence.quantized_fully_connected_asym8sxasym8s_asym8s.per_tensor", linear,
     "cadence::quantized_fully_connected_asym8sxasym8s_asym8s.per_tensor_out"},
    {"cadence.quantized_fully_connected_asym8uxasym8u_asym8u.per_tensor", linear,
     "cadence::quantized_fully_connected_asym8uxasym8u_asym8u.per_tensor_out"},
    {"cadence.quantized_matmul.default", acceleratedMatmul, "cadence::quantized_matmul.out"},
    {"cadence.quantized_matmul_asym8sxasym8s_asym8s.default", acceleratedMatmul,
     "cadence::quantized_matmul_asym8sxasym8s_asym8s.out"},
    {"cadence.quantized_matmul_asym8uxasym8u_asym8u.default", acceleratedMatmul,
     "cadence::quantized_matmul_asym8uxasym8u_asym8u.out"},
    {"cadence.fully_connected.default", "input weight bias=None", "cadence::fully_connected.out"},
    {"cadence.quantized_w8a32_linear.default", "input weight w_scale bias b_scale",
     "cadence::quantized_w8a32_linear.out"},
    {"cadence.quantized_w8a32_conv.default", "input weight w_scale bias b_scale",
     "cadence::quantized_w8a32_conv.out"},
    {"cadence.quantized_add.default", binary, "cadence::quantized_add.out"},
    {"cadence.quantized_add.per_tensor", binary, "cadence::quantized_add.per_tensor_out"},
    {"cadence.quantized_add_asym8sxasym8s_asym8s.per_tensor", binary,
     "cadence::quantized_add_asym8sxasym8s_asym8s.per_tensor_out"},
    {"cadence.quantized_add_asym8uxasym8u_asym8u.per_tensor", binary,
     "cadence::quantized_add_asym8uxasym8u_asym8u.per_tensor_out"},
    {"cadence.quantized_mul.default", binary, "cadence::quantized_mul.out"},
    {"cadence.quantized_mul.per_tensor", binary, "cadence::quantized_mul.per_tensor_out"},
    {"cadence.quantized_add_Scalar.default", withScalar, "cadence::quantized_add_Scalar.out"},
    {"cadence.quantized_mul_Scalar.default", withScalar, "cadence::quantized_mul_Scalar.out"},
    {"cadence.quantized_relu.default", relu, "cadence::quantized_relu.out"},
    {"cadence.quantized_relu.per_tensor", relu, "cadence::quantized_relu.per_tensor_out"},
    {"cadence.quantized_relu_asym8s_asym8s.per_tensor", relu,
     "cadence::quantized_relu_asym8s_asym8s.per_tensor_out"},
    {"cadence.quantized_relu_asym8u_asym8u.per_tensor", relu,
     "cadence::quantized_relu_asym8u_asym8u.per_tensor_out"},
    {"cadence.where_Scalar.default", "condition self other", "cadence::where_Scalar.out"},
    {"cadence.conv1d.default", floatConvolution, "cadence::conv1d.out"},
    {"cadence.conv2d.default", floatConvolution, "cadence::conv2d.out"},
    {"cadence.conv3d.default", floatConvolution, "cadence::conv3d.out"},
    {"cadence.convolution.default", "input weight bias stride padding dilation groups channel_last=False",
     "cadence::convolution.out"},
    {"cadence.transposed_convolution.default",
     "input weight bias stride padding dilation output_padding groups channel_last=False",
     "cadence::transposed_convolution.out"},
    {"cadence.quantized_transposed_conv.default",
     "input weight bias stride padding dilation output_padding groups input_zero_point weight_zero_point "
     "bias_scale out_scale out_zero_point out_multiplier out_shift channel_last=False",
     "cadence::quantized_transposed_conv.out"},
    {"cadence.quantized_conv2d_nchw.default", acceleratedConvolution, "cadence::quantized_conv2d_nchw.out"},
    {"cadence.quantized_conv2d_nhwc.default", acceleratedConvolution, "cadence::quantized_conv2d_nhwc.out"},
    {"cadence.quantized_conv2d_nchw.per_tensor", offsetConvolution,
     "cadence::quantized_conv2d_nchw.per_tensor_out"},
    {"cadence.quantized_conv2d_nhwc.per_tensor", offsetConvolution,
     "cadence::quantized_conv2d_nhwc.per_tensor_out"},
    {"cadence.quantized_conv_nchw.default", acceleratedConvolution, "cadence::quantized_conv_nchw.out"},
    {"cadence.quantized_conv_nhwc.default", acceleratedConvolution, "cadence::quantized_conv_nhwc.out"},
    {"cadence.quantized_conv_nchw.per_tensor", acceleratedConvolution,
     "cadence::quantized_conv_nchw.per_tensor_out"},
    {"cadence.quantized_conv_nhwc.per_tensor", acceleratedConvolution,
     "cadence::quantized_conv_nhwc.per_tensor_out"},
    {"cadence.quantized_conv1d_ncl.default", acceleratedConvolution, "cadence::quantized_conv1d_ncl.out"},
    {"cadence.quantized_conv1d_nlc.default", acceleratedConvolution, "cadence::quantized_conv1d_nlc.out"},
    {"cadence.quantized_conv1d_ncl.per_tensor", acceleratedConvolution,
     "cadence::quantized_conv1d_ncl.per_tensor_out"},
    {"cadence.quantized_conv1d_nlc.per_tensor", acceleratedConvolution,
     "cadence::quantized_conv1d_nlc.per_tensor_out"},
    {"cadence.quantized_depthwise_conv1d_ncl.per_tensor", acceleratedConvolution,
     "cadence::quantized_depthwise_conv1d_ncl.per_tensor_out"},
    {"cadence.quantized_depthwise_conv1d_nlc.per_tensor", acceleratedConvolution,
     "cadence::quantized_depthwise_conv1d_nlc.per_tensor_out"},
    {"cadence._softmax_f32_f32.default", "self dim half_to_float=None", "cadence::_softmax_f32_f32.out"},
    {"cadence.quantized_softmax.default", acceleratedSoftmax, "cadence::quantized_softmax.out"},
    {"cadence.quantized_softmax.per_tensor", acceleratedSoftmax, "cadence::quantized_softmax.per_tensor_out"},
    {"cadence.quantized_layer_norm.default", acceleratedLayerNorm, "cadence::quantized_layer_norm.out"},
    {"cadence.quantized_layer_norm.per_tensor", acceleratedLayerNorm,
     "cadence::quantized_layer_norm.per_tensor_out"},
    {"cadence.rms_norm.default", "X normalized_shape W eps", "cadence::rms_norm.out"},
    {"cadence.rope.default", rope, "cadence::rope.out"},
    {"cadence.rope_rotate_stacked_halves.default", rope, "cadence::rope_rotate_stacked_halves.out"},
    {"cadence.quantized_embedding_byte.default",
     "weight weight_scales weight_zero_points indices pruned_weights=False",
     "cadence::quantized_embedding_byte.out"},
    {"cadence.quantized_max_pool2d_nchw.default", acceleratedMaxPool,
     "cadence::quantized_max_pool2d_nchw.out"},
    {"cadence.quantized_max_pool2d_nhwc.default", acceleratedMaxPool,
     "cadence::quantized_max_pool2d_nhwc.out"},
    {"cadence.avg_pool2d.default",
     "input kernel_size stride=[] padding=[0] ceil_mode=False count_include_pad=True divisor_override=None "
     "in_zero_point=None channel_last=False",
     "cadence::avg_pool2d.out"},
    {"cadence.im2row.default", im2row, "cadence::im2row.out"},
    {"cadence.im2row.per_tensor", im2row, "cadence::im2row.per_tensor_out"},
    {"cadence.transposed_im2row.default",
     "input kernel_size dilation padding stride output_padding in_zero_point channel_last=False",
     "cadence::transposed_im2row.out"},
    {"cadence.idma_copy.default", transfer, "cadence::idma_copy.out"},
    {"cadence.idma_load.default", transfer, "cadence::idma_load.out"},
    {"cadence.idma_store.default", transfer, "cadence::idma_store.out"},
    {"cadence.idma_wait.default", "src task_num=0", "cadence::idma_wait.out"},

    {"cortex_m.quantize_per_tensor.default", quantizing, "cortex_m::quantize_per_tensor.out"},
    {"cortex_m.dequantize_per_tensor.default", quantizing, "cortex_m::dequantize_per_tensor.out"},
    {"cortex_m.quantized_add.default",
     "self self_zero_point self_multiplier self_shift other other_zero_point other_multiplier other_shift "
     "output_zero_point output_multiplier output_shift activation_min=-128 activation_max=127",
     "cortex_m::quantized_add.out"},
    {"cortex_m.quantized_mul.default",
     "self self_zero_point other other_zero_point output_zero_point output_multiplier output_shift",
     "cortex_m::quantized_mul.out"},
    {"cortex_m.quantized_div.default",
     "input1 input1_zero_point input2 input2_zero_point output_zero_point output_multiplier output_shift",
     "cortex_m::quantized_div.out"},
    {"cortex_m.minimum.default", "self other", "cortex_m::minimum.out"},
    {"cortex_m.maximum.default", "self other", "cortex_m::maximum.out"},
    {"cortex_m.quantized_activation.default", "input lut", "cortex_m::quantized_activation.out"},
    {"cortex_m.softmax.default",
     "input dim input_zero_point output_zero_point input_multiplier input_shift diff_min",
     "cortex_m::softmax.out"},
    {"cortex_m.quantized_linear.default",
     "input weights bias kernel_sum input_offset filter_offset output_offset requantize_multipliers "
     "requantize_shifts activation_max activation_min",
     "cortex_m::quantized_linear.out"},
    {"cortex_m.quantized_batch_matmul.default",
     "lhs lhs_offset rhs_transposed rhs_offset output_offset output_multiplier output_shift scratch=None",
     "cortex_m::quantized_batch_matmul.out"},
    {"cortex_m.quantized_conv2d.default", armConvolution, "cortex_m::quantized_conv2d.out"},
    {"cortex_m.quantized_conv2d_nhwc.default", armConvolution, "cortex_m::quantized_conv2d_nhwc.out"},
    {"cortex_m.quantized_depthwise_conv2d.default", armDepthwise, "cortex_m::quantized_depthwise_conv2d.out"},
    {"cortex_m.quantized_depthwise_conv2d_nhwc.default", armDepthwise,
     "cortex_m::quantized_depthwise_conv2d_nhwc.out"},
    {"cortex_m.quantized_transpose_conv2d.default", armTransposed,
     "cortex_m::quantized_transpose_conv2d.out"},
    {"cortex_m.quantized_transpose_conv2d_nhwc.default", armTransposed,
     "cortex_m::quantized_transpose_conv2d_nhwc.out"},
    {"cortex_m.quantized_max_pool2d.default", armMaxPool, "cortex_m::quantized_max_pool2d.out"},
    {"cortex_m.quantized_max_pool2d_nhwc.default", armMaxPool, "cortex_m::quantized_max_pool2d_nhwc.out"},
    {"cortex_m.quantized_avg_pool2d.default", armAvgPool, "cortex_m::quantized_avg_pool2d.out"},
    {"cortex_m.quantized_avg_pool2d_nhwc.default", armAvgPool, "cortex_m::quantized_avg_pool2d_nhwc.out"},
    {"cortex_m.pad.default", "input pre_pad post_pad pad_value", "cortex_m::pad.out"},
    {"cortex_m.pad_nhwc.default", "input pre_pad post_pad pad_value", "cortex_m::pad_nhwc.out"},
    {"cortex_m.transpose.default", "input perm", "cortex_m::transpose.out"},
};

}  // namespace

std::span<const Operator> acceleratorOperators() {
    return acceleratorOperatorsRows;
}

}  // namespace et::backends::reference

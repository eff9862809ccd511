#include "runtime/kernels/schemas/rows.h"

#include <algorithm>

// Argument names of Cadence and Cortex-M: backends/cadence/aot/ops_registrations.py and
// backends/cortex_m/ops/operators.py of ExecuTorch. Of torchao: its torchao/csrc_meta_ops.py and
// torchao/quantization/quant_primitives.py, and ExecuTorch's extension/llm/export.
namespace et::kernels::schemas {
namespace {

constexpr std::string_view quantizing = "input scale zero_point quant_min quant_max dtype";
constexpr std::string_view dequantizing = "input scale zero_point quant_min quant_max dtype out_dtype=None";
constexpr std::string_view embedding =
    "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices";
constexpr std::string_view embeddingDtype =
    "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices dtype=None";

constexpr std::string_view acceleratedLinear =
    "src weight bias src_zero_point weight_zero_point out_multiplier out_shift out_zero_point offset=None";
constexpr std::string_view acceleratedMatmul =
    "X X_zero_point Y Y_zero_point bias out_multiplier out_shift out_zero_point transposed=False";
constexpr std::string_view acceleratedBinary =
    "X X_scale X_zero_point Y Y_scale Y_zero_point out_scale out_zero_point";
constexpr std::string_view acceleratedScalar = "X X_scale X_zero_point Y out_scale out_zero_point";
constexpr std::string_view acceleratedRelu = "X X_zero_point out_zero_point out_multiplier out_shift";
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

constexpr std::string_view lowBitLinear = "activations packed_weights group_size n k";
constexpr std::string_view lowBitEmbedding =
    "packed_weight_qvals num_embeddings embedding_dim weight_scales weight_zeros indices";
constexpr std::string_view sharedEmbedding = "packed_weights group_size n k indices";

constexpr OperatorSchema librariesRows[] = {
    {"cadence::_softmax_f32_f32.out", "self dim half_to_float=None"},
    {"cadence::avg_pool2d.out",
     "input kernel_size stride=[] padding=[0] ceil_mode=False count_include_pad=True divisor_override=None "
     "in_zero_point=None channel_last=False"},
    {"cadence::conv1d.out", floatConvolution},
    {"cadence::conv2d.out", floatConvolution},
    {"cadence::conv3d.out", floatConvolution},
    {"cadence::convolution.out", "input weight bias stride padding dilation groups channel_last=False"},
    {"cadence::dequantize_per_tensor.out", quantizing, Cost::ElementWise},
    {"cadence::dequantize_per_tensor_asym16s.out", quantizing},
    {"cadence::dequantize_per_tensor_asym16u.out", quantizing},
    {"cadence::dequantize_per_tensor_asym32s.out", quantizing},
    {"cadence::dequantize_per_tensor_asym8s.out", quantizing},
    {"cadence::dequantize_per_tensor_asym8u.out", quantizing},
    {"cadence::fully_connected.out", "input weight bias=None"},
    {"cadence::idma_copy.out", transfer},
    {"cadence::idma_load.out", transfer},
    {"cadence::idma_store.out", transfer},
    {"cadence::idma_wait.out", "src task_num=0"},
    {"cadence::im2row.out", im2row},
    {"cadence::im2row.per_tensor_out", im2row},
    {"cadence::quantize_per_tensor.out", quantizing, Cost::ElementWise},
    {"cadence::quantize_per_tensor_asym16s.out", quantizing},
    {"cadence::quantize_per_tensor_asym16u.out", quantizing},
    {"cadence::quantize_per_tensor_asym32s.out", quantizing},
    {"cadence::quantize_per_tensor_asym8s.out", quantizing},
    {"cadence::quantize_per_tensor_asym8u.out", quantizing},
    {"cadence::quantized_add.out", acceleratedBinary},
    {"cadence::quantized_add.per_tensor_out", acceleratedBinary},
    {"cadence::quantized_add_Scalar.out", acceleratedScalar},
    {"cadence::quantized_add_asym8sxasym8s_asym8s.per_tensor_out", acceleratedBinary},
    {"cadence::quantized_add_asym8uxasym8u_asym8u.per_tensor_out", acceleratedBinary},
    {"cadence::quantized_conv1d_ncl.out", acceleratedConvolution},
    {"cadence::quantized_conv1d_ncl.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv1d_ncl_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv1d_ncl_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv1d_nlc.out", acceleratedConvolution},
    {"cadence::quantized_conv1d_nlc.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv1d_nlc_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv1d_nlc_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_depthwise_nhwc.out", acceleratedConvolution},
    {"cadence::quantized_conv2d_depthwise_nhwc.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw.out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw.per_tensor_out", offsetConvolution},
    {"cadence::quantized_conv2d_nchw_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw_depthwise_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw_depthwise_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw_dilated_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nchw_dilated_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc.out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc.per_tensor_out", offsetConvolution},
    {"cadence::quantized_conv2d_nhwc_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc_depthwise_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc_depthwise_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc_dilated_asym8sxsym8s_asym8s.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv2d_nhwc_dilated_asym8uxsym8u_asym8u.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv_nchw.out", acceleratedConvolution},
    {"cadence::quantized_conv_nchw.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_conv_nhwc.out", acceleratedConvolution},
    {"cadence::quantized_conv_nhwc.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_depthwise_conv1d_ncl.out", acceleratedConvolution},
    {"cadence::quantized_depthwise_conv1d_ncl.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_depthwise_conv1d_nlc.out", acceleratedConvolution},
    {"cadence::quantized_depthwise_conv1d_nlc.per_tensor_out", acceleratedConvolution},
    {"cadence::quantized_embedding_byte.out",
     "weight weight_scales weight_zero_points indices pruned_weights=False"},
    {"cadence::quantized_fully_connected.out", acceleratedLinear},
    {"cadence::quantized_fully_connected.per_tensor_out", acceleratedLinear},
    {"cadence::quantized_fully_connected_asym8sxasym8s_asym8s.per_tensor_out", acceleratedLinear},
    {"cadence::quantized_fully_connected_asym8uxasym8u_asym8u.per_tensor_out", acceleratedLinear},
    {"cadence::quantized_layer_norm.out", acceleratedLayerNorm},
    {"cadence::quantized_layer_norm.per_tensor_out", acceleratedLayerNorm},
    {"cadence::quantized_linear.out", acceleratedLinear},
    {"cadence::quantized_linear.per_tensor_out", acceleratedLinear},
    {"cadence::quantized_linear_asym8sxasym8s_asym8s.per_tensor_out", acceleratedLinear},
    {"cadence::quantized_linear_asym8uxasym8u_asym8u.per_tensor_out", acceleratedLinear},
    {"cadence::quantized_matmul.out", acceleratedMatmul},
    {"cadence::quantized_matmul_asym8sxasym8s_asym8s.out", acceleratedMatmul},
    {"cadence::quantized_matmul_asym8uxasym8u_asym8u.out", acceleratedMatmul},
    {"cadence::quantized_max_pool2d_nchw.out", acceleratedMaxPool},
    {"cadence::quantized_max_pool2d_nhwc.out", acceleratedMaxPool},
    {"cadence::quantized_mul.out", acceleratedBinary},
    {"cadence::quantized_mul.per_tensor_out", acceleratedBinary},
    {"cadence::quantized_mul_Scalar.out", acceleratedScalar},
    {"cadence::quantized_mul_asym8sxasym8s_asym8s.per_tensor_out", acceleratedBinary},
    {"cadence::quantized_mul_asym8uxasym8u_asym8u.per_tensor_out", acceleratedBinary},
    {"cadence::quantized_relu.out", acceleratedRelu},
    {"cadence::quantized_relu.per_tensor_out", acceleratedRelu},
    {"cadence::quantized_relu_asym8s_asym8s.per_tensor_out", acceleratedRelu},
    {"cadence::quantized_relu_asym8u_asym8u.per_tensor_out", acceleratedRelu},
    {"cadence::quantized_softmax.out", acceleratedSoftmax},
    {"cadence::quantized_softmax.per_tensor_out", acceleratedSoftmax},
    {"cadence::quantized_transposed_conv.out",
     "input weight bias stride padding dilation output_padding groups input_zero_point weight_zero_point "
     "bias_scale out_scale out_zero_point out_multiplier out_shift channel_last=False"},
    {"cadence::quantized_w8a32_conv.out", "input weight w_scale bias b_scale"},
    {"cadence::quantized_w8a32_linear.out", "input weight w_scale bias b_scale"},
    {"cadence::requantize.out", requantize},
    {"cadence::requantize.per_tensor_out", requantize},
    {"cadence::rms_norm.out", "X normalized_shape W eps"},
    {"cadence::rope.out", rope},
    {"cadence::rope_rotate_stacked_halves.out", rope},
    {"cadence::transposed_convolution.out",
     "input weight bias stride padding dilation output_padding groups channel_last=False"},
    {"cadence::transposed_im2row.out",
     "input kernel_size dilation padding stride output_padding in_zero_point channel_last=False"},
    {"cadence::where_Scalar.out", "condition self other"},
    {"cortex_m::dequantize_per_tensor.out", quantizing, Cost::ElementWise},
    {"cortex_m::maximum.out", "self other", Cost::ElementWise},
    {"cortex_m::minimum.out", "self other", Cost::ElementWise},
    {"cortex_m::pad.out", "input pre_pad post_pad pad_value"},
    {"cortex_m::pad_nhwc.out", "input pre_pad post_pad pad_value"},
    {"cortex_m::quantize_per_tensor.out", quantizing, Cost::ElementWise},
    {"cortex_m::quantized_activation.out", "input lut"},
    {"cortex_m::quantized_add.out",
     "self self_zero_point self_multiplier self_shift other other_zero_point other_multiplier other_shift "
     "output_zero_point output_multiplier output_shift activation_min=-128 activation_max=127"},
    {"cortex_m::quantized_avg_pool2d.out", armAvgPool},
    {"cortex_m::quantized_avg_pool2d_nhwc.out", armAvgPool},
    {"cortex_m::quantized_batch_matmul.out",
     "lhs lhs_offset rhs_transposed rhs_offset output_offset output_multiplier output_shift scratch=None"},
    {"cortex_m::quantized_conv2d.out", armConvolution},
    {"cortex_m::quantized_conv2d_nhwc.out", armConvolution},
    {"cortex_m::quantized_depthwise_conv2d.out", armDepthwise},
    {"cortex_m::quantized_depthwise_conv2d_nhwc.out", armDepthwise},
    {"cortex_m::quantized_div.out",
     "input1 input1_zero_point input2 input2_zero_point output_zero_point output_multiplier output_shift"},
    {"cortex_m::quantized_linear.out",
     "input weights bias kernel_sum input_offset filter_offset output_offset requantize_multipliers "
     "requantize_shifts activation_max activation_min"},
    {"cortex_m::quantized_max_pool2d.out", armMaxPool},
    {"cortex_m::quantized_max_pool2d_nhwc.out", armMaxPool},
    {"cortex_m::quantized_mul.out",
     "self self_zero_point other other_zero_point output_zero_point output_multiplier output_shift"},
    {"cortex_m::quantized_transpose_conv2d.out", armTransposed},
    {"cortex_m::quantized_transpose_conv2d_nhwc.out", armTransposed},
    {"cortex_m::softmax.out",
     "input dim input_zero_point output_zero_point input_multiplier input_shift diff_min"},
    {"cortex_m::transpose.out", "input perm"},
    {"dim_order_ops::_clone_dim_order.out", "self non_blocking=False dim_order=None"},
    {"dim_order_ops::_empty_dim_order.out", "size dim_order=None"},
    {"dim_order_ops::_to_dim_order_copy.out", "self non_blocking=False dim_order=None"},
    {"et_copy::_d2h_copy.out", "self"},
    {"et_copy::_h2d_copy.out", "self"},
    {"executorch_prim::add.Scalar", "a b"},
    {"executorch_prim::ceil.Scalar", "a"},
    {"executorch_prim::eq.Scalar", "a b"},
    {"executorch_prim::et_copy_index.tensor", "copy_to copy_from index"},
    {"executorch_prim::et_select.default", "self dim index"},
    {"executorch_prim::et_view.default", "self size"},
    {"executorch_prim::floor.Scalar", "a"},
    {"executorch_prim::floordiv.Scalar", "a b"},
    {"executorch_prim::floordiv.int", "a b"},
    {"executorch_prim::ge.Scalar", "a b"},
    {"executorch_prim::gt.Scalar", "a b"},
    {"executorch_prim::le.Scalar", "a b"},
    {"executorch_prim::lt.Scalar", "a b"},
    {"executorch_prim::mod.Scalar", "a b"},
    {"executorch_prim::mod.int", "a b"},
    {"executorch_prim::mul.Scalar", "a b"},
    {"executorch_prim::ne.Scalar", "a b"},
    {"executorch_prim::neg.Scalar", "a"},
    {"executorch_prim::round.Scalar", "a"},
    {"executorch_prim::sub.Scalar", "a b"},
    {"executorch_prim::sym_float.Scalar", "a"},
    {"executorch_prim::sym_int.Scalar", "a"},
    {"executorch_prim::sym_ite.Scalar", "b t f"},
    {"executorch_prim::sym_max.Scalar", "a b"},
    {"executorch_prim::sym_min.Scalar", "a b"},
    {"executorch_prim::sym_not.Scalar", "a"},
    {"executorch_prim::truediv.Scalar", "a b"},
    {"executorch_prim::trunc.Scalar", "a"},
    {"kvcache::update_and_attend.out", "q k v position layer_id scale out_dtype"},
    {"llama::channelwise_gated_delta_rule.out", "query key value decay beta initial_state", Cost::DeltaRule},
    {"llama::custom_quantized_sdpa.out",
     "query key value start_pos attn_mask=None drpout_p=0.0 is_causal=False scale=None q_zero_points=None "
     "q_scales=None k_zero_points=None k_scales=None v_zero_points=None v_scales=None is_seq_at_dim_2=False"},
    {"llama::custom_sdpa.out",
     "query key value start_pos attn_mask=None drpout_p=0.0 is_causal=False scale=None"},
    {"llama::fallback.out", "self"},
    {"llama::fast_hadamard_transform.out", "mat"},
    {"llama::gated_delta_rule.out", "query key value decay beta initial_state", Cost::DeltaRule},
    {"llama::quantized_moe_ffn.out",
     "x gate_weight expert_bias packed_w13 packed_w2 num_activated_experts num_experts hidden_dim dim "
     "group_size weight_nbit score_func route_scale",
     Cost::Experts},
    {"llama::recurrent_gated_delta_rule.out", "query key value g beta recurrent_state", Cost::DeltaRule,
     noFunctional},
    {"llama::sdpa_with_kv_cache.out",
     "query key value key_cache value_cache start_pos seq_len attn_mask=None drpout_p=0.0 is_causal=False "
     "scale=None",
     Cost::Unknown, noFunctional},
    {"llama::update_cache.out", "value cache start_pos", Cost::Unknown, noFunctional},
    {"llama::update_cache_with_indices.out", "value cache start_pos indices", Cost::Unknown, noFunctional},
    {"llama::update_quantized_cache.out", "value cache start_pos", Cost::Unknown, noFunctional},
    {"preprocess::tile_crop.out", "input tile_size", Cost::Copy},
    {"quantized_decomposed::add.out",
     "a a_scale a_zero_point a_quant_min a_quant_max b b_scale b_zero_point b_quant_min b_quant_max "
     "out_scale out_zero_point out_quant_min out_quant_max",
     Cost::ElementWise},
    {"quantized_decomposed::choose_qparams.Tensor_out",
     "input quant_min quant_max eps dtype -> float64 int64", Cost::Unknown, "tensor"},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out", "input dtype -> float64 int64"},
    {"quantized_decomposed::dequantize_per_channel.out",
     "input scales zero_points axis quant_min quant_max dtype out_dtype=None"},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_args_out", dequantizing, Cost::ElementWise,
     noFunctional},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out", dequantizing, Cost::ElementWise, "tensor"},
    {"quantized_decomposed::dequantize_per_tensor.out", dequantizing, Cost::ElementWise},
    {"quantized_decomposed::dequantize_per_tensor.tensor2_out", dequantizing, Cost::ElementWise},
    {"quantized_decomposed::dequantize_per_tensor.tensor_out", dequantizing, Cost::ElementWise, noFunctional},
    {"quantized_decomposed::dequantize_per_token.out",
     "input scales zero_points quant_min quant_max dtype output_dtype"},
    {"quantized_decomposed::embedding_2bit.dtype_out", embeddingDtype},
    {"quantized_decomposed::embedding_2bit.out", embedding},
    {"quantized_decomposed::embedding_4bit.dtype_out", embeddingDtype},
    {"quantized_decomposed::embedding_4bit.out", embedding},
    {"quantized_decomposed::embedding_byte.dtype_out", embeddingDtype},
    {"quantized_decomposed::embedding_byte.out", embedding},
    {"quantized_decomposed::mixed_linear.out",
     "input weight weight_scales weight_zero_points=None dtype=None"},
    {"quantized_decomposed::mixed_mm.out", "input weight weight_scales weight_zero_points=None"},
    {"quantized_decomposed::quantize_per_channel.out",
     "input scales zero_points axis quant_min quant_max dtype"},
    {"quantized_decomposed::quantize_per_tensor.Tensor_args_out", quantizing, Cost::ElementWise,
     noFunctional},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out", quantizing, Cost::ElementWise, "tensor"},
    {"quantized_decomposed::quantize_per_tensor.out", quantizing, Cost::ElementWise},
    {"quantized_decomposed::quantize_per_tensor.tensor2_out", quantizing, Cost::ElementWise},
    {"quantized_decomposed::quantize_per_tensor.tensor_out", quantizing, Cost::ElementWise, noFunctional},
    {"quantized_decomposed::quantize_per_token.out", "input scales zero_points quant_min quant_max dtype"},
    {"torchao::_embedding_1bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_2bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_3bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_4bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_5bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_6bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_7bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_embedding_8bit.out", lowBitEmbedding, Cost::PackedRows},
    {"torchao::_linear_8bit_act_1bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_2bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_3bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_4bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_5bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_6bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_7bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_linear_8bit_act_8bit_weight.out", lowBitLinear, Cost::Product},
    {"torchao::_shared_embedding_1bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_2bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_3bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_4bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_5bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_6bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_7bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::_shared_embedding_8bit.out", sharedEmbedding, Cost::PackedRows},
    {"torchao::dequantize_affine.out",
     "input block_size scale zero_point input_dtype quant_min=None quant_max=None output_dtype=None",
     Cost::ElementWise, noFunctional},
    {"torchao::dequantize_gguf.out", "weight ggml_type output_dtype=None", Cost::ElementWise},
    {"torchao::dequantize_int4_tensor.out", "qdata scale zero_point group_size output_dtype=None",
     Cost::ElementWise},
    {"torchao::dequantize_mx.out", "qdata scale elem_dtype block_size output_dtype=None", Cost::ElementWise},
    {"torchao::dequantize_nvfp4.out", "qdata scale per_tensor_scale block_size output_dtype=None",
     Cost::ElementWise},
};
static_assert(std::ranges::is_sorted(librariesRows, {}, &OperatorSchema::name));

}  // namespace

std::span<const OperatorSchema> libraries() {
    return librariesRows;
}

}  // namespace et::kernels::schemas

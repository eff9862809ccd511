#include "inspector/fit/release_operators.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <string>

namespace et::inspector {
namespace {

using Library = KernelLibrary;
using enum core::Release;

/// Operators of one library and range of releases, separated by blanks. "aten::" is left out.
struct OperatorRow {
    Library library;
    core::ReleaseRange releases;
    std::string_view names;
};

// Printed by tools/internal/executorch_releases.py from ExecuTorch's tags v1.0.1, v1.1.0, v1.2.0, v1.3.1 and
// v1.4.1. 1.5 and 1.6 are its main branch of 2026-08-22. Rows of torchao: its submodule at these commits.
// clang-format off
constexpr OperatorRow operatorRows[] = {
    {Library::Aten, {V1_0, Newest},
     "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out _linalg_det.result "
     "_linalg_svd.U _reshape_alias_copy.out _unique2.out baddbmm.out clamp_min.out conv1d.out "
     "dequantize.self_out eye.out linalg_inv_ex.inverse linalg_vector_norm.out "
     "native_batch_norm.out softplus.out sort.values squeeze_copy.out unsafe_split.Tensor_out "
     "unsqueeze_copy.dim_out zeros_like.out"},
    {Library::Cadence, {V1_0, V1_0},
     "cadence::quantized_conv1d_nchw_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv1d_nchw_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv1d_nhwc_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv1d_nhwc_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv_nchw.out cadence::quantized_conv_nchw.per_tensor_out "
     "cadence::quantized_conv_nchw_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv_nchw_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv_nchw_depthwise_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv_nchw_depthwise_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv_nchw_dilated_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv_nchw_dilated_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv_nhwc.out cadence::quantized_conv_nhwc.per_tensor_out "
     "cadence::quantized_conv_nhwc_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv_nhwc_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv_nhwc_depthwise_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv_nhwc_depthwise_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv_nhwc_dilated_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv_nhwc_dilated_asym8uxsym8u_asym8u.per_tensor_out"},
    {Library::Cadence, {V1_0, Newest},
     "cadence::dequantize_per_tensor.out cadence::im2row.out cadence::im2row.per_tensor_out "
     "cadence::quantize_per_tensor.out cadence::quantized_add.per_tensor_out "
     "cadence::quantized_add_asym8sxasym8s_asym8s.per_tensor_out "
     "cadence::quantized_add_asym8uxasym8u_asym8u.per_tensor_out "
     "cadence::quantized_fully_connected.out cadence::quantized_fully_connected.per_tensor_out "
     "cadence::quantized_fully_connected_asym8sxasym8s_asym8s.per_tensor_out "
     "cadence::quantized_fully_connected_asym8uxasym8u_asym8u.per_tensor_out "
     "cadence::quantized_layer_norm.out cadence::quantized_layer_norm.per_tensor_out "
     "cadence::quantized_linear.out cadence::quantized_linear.per_tensor_out "
     "cadence::quantized_linear_asym8sxasym8s_asym8s.per_tensor_out "
     "cadence::quantized_linear_asym8uxasym8u_asym8u.per_tensor_out cadence::quantized_matmul.out "
     "cadence::quantized_matmul_asym8sxasym8s_asym8s.out "
     "cadence::quantized_matmul_asym8uxasym8u_asym8u.out cadence::quantized_relu.out "
     "cadence::quantized_relu.per_tensor_out cadence::quantized_relu_asym8s_asym8s.per_tensor_out "
     "cadence::quantized_relu_asym8u_asym8u.per_tensor_out cadence::quantized_relu_per_tensor.out "
     "cadence::requantize.out cadence::requantize.per_tensor_out"},
    {Library::Cadence, {V1_1, V1_1},
     "cadence::quantized_w8a32_conv.out cadence::quantized_w8a32_gru.out "
     "cadence::quantized_w8a32_linear.out"},
    {Library::Cadence, {V1_1, V1_2},
     "cadence::quantized_conv1d_ncl_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv1d_ncl_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv1d_nlc_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv1d_nlc_asym8uxsym8u_asym8u.per_tensor_out"},
    {Library::Cadence, {V1_1, Newest},
     "cadence::dequantize_per_tensor_asym16s.out cadence::dequantize_per_tensor_asym16u.out "
     "cadence::dequantize_per_tensor_asym32s.out cadence::dequantize_per_tensor_asym8s.out "
     "cadence::dequantize_per_tensor_asym8u.out cadence::quantize_per_tensor_asym16s.out "
     "cadence::quantize_per_tensor_asym16u.out cadence::quantize_per_tensor_asym32s.out "
     "cadence::quantize_per_tensor_asym8s.out cadence::quantize_per_tensor_asym8u.out "
     "cadence::quantized_conv.out cadence::quantized_conv.per_tensor_out "
     "cadence::quantized_conv2d_nchw.out cadence::quantized_conv2d_nchw.per_tensor_out "
     "cadence::quantized_conv2d_nchw_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv2d_nchw_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv2d_nchw_depthwise_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv2d_nchw_depthwise_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv2d_nchw_dilated_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv2d_nchw_dilated_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv2d_nhwc.out cadence::quantized_conv2d_nhwc.per_tensor_out "
     "cadence::quantized_conv2d_nhwc_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv2d_nhwc_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv2d_nhwc_depthwise_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv2d_nhwc_depthwise_asym8uxsym8u_asym8u.per_tensor_out "
     "cadence::quantized_conv2d_nhwc_dilated_asym8sxsym8s_asym8s.per_tensor_out "
     "cadence::quantized_conv2d_nhwc_dilated_asym8uxsym8u_asym8u.per_tensor_out"},
    {Library::Cadence, {V1_3, Newest},
     "cadence::quantized_conv1d_ncl.per_tensor_out cadence::quantized_conv1d_nlc.per_tensor_out "
     "cadence::quantized_conv2d_depthwise_nhwc.out "
     "cadence::quantized_depthwise_conv1d_ncl.per_tensor_out "
     "cadence::quantized_depthwise_conv1d_nlc.per_tensor_out cadence::quantized_max_pool2d.out "
     "cadence::quantized_max_pool2d_nchw.out cadence::quantized_max_pool2d_nhwc.out "
     "cadence::quantized_mul.per_tensor_out"},
    {Library::CortexM, {V1_0, V1_0},
     "cortex_m::quantized_add"},
    {Library::CortexM, {V1_0, Newest},
     "cortex_m::dequantize_per_tensor.out cortex_m::quantize_per_tensor.out "
     "cortex_m::quantized_add.out"},
    {Library::CortexM, {V1_1, Newest},
     "cortex_m::maximum.out cortex_m::minimum.out cortex_m::quantized_avg_pool2d.out "
     "cortex_m::quantized_conv2d.out cortex_m::quantized_depthwise_conv2d.out "
     "cortex_m::quantized_linear.out cortex_m::quantized_mul.out cortex_m::softmax.out "
     "cortex_m::transpose.out"},
    {Library::CortexM, {V1_2, Newest},
     "cortex_m::pad.out cortex_m::quantized_batch_matmul.out cortex_m::quantized_max_pool2d.out "
     "cortex_m::quantized_transpose_conv2d.out"},
    {Library::CortexM, {V1_4, Newest},
     "cortex_m::quantized_activation.out"},
    {Library::CortexM, {V1_5, Newest},
     "cortex_m::quantized_div.out"},
    {Library::Llm, {V1_0, Newest},
     "llama::custom_quantized_sdpa.out llama::custom_sdpa.out llama::fallback.out "
     "llama::fast_hadamard_transform.out llama::sdpa_with_kv_cache.out llama::update_cache.out "
     "llama::update_cache_with_indices.out preprocess::tile_crop.out"},
    {Library::Llm, {V1_4, Newest},
     "llama::channelwise_gated_delta_rule.out"},
    {Library::Llm, {V1_5, Newest},
     "llama::gated_delta_rule.out llama::quantized_moe_ffn.out"},
    {Library::Portable, {V1_0, V1_0},
     "linear.scratch_example"},
    {Library::Portable, {V1_0, Newest},
     "_cdist_forward.out _fft_c2r.out _fft_r2c.out _log_softmax.out "
     "_native_batch_norm_legit.no_stats_out _native_batch_norm_legit.out "
     "_native_batch_norm_legit_no_training.out _pdist_forward.out _softmax.out _to_copy.out "
     "_upsample_bilinear2d_aa.out abs.out acos.out acosh.out add.Scalar_out add.out addmm.out "
     "alias_copy.out allclose.Tensor allclose.out amax.out amin.out any.all_out any.dims_out "
     "any.out arange.out arange.start_out argmax.out argmin.out as_strided_copy.out asin.out "
     "asinh.out atan.out atan2.out atanh.out avg_pool2d.out bitwise_and.Scalar_out "
     "bitwise_and.Tensor_out bitwise_not.out bitwise_or.Scalar_out bitwise_or.Tensor_out "
     "bitwise_xor.Scalar_out bitwise_xor.Tensor_out bmm.out cat.out ceil.out clamp.Tensor_out "
     "clamp.out clone.out constant_pad_nd.out convolution.out convolution_backward.out copy.out "
     "copy_ cos.out cosh.out cumsum.out detach_copy.out diagonal_copy.out div.Scalar_mode_out "
     "div.Scalar_out div.out div.out_mode elu.out embedding.out empty.out eq.Scalar_out "
     "eq.Tensor_out erf.out exp.out expand_copy.out expm1.out fill.Scalar_out fill.Tensor_out "
     "flip.out floor.out floor_divide.out fmod.Scalar_out fmod.Tensor_out full.out full_like.out "
     "gather.out ge.Scalar_out ge.Tensor_out gelu.out glu.out gt.Scalar_out gt.Tensor_out "
     "hardtanh.out index.Tensor_out index_put.out index_put_ index_select.out isinf.out isnan.out "
     "le.Scalar_out le.Tensor_out leaky_relu.out lift_fresh_copy.out linear.out log.out log10.out "
     "log1p.out log2.out logical_and.out logical_not.out logical_or.out logical_xor.out logit.out "
     "lt.Scalar_out lt.Tensor_out masked_fill.Scalar_out masked_scatter.out masked_select.out "
     "max.dim_max max.unary_out max_pool2d_with_indices.out "
     "max_pool2d_with_indices_backward.grad_input maximum.out mean.dtype_out mean.out min.dim_min "
     "min.unary_out minimum.out mm.out mul.Scalar_out mul.out narrow_copy.out native_dropout.out "
     "native_group_norm.out native_layer_norm.out ne.Scalar_out ne.Tensor_out neg.out nonzero.out "
     "ones.out permute_copy.out pixel_shuffle.out pixel_unshuffle.out pow.Scalar_out "
     "pow.Tensor_Scalar_out pow.Tensor_Tensor_out prod.int_out prod.out rand.out randn.out "
     "reciprocal.out reflection_pad1d.out reflection_pad2d.out reflection_pad3d.out relu.out "
     "remainder.Scalar_out remainder.Tensor_out repeat.out repeat_interleave.Tensor_out "
     "replication_pad1d.out replication_pad2d.out replication_pad3d.out roll.out round.out "
     "rsqrt.out rsub.Scalar_out scalar_tensor.out scatter.src_out scatter.value_out "
     "scatter_add.out select_copy.int_out select_scatter.out sigmoid.out sign.out sin.out sinh.out "
     "slice_copy.Tensor_out slice_scatter.out split_copy.Tensor_out split_with_sizes_copy.out "
     "sqrt.out squeeze_copy.dim_out squeeze_copy.dims_out stack.out sub.Scalar_out sub.out "
     "sum.IntList_out t_copy.out tan.out tanh.out topk.values transpose_copy.int_out tril.out "
     "trunc.out unbind_copy.int_out unfold_copy.out unsqueeze_copy.out upsample_bilinear2d.vec_out "
     "upsample_nearest2d.vec_out var.correction_out var.out view_as_real_copy.out view_copy.out "
     "where.self_out zeros.out dim_order_ops::_clone_dim_order.out "
     "dim_order_ops::_empty_dim_order.out dim_order_ops::_to_dim_order_copy.out"},
    {Library::Portable, {V1_1, Newest},
     "bitwise_left_shift.Tensor_Scalar_out bitwise_left_shift.Tensor_out "
     "bitwise_right_shift.Tensor_Scalar_out bitwise_right_shift.Tensor_out grid_sampler_2d.out"},
    {Library::Portable, {V1_2, Newest},
     "_conj_physical.out"},
    {Library::Portable, {V1_3, Newest},
     "_adaptive_avg_pool2d.out var_mean.correction_out"},
    {Library::Portable, {V1_4, Newest},
     "et_copy::_d2h_copy.out et_copy::_h2d_copy.out"},
    {Library::Quantized, {V1_0, Newest},
     "quantized_decomposed::add.out quantized_decomposed::choose_qparams.Tensor_out "
     "quantized_decomposed::choose_qparams_per_token_asymmetric.out "
     "quantized_decomposed::dequantize_per_channel.out "
     "quantized_decomposed::dequantize_per_tensor.Tensor_out "
     "quantized_decomposed::dequantize_per_tensor.out "
     "quantized_decomposed::dequantize_per_token.out "
     "quantized_decomposed::embedding_2bit.dtype_out quantized_decomposed::embedding_2bit.out "
     "quantized_decomposed::embedding_4bit.dtype_out quantized_decomposed::embedding_4bit.out "
     "quantized_decomposed::embedding_byte.dtype_out quantized_decomposed::embedding_byte.out "
     "quantized_decomposed::mixed_linear.out quantized_decomposed::mixed_mm.out "
     "quantized_decomposed::quantize_per_channel.out "
     "quantized_decomposed::quantize_per_tensor.Tensor_out "
     "quantized_decomposed::quantize_per_tensor.out quantized_decomposed::quantize_per_token.out"},
    {Library::Runtime, {V1_0, Newest},
     "_local_scalar_dense sym_numel sym_size.int executorch_prim::add.Scalar "
     "executorch_prim::ceil.Scalar executorch_prim::eq.Scalar "
     "executorch_prim::et_copy_index.tensor executorch_prim::et_view.default "
     "executorch_prim::floordiv.Scalar executorch_prim::floordiv.int executorch_prim::ge.Scalar "
     "executorch_prim::gt.Scalar executorch_prim::le.Scalar executorch_prim::lt.Scalar "
     "executorch_prim::mod.Scalar executorch_prim::mod.int executorch_prim::mul.Scalar "
     "executorch_prim::neg.Scalar executorch_prim::round.Scalar executorch_prim::sub.Scalar "
     "executorch_prim::sym_float.Scalar executorch_prim::sym_max.Scalar "
     "executorch_prim::sym_min.Scalar executorch_prim::truediv.Scalar "
     "executorch_prim::trunc.Scalar"},
    {Library::Runtime, {V1_4, Newest},
     "executorch_prim::sym_int.Scalar executorch_prim::sym_ite.Scalar "
     "executorch_prim::sym_not.Scalar"},
    {Library::Torchao, {V1_0, Newest},
     "torchao::_linear_8bit_act_1bit_weight.out torchao::_linear_8bit_act_2bit_weight.out "
     "torchao::_linear_8bit_act_3bit_weight.out torchao::_linear_8bit_act_4bit_weight.out "
     "torchao::_linear_8bit_act_5bit_weight.out torchao::_linear_8bit_act_6bit_weight.out "
     "torchao::_linear_8bit_act_7bit_weight.out torchao::_linear_8bit_act_8bit_weight.out "
     "torchao::_embedding_1bit.out torchao::_embedding_2bit.out torchao::_embedding_3bit.out "
     "torchao::_embedding_4bit.out torchao::_embedding_5bit.out torchao::_embedding_6bit.out "
     "torchao::_embedding_7bit.out torchao::_embedding_8bit.out "
     "torchao::_shared_embedding_1bit.out torchao::_shared_embedding_2bit.out "
     "torchao::_shared_embedding_3bit.out torchao::_shared_embedding_4bit.out "
     "torchao::_shared_embedding_5bit.out torchao::_shared_embedding_6bit.out "
     "torchao::_shared_embedding_7bit.out torchao::_shared_embedding_8bit.out "
     "torchao::_linear_groupwise_1bit_weight_with_lut.out "
     "torchao::_linear_groupwise_2bit_weight_with_lut.out "
     "torchao::_linear_groupwise_3bit_weight_with_lut.out "
     "torchao::_linear_groupwise_4bit_weight_with_lut.out torchao::_linear_fp_act_1bit_weight.out "
     "torchao::_linear_fp_act_2bit_weight.out torchao::_linear_fp_act_3bit_weight.out "
     "torchao::_linear_fp_act_4bit_weight.out torchao::_linear_fp_act_5bit_weight.out "
     "torchao::_linear_fp_act_6bit_weight.out torchao::_linear_fp_act_7bit_weight.out"},
};
// clang-format on

struct NamespaceOrigin {
    std::string_view prefix;
    std::string_view origin;
};

/// Namespaces of operators that ExecuTorch 1.6 defines.
constexpr NamespaceOrigin namespaceOrigins[] = {
    {"aten::", "PyTorch"},
    {"cadence::", "Cadence kernels (backends/cadence)"},
    {"channels_last::", "Arm and Vulkan passes before lowering"},
    {"coreml::", "the Core ML backend, before lowering"},
    {"cortex_m::", "Cortex-M kernels (backends/cortex_m)"},
    {"dim_order_ops::", "portable kernels: copies into another dim order"},
    {"et_copy::", "the runtime: copies between host and device memory"},
    {"et_vk::", "the Vulkan and WebGPU backends, before lowering"},
    {"executorch::", "exporters: aliases and caches of cross attention"},
    {"executorch_cuda::", "the CUDA backend, before lowering"},
    {"executorch_devtools::", "exporters: taps of intermediate outputs"},
    {"executorch_prim::", "the runtime: computations on sizes, views"},
    {"executorch_utils::", "exporters of language models for Core ML"},
    {"kvcache::", "delegates only: the host keeps the cache"},
    {"llama::", "LLM kernels (extension/llm/custom_ops)"},
    {"metal::", "the Metal backend, before lowering"},
    {"mlx::", "the MLX backend, before lowering"},
    {"preprocess::", "LLM kernels (extension/llm/custom_ops): image preprocessing"},
    {"qnn_custom::", "the QNN backend, before lowering"},
    {"quantized_decomposed::", "quantized kernels (kernels/quantized)"},
    {"tosa::", "the TOSA, Ethos-U and VGF backends, before lowering"},
    {"tosa_mxfp::", "the TOSA, Ethos-U and VGF backends, before lowering"},
    {"torchao::", "kernels of torchao"},
    {"triton::", "the CUDA backend, before lowering"},
};

/// In the order of KernelLibrary.
constexpr std::array<std::string_view, 8> libraryNames{"runtime", "portable", "quantized", "llm",
                                                       "torchao", "aten",     "cortex_m",  "cadence"};

using OperatorIndex = std::map<std::string, ReleasedOperator, std::less<>>;

OperatorIndex makeIndex() {
    OperatorIndex index;
    for (const OperatorRow& row : operatorRows) {
        std::string_view rest = row.names;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            const std::string_view word = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            index.emplace((word.contains("::") ? "" : "aten::") + std::string(word),
                          ReleasedOperator{.library = row.library, .releases = row.releases});
        }
    }
    return index;
}

}  // namespace

std::string_view name(KernelLibrary library) {
    return libraryNames[static_cast<std::size_t>(library)];
}

std::optional<ReleasedOperator> findReleasedOperator(std::string_view fullName) {
    static const OperatorIndex index = makeIndex();
    const auto found = index.find(fullName);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::string_view namespaceOrigin(std::string_view fullName) {
    const auto* const found = std::ranges::find_if(
        namespaceOrigins, [&](const NamespaceOrigin& each) { return fullName.starts_with(each.prefix); });
    return found == std::end(namespaceOrigins) ? std::string_view{} : found->origin;
}

}  // namespace et::inspector

#include "inspector/names/argument_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::inspector::names::detail {
namespace {

/// An operator and the names of its arguments without outs, in order. A name without an overload applies to
/// all overloads without their own entry.
struct OperatorArguments {
    std::string_view op;
    std::string_view names;
};

/// Sorted. From the schemas of ATen (native_functions.yaml) and of the libraries that ExecuTorch adds.
/// Operators whose only argument is "self" are omitted.
constexpr std::array table = std::to_array<OperatorArguments>({
    {"aten::_adaptive_avg_pool2d", "self output_size"},
    {"aten::_cdist_forward", "x1 x2 p compute_mode"},
    {"aten::_log_softmax", "self dim half_to_float"},
    {"aten::_native_batch_norm_legit_no_training", "input weight bias running_mean running_var momentum eps"},
    {"aten::_softmax", "self dim half_to_float"},
    {"aten::_to_copy", "self non_blocking memory_format"},
    {"aten::add", "self other alpha"},
    {"aten::addmm", "self mat1 mat2 beta alpha"},
    {"aten::alias_copy", "self"},
    {"aten::all", "self dim keepdim"},
    {"aten::amax", "self dim keepdim"},
    {"aten::amin", "self dim keepdim"},
    {"aten::any", "self dim keepdim"},
    {"aten::arange", "start end step"},
    {"aten::arange.out", "end"},
    {"aten::argmax", "self dim keepdim"},
    {"aten::argmin", "self dim keepdim"},
    {"aten::as_strided_copy", "self size stride storage_offset"},
    {"aten::atan2", "self other"},
    {"aten::avg_pool2d", "self kernel_size stride padding ceil_mode count_include_pad divisor_override"},
    {"aten::bitwise_and", "self other"},
    {"aten::bitwise_or", "self other"},
    {"aten::bitwise_xor", "self other"},
    {"aten::bmm", "self mat2"},
    {"aten::cat", "tensors dim"},
    {"aten::clamp", "self min max"},
    {"aten::clone", "self memory_format"},
    {"aten::constant_pad_nd", "self pad value"},
    {"aten::convolution", "input weight bias stride padding dilation transposed output_padding groups"},
    {"aten::convolution_backward",
     "grad_output input weight bias_sizes stride padding dilation transposed output_padding groups "
     "output_mask"},
    {"aten::copy", "self src non_blocking"},
    {"aten::copy_", "self src non_blocking"},
    {"aten::cumsum", "self dim dtype"},
    {"aten::diagonal_copy", "self offset dim1 dim2"},
    {"aten::div", "self other rounding_mode"},
    {"aten::elu", "self alpha scale input_scale"},
    {"aten::embedding", "weight indices padding_idx scale_grad_by_freq sparse"},
    {"aten::empty", "size memory_format"},
    {"aten::empty_permuted", "size physical_layout"},
    {"aten::eq", "self other"},
    {"aten::expand_copy", "self size implicit"},
    {"aten::flip", "self dims"},
    {"aten::fmod", "self other"},
    {"aten::full", "size fill_value"},
    {"aten::full_like", "self fill_value memory_format"},
    {"aten::gather", "self dim index sparse_grad"},
    {"aten::ge", "self other"},
    {"aten::gelu", "self approximate"},
    {"aten::glu", "self dim"},
    {"aten::gt", "self other"},
    {"aten::hardtanh", "self min_val max_val"},
    {"aten::index", "self indices"},
    {"aten::index_put", "self indices values accumulate"},
    {"aten::index_put_", "self indices values accumulate"},
    {"aten::index_select", "self dim index"},
    {"aten::le", "self other"},
    {"aten::leaky_relu", "self negative_slope"},
    {"aten::linear", "input weight bias"},
    {"aten::logical_and", "self other"},
    {"aten::logical_or", "self other"},
    {"aten::logical_xor", "self other"},
    {"aten::lt", "self other"},
    {"aten::masked_fill", "self mask value"},
    {"aten::masked_scatter", "self mask source"},
    {"aten::max", "self dim keepdim"},
    {"aten::max_pool2d_with_indices", "self kernel_size stride padding dilation ceil_mode"},
    {"aten::maximum", "self other"},
    {"aten::mean", "self dim keepdim dtype"},
    {"aten::min", "self dim keepdim"},
    {"aten::minimum", "self other"},
    {"aten::mm", "self mat2"},
    {"aten::mul", "self other"},
    {"aten::native_group_norm", "input weight bias N C HxW group eps"},
    {"aten::native_layer_norm", "input normalized_shape weight bias eps"},
    {"aten::ne", "self other"},
    {"aten::permute_copy", "self dims"},
    {"aten::pixel_shuffle", "self upscale_factor"},
    {"aten::pixel_unshuffle", "self downscale_factor"},
    {"aten::pow", "self exponent"},
    {"aten::prod", "self dim keepdim dtype"},
    {"aten::reflection_pad1d", "self padding"},
    {"aten::reflection_pad2d", "self padding"},
    {"aten::remainder", "self other"},
    {"aten::repeat", "self repeats"},
    {"aten::repeat_interleave", "repeats output_size"},
    {"aten::replication_pad1d", "self padding"},
    {"aten::replication_pad2d", "self padding"},
    {"aten::roll", "self shifts dims"},
    {"aten::rsub", "self other alpha"},
    {"aten::scalar_tensor", "s"},
    {"aten::scatter", "self dim index src"},
    {"aten::scatter.value_out", "self dim index value"},
    {"aten::scatter_add", "self dim index src"},
    {"aten::select_copy", "self dim index"},
    {"aten::select_scatter", "self src dim index"},
    {"aten::slice_copy", "self dim start end step"},
    {"aten::slice_scatter", "self src dim start end step"},
    {"aten::sort", "self dim descending"},
    {"aten::split_copy", "self split_size dim"},
    {"aten::split_with_sizes_copy", "self split_sizes dim"},
    {"aten::squeeze_copy", "self dim"},
    {"aten::stack", "tensors dim"},
    {"aten::sub", "self other alpha"},
    {"aten::sum", "self dim keepdim dtype"},
    {"aten::sym_size", "self dim"},
    {"aten::t_copy", "self"},
    {"aten::topk", "self k dim largest sorted"},
    {"aten::transpose_copy", "self dim0 dim1"},
    {"aten::tril", "self diagonal"},
    {"aten::triu", "self diagonal"},
    {"aten::unbind_copy", "self dim"},
    {"aten::unfold_copy", "self dimension size step"},
    {"aten::unsqueeze_copy", "self dim"},
    {"aten::upsample_bilinear2d", "input output_size align_corners scale_factors"},
    {"aten::upsample_bilinear2d.out", "self output_size align_corners scales_h scales_w"},
    {"aten::upsample_nearest2d", "input output_size scale_factors"},
    {"aten::upsample_nearest2d.out", "self output_size scales_h scales_w"},
    {"aten::var", "self dim unbiased keepdim"},
    {"aten::var.correction_out", "self dim correction keepdim"},
    {"aten::var_mean.correction_out", "self dim correction keepdim"},
    {"aten::view_copy", "self size"},
    {"aten::where", "condition self other"},
    {"dim_order_ops::_clone_dim_order", "self non_blocking dim_order"},
    {"dim_order_ops::_empty_dim_order", "size dim_order"},
    {"dim_order_ops::_to_dim_order_copy", "self non_blocking dim_order"},
    {"executorch_prim::et_copy_index", "copy_to copy_from index"},
    {"executorch_prim::et_view", "self size"},
    {"llama::custom_sdpa", "query key value start_pos attn_mask dropout_p is_causal scale"},
    {"llama::sdpa_with_kv_cache",
     "query key value key_cache value_cache start_pos seq_len attn_mask drpout_p is_causal scale"},
    {"llama::update_cache", "value cache start_pos"},
    {"quantized_decomposed::add",
     "a a_scale a_zero_point a_quant_min a_quant_max b b_scale b_zero_point b_quant_min b_quant_max "
     "out_scale out_zero_point out_quant_min out_quant_max"},
    {"quantized_decomposed::choose_qparams", "input quant_min quant_max eps dtype"},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric", "input dtype"},
    {"quantized_decomposed::dequantize_per_channel",
     "input scales zero_points axis quant_min quant_max dtype out_dtype"},
    {"quantized_decomposed::dequantize_per_tensor",
     "input scale zero_point quant_min quant_max dtype out_dtype"},
    {"quantized_decomposed::dequantize_per_token",
     "input scales zero_points quant_min quant_max dtype output_dtype"},
    {"quantized_decomposed::embedding_4bit",
     "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices"},
    {"quantized_decomposed::embedding_byte",
     "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices"},
    {"quantized_decomposed::mixed_linear", "input weight weight_scales weight_zero_points dtype"},
    {"quantized_decomposed::quantize_per_channel", "input scales zero_points axis quant_min quant_max dtype"},
    {"quantized_decomposed::quantize_per_tensor", "input scale zero_point quant_min quant_max dtype"},
    {"quantized_decomposed::quantize_per_token", "input scales zero_points quant_min quant_max dtype"},
});
static_assert(std::ranges::is_sorted(table, {}, &OperatorArguments::op));

/// Returns "aten::add" for "aten::add.out".
std::string_view withoutOverload(std::string_view op) {
    return op.substr(0, op.find('.'));
}

const OperatorArguments* find(std::string_view op) {
    const auto* found = std::ranges::lower_bound(table, op, {}, &OperatorArguments::op);
    return found == table.end() || found->op != op ? nullptr : found;
}

}  // namespace

std::string_view argumentName(std::string_view op, std::size_t argument) {
    const OperatorArguments* found = find(op);
    found = found == nullptr ? find(withoutOverload(op)) : found;
    return found == nullptr ? std::string_view() : nameInList(found->names, argument);
}

std::string_view nameInList(std::string_view names, std::size_t argument) {
    for (; argument > 0 && !names.empty(); --argument) {
        const std::size_t blank = names.find(' ');
        names.remove_prefix(blank == std::string_view::npos ? names.size() : blank + 1);
    }
    return names.substr(0, names.find(' '));
}

std::string argumentLabel(std::size_t argument, std::string_view name) {
    return name.empty() ? fmt::format("argument {}", argument)
                        : fmt::format("argument {} ({})", argument, name);
}

}  // namespace et::inspector::names::detail

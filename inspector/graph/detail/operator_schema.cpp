#include "inspector/graph/detail/operator_schema.h"

#include <algorithm>
#include <array>

namespace et::inspector::detail {
namespace {

struct Schema {
    std::string_view op;
    std::string_view arguments;
};

/// By name. Overloads have the same names, or shorter lists of them.
constexpr std::array schemas{
    Schema{"aten::_adaptive_avg_pool2d", "self output_size"},
    Schema{"aten::_cdist_forward", "x1 x2 p compute_mode"},
    Schema{"aten::_log_softmax", "self dim half_to_float"},
    Schema{"aten::_native_batch_norm_legit_no_training",
           "input weight bias running_mean running_var momentum eps"},
    Schema{"aten::_softmax", "self dim half_to_float"},
    Schema{"aten::_to_copy", "self non_blocking memory_format"},
    Schema{"aten::add", "self other alpha"},
    Schema{"aten::addmm", "self mat1 mat2 beta alpha"},
    Schema{"aten::all", "self dim keepdim"},
    Schema{"aten::amax", "self dim keepdim"},
    Schema{"aten::amin", "self dim keepdim"},
    Schema{"aten::any", "self dim keepdim"},
    Schema{"aten::argmax", "self dim keepdim"},
    Schema{"aten::argmin", "self dim keepdim"},
    Schema{"aten::as_strided_copy", "self size stride storage_offset"},
    Schema{"aten::avg_pool2d",
           "self kernel_size stride padding ceil_mode count_include_pad divisor_override"},
    Schema{"aten::bmm", "self mat2"},
    Schema{"aten::cat", "tensors dim"},
    Schema{"aten::clamp", "self min max"},
    Schema{"aten::clone", "self memory_format"},
    Schema{"aten::constant_pad_nd", "self pad value"},
    Schema{"aten::convolution", "input weight bias stride padding dilation transposed output_padding groups"},
    Schema{"aten::copy_", "self src non_blocking"},
    Schema{"aten::cumsum", "self dim dtype"},
    Schema{"aten::div", "self other rounding_mode"},
    Schema{"aten::embedding", "weight indices padding_idx scale_grad_by_freq sparse"},
    Schema{"aten::empty", "size memory_format"},
    Schema{"aten::expand_copy", "self size implicit"},
    Schema{"aten::full", "size fill_value"},
    Schema{"aten::full_like", "self fill_value memory_format"},
    Schema{"aten::gather", "self dim index sparse_grad"},
    Schema{"aten::gelu", "self approximate"},
    Schema{"aten::hardtanh", "self min_val max_val"},
    Schema{"aten::index", "self indices"},
    Schema{"aten::index_put", "self indices values accumulate"},
    Schema{"aten::index_put_", "self indices values accumulate"},
    Schema{"aten::index_select", "self dim index"},
    Schema{"aten::leaky_relu", "self negative_slope"},
    Schema{"aten::linear", "input weight bias"},
    Schema{"aten::max", "self dim keepdim"},
    Schema{"aten::max_pool2d_with_indices", "self kernel_size stride padding dilation ceil_mode"},
    Schema{"aten::mean", "self dim keepdim dtype"},
    Schema{"aten::min", "self dim keepdim"},
    Schema{"aten::mm", "self mat2"},
    Schema{"aten::mul", "self other"},
    Schema{"aten::native_group_norm", "input weight bias N C HxW group eps"},
    Schema{"aten::native_layer_norm", "input normalized_shape weight bias eps"},
    Schema{"aten::permute_copy", "self dims"},
    Schema{"aten::pow", "self exponent"},
    Schema{"aten::repeat", "self repeats"},
    Schema{"aten::scalar_tensor", "s"},
    Schema{"aten::select_copy", "self dim index"},
    Schema{"aten::slice_copy", "self dim start end step"},
    Schema{"aten::slice_scatter", "self src dim start end step"},
    Schema{"aten::split_with_sizes_copy", "self split_sizes dim"},
    Schema{"aten::squeeze_copy", "self dim"},
    Schema{"aten::stack", "tensors dim"},
    Schema{"aten::sub", "self other alpha"},
    Schema{"aten::sum", "self dim keepdim dtype"},
    Schema{"aten::t_copy", "self"},
    Schema{"aten::topk", "self k dim largest sorted"},
    Schema{"aten::transpose_copy", "self dim0 dim1"},
    Schema{"aten::unbind_copy", "self dim"},
    Schema{"aten::unsqueeze_copy", "self dim"},
    Schema{"aten::upsample_bilinear2d", "input output_size align_corners scale_factors"},
    Schema{"aten::upsample_nearest2d", "input output_size scale_factors"},
    Schema{"aten::view_copy", "self size"},
    Schema{"aten::where", "condition self other"},
    Schema{"dim_order_ops::_clone_dim_order", "self non_blocking dim_order"},
    Schema{"dim_order_ops::_empty_dim_order", "size dim_order"},
    Schema{"dim_order_ops::_to_dim_order_copy", "self non_blocking dim_order"},
    Schema{"executorch_prim::et_copy_index", "to from index"},
    Schema{"executorch_prim::et_view", "self size"},
    Schema{"llama::custom_sdpa", "query key value start_pos attn_mask dropout_p is_causal scale"},
    Schema{"llama::update_cache", "value cache start_pos"},
    Schema{"quantized_decomposed::choose_qparams", "input quant_min quant_max eps dtype"},
    Schema{"quantized_decomposed::dequantize_per_channel",
           "input scales zero_points axis quant_min quant_max dtype out_dtype"},
    Schema{"quantized_decomposed::dequantize_per_tensor",
           "input scale zero_point quant_min quant_max dtype out_dtype"},
    Schema{"quantized_decomposed::dequantize_per_token",
           "input scales zero_points quant_min quant_max dtype output_dtype"},
    Schema{"quantized_decomposed::embedding_4bit",
           "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices"},
    Schema{"quantized_decomposed::embedding_byte",
           "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices"},
    Schema{"quantized_decomposed::quantize_per_channel",
           "input scales zero_points axis quant_min quant_max dtype"},
    Schema{"quantized_decomposed::quantize_per_tensor", "input scale zero_point quant_min quant_max dtype"},
    Schema{"quantized_decomposed::quantize_per_token", "input scales zero_points quant_min quant_max dtype"},
};
static_assert(std::ranges::is_sorted(schemas, {}, &Schema::op));

}  // namespace

std::vector<std::string_view> argumentNames(std::string_view op) {
    const auto found = std::ranges::lower_bound(schemas, op, {}, &Schema::op);
    std::vector<std::string_view> names;
    if (found == schemas.end() || found->op != op) {
        return names;
    }
    for (std::string_view rest = found->arguments; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        names.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

}  // namespace et::inspector::detail

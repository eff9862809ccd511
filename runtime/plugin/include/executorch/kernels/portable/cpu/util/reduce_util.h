#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/kernel/thread_parallel_interface.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <tuple>

// Reductions over a dimension, a list of dimensions, or (no value, an empty list) all of them. Elements of
// the result are numbered in row-major order.
namespace torch::executor {

using OptionalDim = std::optional<int64_t>;
using OptionalDimList = std::optional<ArrayRef<int64_t>>;

ET_NODISCARD inline bool check_dim_list_is_valid(const Tensor& in, const OptionalDimList& dim_list) {
    uint32_t seen = 0;
    for (const int64_t dim : dim_list.value_or(ArrayRef<int64_t>())) {
        ET_LOG_AND_RETURN_IF_FALSE(dim_is_valid(dim, nonzero_dim(in)));
        const uint32_t bit = 1U << ET_NORMALIZE_IX(dim, nonzero_dim(in));
        ET_CHECK_OR_RETURN_FALSE((seen & bit) == 0, "dimension %" PRId64 " appears twice", dim);
        seen |= bit;
    }
    return true;
}

inline bool check_dim_in_dim_list(size_t dim, size_t max_dim, const ArrayRef<int64_t>& dim_list) {
    for (const int64_t each : dim_list) {
        if (static_cast<size_t>(ET_NORMALIZE_IX(each, static_cast<int64_t>(max_dim))) == dim) {
            return true;
        }
    }
    return false;
}

namespace internal {

inline OptionalDimList dim_list_of(const OptionalDim& dim) {
    return dim ? OptionalDimList(ArrayRef<int64_t>(&*dim, 1)) : std::nullopt;
}

/// Sizes and strides of the reduced dimensions, or of the others.
struct Axes {
    std::array<int64_t, kTensorDimensionLimit> sizes{};
    std::array<int64_t, kTensorDimensionLimit> strides{};
    size_t count = 0;

    Axes(const Tensor& in, const OptionalDimList& dim_list, bool reduced) {
        const bool all = !dim_list || dim_list->empty() || in.dim() == 0;
        for (size_t i = 0; i < in.sizes().size(); ++i) {
            const bool is_reduced = all || check_dim_in_dim_list(i, in.sizes().size(), *dim_list);
            if (is_reduced == reduced) {
                sizes[count] = in.sizes()[i];
                strides[count++] = in.strides()[i];
            }
        }
    }
    [[nodiscard]] size_t product() const {
        size_t elements = 1;
        for (size_t i = 0; i < count; ++i) {
            elements *= static_cast<size_t>(sizes[i]);
        }
        return elements;
    }
    /// The offset of an element, numbered in row-major order.
    [[nodiscard]] size_t offset(size_t number) const {
        size_t at = 0;
        for (size_t i = count; i-- > 0;) {
            at += number % static_cast<size_t>(sizes[i]) * static_cast<size_t>(strides[i]);
            number /= static_cast<size_t>(sizes[i]);
        }
        return at;
    }
    /// Calls fn(offset, number) for the elements from `first` to `last`.
    template <typename Fn>
    void each(const Fn& fn, size_t base, size_t first, size_t last) const {
        if (count == 1) {
            for (size_t i = first; i <= last; ++i) {
                fn(base + i * static_cast<size_t>(strides[0]), i);
            }
            return;
        }
        for (size_t i = first; i <= last; ++i) {
            fn(base + offset(i), i);
        }
    }
};

/// Calls fn(input index, number) for elements `start` to `end` of a reduction; negative ones count from
/// behind.
template <typename Fn>
void reduce_each(const Fn& fn, const Tensor& in, const OptionalDimList& dim_list, size_t out_ix,
                 int64_t start, int64_t end) {
    const Axes inner(in, dim_list, true);
    const auto length = static_cast<int64_t>(inner.product());
    if (in.numel() == 0 || length == 0) {
        return;
    }
    const int64_t first = std::max<int64_t>(ET_NORMALIZE_IX(start, length), 0);
    const int64_t last = std::min<int64_t>(ET_NORMALIZE_IX(end, length), length - 1);
    if (first <= last) {
        inner.each(fn, Axes(in, dim_list, false).offset(out_ix), static_cast<size_t>(first),
                   static_cast<size_t>(last));
    }
}

}  // namespace internal

/// The number of elements per result.
inline size_t get_reduced_dim_product(const Tensor& in, const OptionalDimList& dim_list) {
    return internal::Axes(in, dim_list, true).product();
}
inline size_t get_reduced_dim_product(const Tensor& in, const OptionalDim& dim) {
    return get_reduced_dim_product(in, internal::dim_list_of(dim));
}
inline size_t get_reduced_dim_product(const Tensor& in, int64_t dim) {
    return get_reduced_dim_product(in, OptionalDim(dim));
}

/// The number of results.
inline size_t get_out_numel(const Tensor& in, const OptionalDimList& dim_list) {
    return internal::Axes(in, dim_list, false).product();
}
inline size_t get_out_numel(const Tensor& in, const OptionalDim& dim) {
    return get_out_numel(in, internal::dim_list_of(dim));
}
inline size_t get_out_numel(const Tensor& in, int64_t dim) {
    return get_out_numel(in, OptionalDim(dim));
}

/// The index of the first element for a result.
inline size_t get_init_index(const Tensor& in, const OptionalDimList& dim_list, size_t out_ix) {
    return internal::Axes(in, dim_list, false).offset(out_ix);
}
inline size_t get_init_index(const Tensor& in, const OptionalDim& dim, size_t out_ix) {
    return get_init_index(in, internal::dim_list_of(dim), out_ix);
}
inline size_t get_init_index(const Tensor& in, int64_t dim, size_t out_ix) {
    return get_init_index(in, OptionalDim(dim), out_ix);
}

/// Calls fn(size, stride, base) for each result.
template <typename Fn>
void apply_over_dim(const Fn& fn, const Tensor& in, const OptionalDim& dim) {
    if (!dim || in.dim() == 0) {
        fn(static_cast<size_t>(in.numel()), size_t{1}, size_t{0});
        return;
    }
    ET_CHECK_VALID_DIM(*dim, in.dim());
    if (in.numel() == 0) {
        return;
    }
    const auto axis = static_cast<size_t>(ET_NORMALIZE_IX(*dim, in.dim()));
    const internal::Axes outer(in, internal::dim_list_of(dim), false);
    const size_t results = outer.product();
    for (size_t i = 0; i < results; ++i) {
        fn(static_cast<size_t>(in.sizes()[axis]), static_cast<size_t>(in.strides()[axis]), outer.offset(i));
    }
}
/// Calls fn(input index, index in the dimension) for the elements of a result.
template <typename Fn>
void apply_over_dim(const Fn& fn, const Tensor& in, const OptionalDim& dim, size_t out_ix, int64_t start = 0,
                    int64_t end = -1) {
    internal::reduce_each(fn, in, internal::dim_list_of(dim), out_ix, start, end);
}
/// Calls fn(input index) for the elements of a result.
template <typename Fn>
void apply_over_dim_list(const Fn& fn, const Tensor& in, const OptionalDimList& dim_list, size_t out_ix,
                         int64_t start = 0, int64_t end = -1) {
    internal::reduce_each([&](size_t at, size_t /*number*/) { fn(at); }, in, dim_list, out_ix, start, end);
}

/// apply_over_dim_list() for many results.
class ApplyOverDimListPlan {
  public:
    ApplyOverDimListPlan(const Tensor& tensor, const OptionalDimList& list, int64_t from = 0, int64_t to = -1)
        : in(tensor), dim_list(list), start(from), end(to) {
        ET_CHECK(check_dim_list_is_valid(in, dim_list));
    }
    template <typename Fn>
    void execute(const Fn& fn, size_t out_ix) const {
        apply_over_dim_list(fn, in, dim_list, out_ix, start, end);
    }
    const Tensor& get_input_tensor() const { return in; }
    const OptionalDimList& get_dim_list() const { return dim_list; }

  private:
    const Tensor& in;
    OptionalDimList dim_list;
    int64_t start;
    int64_t end;
};

/// reduce(mapped, index, result, index of result) -> (result, index).
template <typename CTYPE_IN, typename CTYPE_OUT, typename MapOp, typename ReduceOp>
std::tuple<CTYPE_OUT, long> map_reduce_over_dim(const MapOp& map, const ReduceOp& reduce, const Tensor& in,
                                                const OptionalDim& dim, size_t out_ix) {
    ET_CHECK_MSG(in.numel() > 0, "nothing to reduce");
    const auto* const data = in.const_data_ptr<CTYPE_IN>();
    std::tuple<CTYPE_OUT, long> result(map(data[get_init_index(in, dim, out_ix)]), 0L);
    apply_over_dim(
        [&](size_t at, size_t number) {
            result =
                reduce(map(data[at]), static_cast<long>(number), std::get<0>(result), std::get<1>(result));
        },
        in, dim, out_ix, 1, -1);
    return result;
}
template <typename CTYPE, typename ReduceOp>
std::tuple<CTYPE, long> reduce_over_dim(const ReduceOp& reduce, const Tensor& in, const OptionalDim& dim,
                                        size_t out_ix) {
    return map_reduce_over_dim<CTYPE, CTYPE>([](CTYPE value) { return value; }, reduce, in, dim, out_ix);
}

/// reduce(mapped, result) -> result.
class MapReduceOverDimListPlan {
  public:
    MapReduceOverDimListPlan(const Tensor& tensor, const OptionalDimList& list) : plan(tensor, list, 1, -1) {
        ET_CHECK_MSG(tensor.numel() > 0, "nothing to reduce");
    }
    template <typename CTYPE_IN, typename CTYPE_OUT, typename MapOp, typename ReduceOp>
    CTYPE_OUT execute(const MapOp& map, const ReduceOp& reduce, size_t out_ix) const {
        const Tensor& in = plan.get_input_tensor();
        const auto* const data = in.const_data_ptr<CTYPE_IN>();
        CTYPE_OUT result = map(data[get_init_index(in, plan.get_dim_list(), out_ix)]);
        if (get_reduced_dim_product(in, plan.get_dim_list()) > 1) {
            plan.execute([&](size_t at) { result = reduce(map(data[at]), result); }, out_ix);
        }
        return result;
    }

  private:
    ApplyOverDimListPlan plan;
};
class ReduceOverDimListPlan {
  public:
    ReduceOverDimListPlan(const Tensor& tensor, const OptionalDimList& list) : plan(tensor, list) {}
    template <typename CTYPE, typename ReduceOp>
    CTYPE execute(const ReduceOp& reduce, size_t out_ix) {
        return plan.execute<CTYPE, CTYPE>([](CTYPE value) { return value; }, reduce, out_ix);
    }

  private:
    MapReduceOverDimListPlan plan;
};
template <typename CTYPE_IN, typename CTYPE_OUT, typename MapOp, typename ReduceOp>
CTYPE_OUT map_reduce_over_dim_list(const MapOp& map, const ReduceOp& reduce, const Tensor& in,
                                   const OptionalDimList& dim_list, size_t out_ix) {
    return MapReduceOverDimListPlan(in, dim_list).execute<CTYPE_IN, CTYPE_OUT>(map, reduce, out_ix);
}
template <typename CTYPE, typename ReduceOp>
CTYPE reduce_over_dim_list(const ReduceOp& reduce, const Tensor& in, const OptionalDimList& dim_list,
                           size_t out_ix) {
    return ReduceOverDimListPlan(in, dim_list).execute<CTYPE>(reduce, out_ix);
}

/// Writes the sizes of the result and returns their number.
inline size_t compute_reduced_out_size(const Tensor& in, const OptionalDimList& dim_list, bool keepdim,
                                       Tensor::SizesType* sizes) {
    const bool all = !dim_list || dim_list->empty() || in.dim() == 0;
    size_t count = 0;
    for (size_t i = 0; i < in.sizes().size(); ++i) {
        if (!all && !check_dim_in_dim_list(i, in.sizes().size(), *dim_list)) {
            sizes[count++] = in.sizes()[i];
        } else if (keepdim) {
            sizes[count++] = 1;
        }
    }
    return count;
}
inline size_t compute_reduced_out_size(const Tensor& in, const OptionalDim& dim, bool keepdim,
                                       Tensor::SizesType* sizes) {
    return compute_reduced_out_size(in, internal::dim_list_of(dim), keepdim, sizes);
}
inline ssize_t compute_reduced_out_dim(const Tensor& in, const OptionalDimList& dim_list, bool keepdim) {
    Tensor::SizesType sizes[kTensorDimensionLimit];
    return static_cast<ssize_t>(compute_reduced_out_size(in, dim_list, keepdim, sizes));
}
inline ssize_t compute_reduced_out_dim(const Tensor& in, const OptionalDim& dim, bool keepdim) {
    return compute_reduced_out_dim(in, internal::dim_list_of(dim), keepdim);
}

inline Error resize_reduction_out(const Tensor& in, const OptionalDimList& dim_list, bool keepdim,
                                  Tensor& out) {
    Tensor::SizesType sizes[kTensorDimensionLimit];
    const size_t dims = compute_reduced_out_size(in, dim_list, keepdim, sizes);
    return resize_tensor(out, ArrayRef<Tensor::SizesType>(sizes, dims));
}
inline Error resize_reduction_out(const Tensor& in, const OptionalDim& dim, bool keepdim, Tensor& out) {
    return resize_reduction_out(in, internal::dim_list_of(dim), keepdim, out);
}
inline Error resize_reduction_out(const Tensor& in, int64_t dim, bool keepdim, Tensor& out) {
    return resize_reduction_out(in, OptionalDim(dim), keepdim, out);
}

inline bool check_reduction_args(const Tensor& in, const OptionalDimList& dim_list, bool /*keepdim*/,
                                 std::optional<ScalarType> dtype, Tensor& out) {
    ET_LOG_AND_RETURN_IF_FALSE(check_dim_list_is_valid(in, dim_list));
    ET_LOG_AND_RETURN_IF_FALSE(!dtype || tensor_is_type(out, *dtype));
    return tensor_is_default_or_channels_last_dim_order(in) &&
           tensor_is_default_or_channels_last_dim_order(out);
}
inline bool check_reduction_args_single_dim(const Tensor& in, OptionalDim dim, bool keepdim,
                                            std::optional<ScalarType> dtype, Tensor& out,
                                            bool allow_empty_dim = false) {
    if (dim && in.dim() > 0 && !allow_empty_dim) {
        ET_LOG_AND_RETURN_IF_FALSE(tensor_has_non_empty_dim(in, *dim));
    }
    return check_reduction_args(in, internal::dim_list_of(dim), keepdim, dtype, out);
}

inline bool check_mean_dim_args(const Tensor& in, OptionalDimList dim_list, bool keepdim,
                                std::optional<ScalarType> dtype, Tensor& out) {
    ET_LOG_AND_RETURN_IF_FALSE(isFloatingType(dtype.value_or(in.scalar_type())));
    ET_LOG_AND_RETURN_IF_FALSE(tensor_is_floating_type(out));
    return check_reduction_args(in, dim_list, keepdim, dtype, out);
}

/// Calls fn(begin, end) for ranges of results.
template <typename Fn>
[[nodiscard]] bool parallel_for_each_reduce_over_dim_list_output_index(const Tensor& in,
                                                                       OptionalDimList dim_list,
                                                                       const Tensor& out, const Fn& fn) {
    const auto length = static_cast<int64_t>(std::max<size_t>(get_reduced_dim_product(in, dim_list), 1));
    const int64_t grain = std::max<int64_t>(::executorch::extension::internal::GRAIN_SIZE / length, 1);
    return ::executorch::extension::parallel_for(0, out.numel(), grain, fn);
}
template <typename Fn>
[[nodiscard]] bool parallel_for_each_reduce_over_dim_output_index(const Tensor& in, OptionalDim dim,
                                                                  const Tensor& out, const Fn& fn) {
    return parallel_for_each_reduce_over_dim_list_output_index(in, internal::dim_list_of(dim), out, fn);
}

}  // namespace torch::executor

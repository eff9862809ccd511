// Tests that layout operators reject invalid arguments with a clear message.
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace et::test {
namespace {

using testing::HasSubstr;

/// A call that must fail; `arguments` adds the arguments, result last.
struct Refusal {
    std::string_view name;
    void (*arguments)(KernelCall&);
    std::string_view message;
};

void matrix(KernelCall& call) {
    call.tensor<float>({2, 3}, counted<float>(6));
}
void number(KernelCall& call, std::int64_t value) {
    call.add(value);
}
void result(KernelCall& call) {
    call.resizableTensor<float>({64});
}

const std::vector<Refusal> refusals{
    {"aten::view_copy.out", [](KernelCall& c) { matrix(c), c.ints({max, max}), result(c); }, "too large"},
    {"aten::view_copy.out", [](KernelCall& c) { matrix(c), c.ints({-1, -1}), result(c); }, "at most one -1"},
    {"aten::view_copy.out", [](KernelCall& c) { matrix(c), c.ints({-1, 4}), result(c); },
     "6 elements do not fit"},
    {"aten::permute_copy.out", [](KernelCall& c) { matrix(c), c.ints({0, 0}), result(c); }, "occurs twice"},
    {"aten::permute_copy.out", [](KernelCall& c) { matrix(c), c.ints({1}), result(c); },
     "expected 2 dimensions"},
    {"aten::transpose_copy.int_out",
     [](KernelCall& c) { matrix(c), number(c, min), number(c, 0), result(c); }, "got -92"},
    {"aten::expand_copy.out", [](KernelCall& c) { matrix(c), c.ints({5, 3}), c.add(false), result(c); },
     "broadcasts"},
    {"aten::expand_copy.out", [](KernelCall& c) { matrix(c), c.ints({-1, 2, 3}), c.add(false), result(c); },
     "too large"},
    {"aten::slice_copy.Tensor_out",
     [](KernelCall& c) { matrix(c), number(c, 0), c.none(), c.none(), number(c, 0), result(c); },
     "step of at least 1"},
    {"aten::select_copy.int_out", [](KernelCall& c) { matrix(c), number(c, 1), number(c, 3), result(c); },
     "from -3 to 2, got 3"},
    {"aten::narrow_copy.out",
     [](KernelCall& c) { matrix(c), number(c, 1), number(c, max), number(c, 1), result(c); }, "3 positions"},
    {"aten::as_strided_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({2, 2}), c.ints({max, max}), c.none(), result(c); }, "6 elements"},
    {"aten::as_strided_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({2, 2}), c.ints({1, 3}), number(c, 2), result(c); }, "6 elements"},
    {"aten::as_strided_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({2}), c.ints({-1}), number(c, 2), result(c); }, "at least 0"},
    {"aten::unfold_copy.out",
     [](KernelCall& c) { matrix(c), number(c, 1), number(c, 4), number(c, 1), result(c); }, "0 to 3"},
    {"aten::repeat.out", [](KernelCall& c) { matrix(c), c.ints({max, 2}), result(c); }, "too large"},
    {"aten::roll.out", [](KernelCall& c) { matrix(c), c.ints({1, 2}), c.ints({0}), result(c); }, "1 shifts"},
    {"aten::pixel_shuffle.out",
     [](KernelCall& c) { c.tensor<float>({1, 1, 1}, {1}), number(c, max), result(c); }, "too large"},
    {"aten::pixel_unshuffle.out",
     [](KernelCall& c) { c.tensor<float>({1, 1, 2}, {1, 2}), number(c, 0), result(c); },
     "factor of at least 1"},
    {"aten::constant_pad_nd.out", [](KernelCall& c) { matrix(c), c.ints({min, 0}), number(c, 0), result(c); },
     "at least -3"},
    {"aten::constant_pad_nd.out",
     [](KernelCall& c) { matrix(c), c.ints({max, max}), number(c, 0), result(c); }, "too large"},
    {"aten::constant_pad_nd.out", [](KernelCall& c) { matrix(c), c.ints({-2, -2}), number(c, 0), result(c); },
     "remove more"},
    {"aten::reflection_pad1d.out", [](KernelCall& c) { matrix(c), c.ints({3, 0}), result(c); }, "at most 2"},
    {"aten::cat.out",
     [](KernelCall& c) {
         matrix(c), c.tensor<float>({2, 2}, {1, 2, 3, 4}), c.list(2), number(c, 0), result(c);
     },
     "like [2, 3]"},
    {"aten::cat.out", [](KernelCall& c) { c.list(0), number(c, 0), result(c); }, "got none"},
    {"aten::stack.out", [](KernelCall& c) { matrix(c), c.list(1), number(c, 3), result(c); }, "from -3 to 2"},
    {"aten::split_copy.Tensor_out",
     [](KernelCall& c) { matrix(c), number(c, 2), number(c, 1), result(c), c.list(1); },
     "expected 2 results"},
    {"aten::split_with_sizes_copy.out",
     [](KernelCall& c) { matrix(c), c.ints({max}), number(c, 1), result(c), c.list(1); }, "3 positions"},
    {"aten::repeat_interleave.Tensor_out",
     [](KernelCall& c) {
         c.tensor<std::int64_t>({2}, {max, max}), c.none(), c.resizableTensor<std::int64_t>({8});
     },
     "too large"},
    {"aten::repeat_interleave.Tensor_out",
     [](KernelCall& c) { c.tensor<std::int64_t>({1}, {-1}), c.none(), c.resizableTensor<std::int64_t>({8}); },
     "got -1"},
    {"aten::clone.out", [](KernelCall& c) { matrix(c), c.none(), c.resizableTensor<double>({6}); },
     "of float32, got float64"},
    {"aten::slice_scatter.out",
     [](KernelCall& c) {
         matrix(c), matrix(c), number(c, 0), number(c, 1), c.none(), number(c, 1), result(c);
     },
     "source of [1, 3]"},
    {"aten::gather.out",
     [](KernelCall& c) {
         matrix(c), number(c, 0), c.tensor<std::int64_t>({1, 1}, {2}), c.add(false), result(c);
     },
     "from 0 to 1 in dimension 0, got 2"},
    {"aten::gather.out",
     [](KernelCall& c) {
         matrix(c), number(c, 0), c.tensor<std::int64_t>({1, 4}, {0, 0, 0, 0}), c.add(false), result(c);
     },
     "exceeds a tensor"},
    {"aten::scatter.value_out",
     [](KernelCall& c) {
         matrix(c), number(c, 1), c.tensor<std::int64_t>({1, 1}, {min}), number(c, 1), result(c);
     },
     "got -92"},
    {"aten::scatter_add.out",
     [](KernelCall& c) {
         matrix(c), number(c, 1), c.tensor<std::int64_t>({1, 2}, {0, 0}), c.tensor<float>({1, 1}, {1}),
             result(c);
     },
     "source"},
    {"aten::index.Tensor_out",
     [](KernelCall& c) { matrix(c), c.tensor<std::int64_t>({1}, {-3}), c.list(1), result(c); },
     "from -2 to 1"},
    {"aten::index.Tensor_out",
     [](KernelCall& c) { matrix(c), c.tensor<bool>({3}, {true, true, true}), c.list(1), result(c); },
     "mask of [2]"},
    {"aten::index.Tensor_out",
     [](KernelCall& c) { matrix(c), c.none(), c.none(), c.none(), c.list(3), result(c); }, "at most 2"},
    {"aten::index_put.out",
     [](KernelCall& c) {
         matrix(c), c.tensor<std::int64_t>({1}, {2}), c.list(1), matrix(c), c.add(false), result(c);
     },
     "from -2 to 1"},
    {"aten::index_select.out",
     [](KernelCall& c) { matrix(c), number(c, 1), c.tensor<std::int64_t>({1}, {-1}), result(c); },
     "from 0 to 2"},
    {"aten::embedding.out",
     [](KernelCall& c) {
         matrix(c), c.tensor<std::int32_t>({1}, {2}), number(c, 0), c.add(false), c.add(false), result(c);
     },
     "from 0 to 1"},
    {"aten::masked_scatter.out",
     [](KernelCall& c) { matrix(c), c.tensor<bool>({1}, {true}), c.tensor<float>({1}, {1}), result(c); },
     "at least 6 elements"},
    {"aten::full.out", [](KernelCall& c) { c.ints({-1}), number(c, 1), result(c); }, "too large"},
    {"aten::arange.start_out", [](KernelCall& c) { number(c, 0), number(c, 5), number(c, 0), result(c); },
     "steps"},
    {"aten::arange.start_out", [](KernelCall& c) { c.add(0.0), c.add(1.0), c.add(1e-300), result(c); },
     "too large"},
    {"aten::rand.out", [](KernelCall& c) { c.ints({2}), c.resizableTensor<std::int32_t>({2}); }, "int32"},
};

TEST(Layout, RejectsInvalidArgumentsWithAMessage) {
    for (const Refusal& refusal : refusals) {
        SCOPED_TRACE(refusal.name);
        KernelCall call;
        refusal.arguments(call);
        const auto done = call.run(refusal.name);
        ASSERT_FALSE(done.has_value());
        EXPECT_THAT(done.error().message, HasSubstr(refusal.message));
    }
}

}  // namespace
}  // namespace et::test

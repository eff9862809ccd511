// Checks that every operator has a rule or is listed here with the test that covers it.
#include "runtime/kernels/builtin.h"
#include "tests/operators/case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace et::test::operators {
namespace {

struct Exception {
    std::string_view names;    ///< prefix of operator names
    std::string_view checked;  ///< test that covers them
};

constexpr std::string_view backward = "gradient_test.cpp, against differences of forward operators";

constexpr std::array exceptions{
    Exception{"executorch_prim::", "prim_test.cpp: numbers, not tensors"},
    Exception{"aten::sym_", "prim_test.cpp: numbers, not tensors"},
    Exception{"aten::_local_scalar_dense", "prim_test.cpp: numbers, not tensors"},
    Exception{"cadence::", "cadence_test.cpp, and PyTorch's answers: fixed point of a device"},
    Exception{"cortex_m::", "cortex_m_test.cpp, and PyTorch's answers: fixed point of a device"},
    Exception{"llama::", "llama_test.cpp, delta_rule_test.cpp, experts_test.cpp: state from call to call"},
    Exception{"preprocess::", "llama_test.cpp"},
    Exception{"kvcache::", "kv_cache_test.cpp: state from call to call"},
    Exception{"torchao::", "torchao_test.cpp and packed_weights_test.cpp: packed weights"},
    Exception{"aten::_fft_", "fourier_test.cpp, against the sum that defines them"},
    Exception{"aten::_upsample_bilinear2d_aa.", "spatial_test.cpp, and PyTorch's answers"},
    Exception{"aten::grid_sampler_2d.out", "spatial_test.cpp, and PyTorch's answers"},
    Exception{"aten::convolution_backward.out", "convolution_test.cpp"},
    Exception{"aten::_adaptive_avg_pool2d_backward.out", backward},
    Exception{"aten::_log_softmax_backward_data.out", backward},
    Exception{"aten::_softmax_backward_data.out", backward},
    Exception{"aten::avg_pool2d_backward.", backward},
    Exception{"aten::embedding_dense_backward.", backward},
    Exception{"aten::gelu_backward.", backward},
    Exception{"aten::hardsigmoid_backward.", backward},
    Exception{"aten::hardswish_backward.", backward},
    Exception{"aten::hardtanh_backward.", backward},
    Exception{"aten::leaky_relu_backward.", backward},
    Exception{"aten::mse_loss", backward},
    Exception{"aten::native_layer_norm_backward.", backward},
    Exception{"aten::nll_loss_", backward},
    Exception{"aten::sigmoid_backward.", backward},
    Exception{"aten::silu_backward.", backward},
    Exception{"aten::tanh_backward.", backward},
    Exception{"aten::threshold_backward.", backward},
    Exception{"quantized_decomposed::choose_qparams", "quantized_test.cpp"},
};

std::set<std::string_view> namesOfRules() {
    std::set<std::string_view> names;
    for (const Family& family : families()) {
        for (const Rule& rule : family.rules()) {
            names.insert(rule.name);
        }
    }
    return names;
}

TEST(Rules, ThereIsOneForEachOperatorThatHasNoOtherTest) {
    const std::set<std::string_view> ruled = namesOfRules();
    std::set<std::string_view> used;
    for (const kernels::KernelEntry* const entry : kernels::builtin().all()) {
        const std::string_view name = entry->name;
        const auto exception = std::ranges::find_if(
            exceptions, [&](const Exception& each) { return name.starts_with(each.names); });
        if (exception != exceptions.end()) {
            used.insert(exception->names);
            EXPECT_FALSE(ruled.contains(name)) << name << " needs no exception";
        } else {
            EXPECT_TRUE(ruled.contains(name)) << name << " has no rule";
        }
    }
    EXPECT_EQ(used.size(), exceptions.size()) << "an exception is of no operator";
}

}  // namespace
}  // namespace et::test::operators

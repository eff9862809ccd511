#pragma once

#include "runtime/kernels/dense/tap_runs.h"
#include "runtime/kernels/thread_pool.h"

// Convolution and its gradients by definition: exactly the products that contribute, so the work is bounded
// by the tensors' shapes even for large padding, stride and dilation. T is float, double or int64; tensors
// are row-major; weights as in ConvolutionArguments.
namespace et::kernels::dense {

/// output = bias (null: 0) + input * weight.
template <class T>
void convolveDirectly(const ThreadPool& threads, const Convolution& shape, const TapRuns& taps,
                      const T* input, const T* weight, const T* bias, T* output);

template <class T>
void inputGradient(const ThreadPool& threads, const Convolution& shape, const TapRuns& taps,
                   const T* outputGradient, const T* weight, T* gradient);

template <class T>
void weightGradient(const ThreadPool& threads, const Convolution& shape, const TapRuns& taps,
                    const T* outputGradient, const T* input, T* gradient);

}  // namespace et::kernels::dense

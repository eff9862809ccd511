#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"
#include "runtime/native/graph.h"
#include "runtime/native/writer.h"

#include <vector>

namespace et::samples {

/// The sample set of the ExecuTorch Native format.
inline constexpr SampleInfo nativeInfo{
    .name = "native",
    .description = "a package (.ptn): two linear layers, one quantized to 4 bits, and a counter"};

/// Graph and tensors of a package.
struct PackageContent {
    native::Program program;
    native::TensorContents tensors;
};

/// forward(x [1..4, 32]) -> [1..4, 8]: a linear layer with 4-bit weights in groups of 16, ReLU and a linear
/// layer, and the number of calls so far. Deterministic.
[[nodiscard]] PackageContent nativeContent();

/// native.ptn.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeNative();

}  // namespace et::samples

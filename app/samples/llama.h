#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::samples {

/// The sample set of the language model.
inline constexpr SampleInfo llamaInfo{
    .name = "llama", .description = "a tiny Llama with random weights, its ETRecord and its tokenizer"};

/// llama.pte: forward(tokens [1, 1], input_pos [1]) of a Llama with two layers and KV caches of 64 positions
/// (rotary embeddings, RMS norm, custom attention), with the constant methods that exporters write.
/// llama.etrecord: its Edge graph, with modules and weights. llama_tokenizer.bin: its vocabulary in the
/// llama2.c format. Deterministic.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeLlama();

}  // namespace et::samples

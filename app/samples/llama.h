#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

namespace et::samples {

/// The sample set of the language model.
inline constexpr SampleInfo llamaInfo{
    .name = "llama", .description = "a tiny Llama with random weights, its ETRecord and its tokenizer"};

/// Sizes of a Llama.
struct LlamaShape {
    std::int64_t dim = 32;
    std::int64_t heads = 2;
    std::int64_t hidden = 64;
    std::int64_t layers = 2;
    std::int64_t context = 64;
    std::int64_t vocabulary = 300;  ///< at least the tokenizer's 300
};

/// llama.pte: forward(tokens [1, 1], input_pos [1]) of a Llama with KV caches
/// (rotary embeddings, RMS norm, custom attention), with the constant methods that exporters write.
/// llama.etrecord: its Edge graph, with modules and weights. llama_tokenizer.bin: its vocabulary in the
/// llama2.c format. Deterministic.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeLlama(const LlamaShape& shape = {});

}  // namespace et::samples

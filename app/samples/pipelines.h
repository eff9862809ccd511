#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"

#include <vector>

// Pipelines of several programs: each set has the programs, their ETRecords and a manifest, NAME.toml.
namespace et::samples {

inline constexpr SampleInfo diffusionInfo{
    .name = "diffusion", .description = "a pipeline: text encoder, 8 denoising steps and decoder"};
inline constexpr SampleInfo transducerInfo{
    .name = "transducer", .description = "a pipeline: speech encoder, predictor and joiner of a transducer"};
inline constexpr SampleInfo speculativeInfo{
    .name = "speculative", .description = "a pipeline: speculative decoding with a draft and a target model"};

/// diffusion_text.pte, diffusion_unet.pte, diffusion_decoder.pte. Deterministic, with random weights, like
/// the others.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeDiffusion();
/// transducer_encoder.pte, transducer_predictor.pte, transducer_joiner.pte.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeTransducer();
/// speculative_draft.pte, speculative_target.pte.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeSpeculative();

}  // namespace et::samples

#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::samples {

inline constexpr SampleInfo vlmInfo{
    .name = "vlm", .description = "a tiny vision-language model in two programs, its ETRecords and an image"};
inline constexpr SampleInfo whisperInfo{.name = "whisper",
                                        .description = "a tiny speech recognizer, its ETRecord and a sound"};

/// vlm.pte: token_embedding(tokens [1, 1]) and text_decoder(embeddings [1, 1, 32], input_pos [1]) of the
/// Llama of llama.h. vlm_vision.pte: vision_encoder(image [1, 3, 32, 32]) -> [1, 16, 32], with the constants
/// of its pre-processing. vlm.etrecord, vlm_vision.etrecord: their Edge graphs. vlm_tokenizer.bin;
/// vlm_image.png: 48x40 pixels; vlm.toml: the manifest of a pipeline. Deterministic.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeVlm();

/// whisper.pte: encoder(mel spectrogram [1, 80, 100]) -> [1, 50, 32] and text_decoder(tokens [1, 1],
/// encoder_output, input_pos [1]), with the constants of its pre-processing. whisper.etrecord: their Edge
/// graphs. whisper_tokenizer.bin; whisper_audio.wav: a second at 16 kHz; whisper.toml: the manifest of a
/// pipeline. Deterministic.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeWhisper();

}  // namespace et::samples

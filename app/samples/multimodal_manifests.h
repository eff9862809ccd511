#pragma once

#include <string_view>

// Manifests of the multimodal samples (multimodal.h) as pipelines (app/tasks/pipeline).
namespace et::samples {

/// whisper.toml: spectrogram, encoder, and the decoder token by token.
[[nodiscard]] std::string_view whisperManifest();
/// vlm.toml: vision encoder, prefill with the image, and the decoder token by token.
[[nodiscard]] std::string_view vlmManifest();

}  // namespace et::samples

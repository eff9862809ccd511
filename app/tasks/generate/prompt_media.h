#pragma once

#include "inspector/generate/encoder_form.h"
#include "inspector/generate/language_metadata.h"
#include "inspector/media/media_tensor.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {

/// A part of a prompt: a text, or a file.
struct PromptPart {
    std::optional<inspector::Modality> modality;  ///< nothing: text
    std::string text;
    std::filesystem::path file;
};

/// The image and audio files for the prompts of a conversation.
class PromptMedia {
  public:
    PromptMedia() = default;
    PromptMedia(std::vector<std::filesystem::path> imageFiles, std::vector<std::filesystem::path> audioFiles)
        : images(std::move(imageFiles)), sounds(std::move(audioFiles)) {}

    /// Splits a prompt at "<image>" and "<audio>", which are replaced by the next files. Without a mark, all
    /// files that are left come before the text. Errors: InvalidArgument (more marks than files).
    [[nodiscard]] core::Result<std::vector<PromptPart>> partsOf(std::string_view prompt);
    void restart() { usedImages = usedSounds = 0; }
    /// Whether the files of a modality were given.
    [[nodiscard]] bool has(inspector::Modality modality) const {
        return !(modality == inspector::Modality::Image ? images : sounds).empty();
    }

  private:
    [[nodiscard]] core::Result<PromptPart> next(inspector::Modality modality);

    std::vector<std::filesystem::path> images, sounds;
    std::size_t usedImages = 0, usedSounds = 0;
};

/// An image or a sound of a prompt.
struct MediaPart {
    inspector::Modality modality = inspector::Modality::Image;
    std::filesystem::path file;
    inspector::MediaTensor input;  ///< of the encoder; its data is released after encoding
    std::size_t textBefore = 0;    ///< tokens of the prompt before it
    std::size_t position = 0;      ///< of its first embedding
    std::size_t positions = 0;     ///< 0: in every call of a sequence-to-sequence decoder
    std::size_t rows = 0;          ///< embeddings
    std::uint64_t preparing = 0;   ///< nanoseconds of pre-processing
    std::uint64_t encoding = 0;    ///< of the encoder
    std::uint64_t prefilling = 0;  ///< of the text decoder
};

/// Reads and pre-processes a file for an encoder. `constants`: of the model. Errors: those of the file, with
/// its name; Mismatch.
[[nodiscard]] core::Result<MediaPart> prepareMedia(const PromptPart& part,
                                                   const inspector::EncoderMethod& encoder,
                                                   std::span<const inspector::ProgramConstant> constants);

}  // namespace et::tasks

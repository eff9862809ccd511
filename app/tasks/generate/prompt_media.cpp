#include "app/tasks/generate/prompt_media.h"

#include "inspector/media/image_file.h"
#include "inspector/media/image_steps.h"
#include "inspector/media/sound_steps.h"
#include "inspector/media/wav_file.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Modality;

constexpr std::string_view imageMark = "<image>";
constexpr std::string_view audioMark = "<audio>";

/// Converts an image or a WAV file as the constants of the encoder's program, else of the model, say; other
/// files contain the tensor itself.
Result<inspector::MediaTensor> readFor(const PromptPart& part, const inspector::EncoderMethod& encoder,
                                       std::span<const inspector::ProgramConstant> constants,
                                       const inspector::MediaInput& input) {
    ET_ASSIGN(const auto file, core::MappedFile::open(part.file));
    const core::Bytes bytes = file->bytes();
    // Those of the encoder's program come first.
    std::vector<inspector::ProgramConstant> all = program::programConstants(*encoder.program);
    all.insert(all.end(), constants.begin(), constants.end());
    if (*part.modality == Modality::Image && (inspector::isPng(bytes) || inspector::isJpeg(bytes))) {
        ET_ASSIGN(const inspector::ImageSettings settings, inspector::imageSettings(all));
        ET_ASSIGN(inspector::Pixels pixels, inspector::decodeImage(bytes));
        return inspector::imageTensor(std::move(pixels), inspector::isPng(bytes) ? "PNG" : "JPEG", settings,
                                      input);
    }
    if (*part.modality == Modality::Audio && inspector::isWav(bytes)) {
        ET_ASSIGN(const inspector::SoundSettings settings, inspector::soundSettings(all));
        ET_ASSIGN(inspector::Sound sound, inspector::decodeWav(bytes));
        return inspector::soundTensor(std::move(sound), settings, input);
    }
    ET_ASSIGN(inspector::MediaTensor media, inspector::readMediaTensor(part.file, input));
    ET_TRY(inspector::fitTo(input, media));
    return media;
}

}  // namespace

Result<PromptPart> PromptMedia::next(Modality modality) {
    const bool isImage = modality == Modality::Image;
    const auto& files = isImage ? images : sounds;
    std::size_t& used = isImage ? usedImages : usedSounds;
    if (used >= files.size()) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("the prompts have more than {} {}, but --{} is given {} times", files.size(),
                        isImage ? imageMark : audioMark, inspector::modalityName(modality), files.size()));
    }
    return PromptPart{.modality = modality, .text = {}, .file = files[used++]};
}

Result<std::vector<PromptPart>> PromptMedia::partsOf(std::string_view prompt) {
    std::vector<PromptPart> parts;
    // Without files, the marks are ordinary text.
    const auto find = [&](Modality modality, std::string_view mark) {
        return has(modality) ? prompt.find(mark) : std::string_view::npos;
    };
    bool isMarked = false;
    while (true) {
        const std::size_t image = find(Modality::Image, imageMark);
        const std::size_t sound = find(Modality::Audio, audioMark);
        const std::size_t at = std::min(image, sound);
        if (const std::string_view text = prompt.substr(0, at); !text.empty()) {
            parts.push_back({.modality = std::nullopt, .text = std::string(text), .file = {}});
        }
        if (at == std::string_view::npos) {
            break;
        }
        isMarked = true;
        ET_ASSIGN(PromptPart part, next(image < sound ? Modality::Image : Modality::Audio));
        parts.push_back(std::move(part));
        prompt.remove_prefix(at + (image < sound ? imageMark : audioMark).size());
    }
    if (!isMarked) {
        std::vector<PromptPart> first;
        for (; usedImages < images.size(); ++usedImages) {
            first.push_back({.modality = Modality::Image, .text = {}, .file = images[usedImages]});
        }
        for (; usedSounds < sounds.size(); ++usedSounds) {
            first.push_back({.modality = Modality::Audio, .text = {}, .file = sounds[usedSounds]});
        }
        parts.insert(parts.begin(), std::make_move_iterator(first.begin()),
                     std::make_move_iterator(first.end()));
    }
    return parts;
}

Result<MediaPart> prepareMedia(const PromptPart& part, const inspector::EncoderMethod& encoder,
                               std::span<const inspector::ProgramConstant> constants) {
    const std::uint64_t start = core::EventTracer::now();
    const inspector::MediaInput input{
        .dtype = encoder.inputType, .sizes = encoder.inputSizes, .isDynamic = encoder.isDynamic};
    MediaPart media{.modality = *part.modality, .file = part.file, .input = {}};
    auto read = readFor(part, encoder, constants, input);
    if (!read) {
        return std::unexpected(std::move(read).error().in(part.file.string()));
    }
    media.input = *std::move(read);
    media.preparing = core::EventTracer::now() - start;
    return media;
}

}  // namespace et::tasks

// The prompt of a conversation: its tokens, images and sounds, and their prefill.
#include "app/tasks/generate/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {

using core::ErrorCode;
using core::EventTracer;
using core::fail;
using core::Result;
using inspector::StepCall;
using inspector::TokenId;

/// The BOS tokens before the first prompt.
Result<std::vector<TokenId>> Conversation::bosIds() const {
    if (turns > 0 || settings.bos == 0) {
        return std::vector<TokenId>();
    }
    std::optional<TokenId> bos = words->bos();
    if (!bos && loaded->metadata.bos && *loaded->metadata.bos >= 0) {
        bos = static_cast<TokenId>(*loaded->metadata.bos);
    }
    if (!bos) {
        return fail(ErrorCode::InvalidArgument,
                    "--bos: neither the tokenizer nor the program has a BOS token");
    }
    if (settings.bos > loaded->form.context) {
        return fail(ErrorCode::InvalidArgument, "--bos: more tokens than the context can hold");
    }
    return std::vector<TokenId>(settings.bos, *bos);
}

/// Tokenizes the text of a prompt, and prepares its images and sounds.
Result<> Conversation::readPrompt(std::string_view prompt, Generation& generation) {
    std::vector<TokenId>& ids = generation.promptIds;
    ET_ASSIGN(ids, bosIds());
    ET_ASSIGN(const std::string text, prompts->textOf(prompt));
    ET_ASSIGN(const std::vector<PromptPart> parts, media.partsOf(text));
    for (const PromptPart& part : parts) {
        if (part.modality) {
            ET_ASSIGN(MediaPart prepared, prepareMedia(part, *loaded->form.encoders.of(*part.modality),
                                                       loaded->metadata.constants));
            prepared.textBefore = ids.size();
            generation.media.push_back(std::move(prepared));
            continue;
        }
        ET_ASSIGN(const std::vector<TokenId> encoded, words->encode(part.text));
        ids.insert(ids.end(), encoded.begin(), encoded.end());
    }
    if (loaded->form.decode.encodedInput && turns == 0 && generation.media.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "the decoder takes the output of an encoder: --audio or --image is required");
    }
    const auto foreign = std::ranges::find_if(ids, [&](TokenId id) { return id >= loaded->form.vocabulary; });
    if (foreign != ids.end()) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the tokenizer produces token {}, the program has {} tokens", *foreign,
                                loaded->form.vocabulary));
    }
    return {};
}

/// Errors: InvalidArgument (files for a modality that the model does not have).
Result<> Conversation::checkMedia() const {
    for (const inspector::Modality modality : {inspector::Modality::Image, inspector::Modality::Audio}) {
        if (media.has(modality) && !loaded->form.encoders.of(modality)) {
            const bool isImage = modality == inspector::Modality::Image;
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("--{}: the model has no method {}, and --{} names no program with it",
                            inspector::modalityName(modality), isImage ? "vision_encoder" : "audio_encoder",
                            isImage ? "vision-encoder" : "audio-encoder"));
        }
    }
    return {};
}

Result<> Conversation::checkRoom(std::size_t tokens) const {
    const std::size_t room = length() - std::min(length(), loaded->run->position());
    if (tokens < room) {
        return {};
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("the prompt has {} tokens, the {} of {} has fewer than {} positions left", tokens,
                            length() < loaded->form.context ? "--seq-len" : "context", length(), room));
}

Result<> Conversation::prefillTokens(Generation& generation, std::span<const std::uint32_t> tokens) {
    if (tokens.empty()) {
        return {};
    }
    auto done = loaded->run->prefill(
        tokens, settings.chunk,
        [&](const StepCall& call, const inspector::Logits&) { generation.prefill.push_back(call); });
    if (!done) {
        return std::unexpected(loaded->programError(std::move(done).error()));
    }
    logits = *done;
    return {};
}

/// Encodes an image or a sound, and passes its embeddings to the text decoder.
Result<> Conversation::prefillMedia(Generation& generation, MediaPart& part) {
    const inspector::HostTensor& tensor = part.input.tensor;
    const std::uint64_t start = EventTracer::now();
    auto encoded = loaded->run->encoder(part.modality)
                       ->run({.dtype = tensor.dtype, .sizes = tensor.sizes, .data = tensor.data});
    if (!encoded) {
        return std::unexpected(loaded->programError(std::move(encoded).error()));
    }
    const std::uint64_t end = EventTracer::now();
    part.encoding = end - start;
    part.rows = encoded->rows;
    part.position = loaded->run->position();
    part.positions = loaded->form.decode.encodedInput ? 0 : encoded->rows;
    mark({.phase = "encode", .call = encodeCalls++, .position = part.position, .tokens = part.rows}, start,
         end);
    ET_TRY(checkRoom(part.positions));
    auto done = loaded->run->prefillEncoded(
        *encoded, settings.chunk,
        [&](const StepCall& call, const inspector::Logits&) { generation.prefill.push_back(call); });
    if (!done) {
        return std::unexpected(loaded->programError(std::move(done).error()));
    }
    logits = *done;
    part.prefilling = EventTracer::now() - end;
    part.input.tensor.data = {};
    return {};
}

Result<> Conversation::prefill(Generation& generation) {
    std::vector<TokenId> tokens = generation.pendingIds;
    tokens.insert(tokens.end(), generation.promptIds.begin(), generation.promptIds.end());
    const bool hasEmbeddings = !generation.media.empty() && !loaded->form.decode.encodedInput;
    if (tokens.empty() && !hasEmbeddings) {
        return fail(ErrorCode::InvalidArgument, "the prompt has no tokens; --bos 1 adds one");
    }
    ET_TRY(checkRoom(tokens.size()));
    std::size_t done = 0;
    for (MediaPart& part : generation.media) {
        // A sequence-to-sequence decoder needs the encoder's output for all tokens.
        const std::size_t before =
            loaded->form.decode.encodedInput ? 0 : generation.pendingIds.size() + part.textBefore;
        ET_TRY(prefillTokens(generation, std::span(tokens).subspan(done, before - done)));
        done = before;
        ET_TRY(prefillMedia(generation, part));
    }
    ET_TRY(prefillTokens(generation, std::span(tokens).subspan(done)));
    pending.clear();
    generation.times.prefilled = EventTracer::now();
    return {};
}

}  // namespace et::tasks

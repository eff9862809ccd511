#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/generate/conversation.h"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace et::tasks {
namespace {

core::Result<inspector::TokenId> parseToken(std::string_view text) {
    inspector::TokenId id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size()) {
        return core::fail(core::ErrorCode::InvalidArgument, "expected the number of a token");
    }
    return id;
}

std::string tokenText(const inspector::TokenId& id) {
    return std::to_string(id);
}

void addSamplingOptions(OptionList& options, inspector::SamplerSettings& sampler) {
    options.group("Sampling");
    options.number("--temperature T", sampler.temperature,
                   "Sampling temperature; 0: the most likely token (default: 0)", "a number from 0 to 100",
                   {.least = 0, .most = 100});
    options.number(
        "--top-p P", sampler.topP,
        "Sample from the most likely tokens with this total probability; 0 or 1: from all (default: 0.9)",
        "a number from 0 to 1", {.least = 0, .most = 1});
    options.integer("--top-k", sampler.topK,
                    "Sample from this many most likely tokens instead (default: 0, off)");
    options.integer("--seed", sampler.seed, "Seed of the sampler (default: 0)");
}

}  // namespace

void addGenerateOptions(OptionList& options, GenerateSettings& settings) {
    addModelFile(options, settings.program);
    options.group("Text");
    options
        .file("--tokenizer", settings.tokenizer,
              "Tokenizer: tokenizer.json or its folder, SentencePiece .model, tiktoken ranks, tekken.json, "
              "tokenizer.bin")
        .mustBeGiven();
    options.text(
        "--prompt TEXT|@FILE", settings.prompts,
        "Prompt; @FILE reads it from a file (repeatable: one turn each; default: each line of stdin)");
    options.file(
        "--image", settings.images,
        "Image (PNG, JPEG), or a tensor for the vision encoder (.npy, raw), for the next <image> in the "
        "prompts; without <image>: before the first prompt (repeatable)");
    options.file(
        "--audio", settings.sounds,
        "Sound (WAV), or a tensor for the audio encoder, for the next <audio>, likewise (repeatable)");
    options.integer("--max-tokens", settings.maxTokens,
                    "Stop after this many tokens (default: when the context is full)", 1);
    options.integer("--seq-len", settings.sequenceLength,
                    "Stop at this number of tokens, prompts included (default: the context)", 1);
    options.integer(
        "--start-position", settings.startPosition,
        "Position of the first prompt; the cache before it keeps its initial values (default: 0)");
    options.integer("--bos", settings.bos, "Number of BOS tokens before the first prompt (default: 0)");
    options
        .custom("--eos ID,...", settings.ends, &parseToken, &tokenText,
                "End tokens (default: get_eos_ids of the program, else of the tokenizer)")
        .separatedByCommas();
    options.flag("--ignore-eos", settings.ignoreEos, "Continue after an end token");
    options.text("--stop TEXT", settings.stops, "Stop before this text (repeatable)");
    options.text("--chat-template TEXT|@FILE|auto", settings.chat.form,
                 "Template of a prompt: a text with {prompt} for the prompt and \\n for a new line; a Jinja "
                 "template; @FILE of one (chat_template.jinja, tokenizer_config.json); auto: the one next to "
                 "the tokenizer");
    options.text("--system TEXT", settings.chat.system, "System message of a Jinja template");
    options.integer("--prefill-chunk", settings.chunk,
                    "Maximum number of tokens per prefill call (default: the program's maximum)", 1);
    options.flag("--warmup", settings.warmup, "Run each method once before measuring");
    addSamplingOptions(options, settings.sampler);
    options.group("Model");
    options.file("--vision-encoder", settings.encoders.vision,
                 "Program with the method vision_encoder (default: MODEL)");
    options.file("--audio-encoder", settings.encoders.audio,
                 "Program with the method audio_encoder (default: MODEL)");
    options.file("--token-embedding", settings.encoders.tokenEmbedding,
                 "Program with the method token_embedding (default: MODEL)");
    addLibraryOptions(options, settings.model);
    addLimitOptions(options, settings.model);
    addTimeout(options, settings.model, "Stop after this time (90s, 5m), keeping the measurements");
    addSandbox(options, settings.model);
    addTarget(options, settings.model);
    options.group("Output");
    options.path("--etdump FILE", settings.trace, "Record a trace (ETDump) to this file");
    options.integer("--max-events", settings.maxEvents,
                    "Maximum number of events per trace; later runs are not recorded (default: 4,000,000)",
                    1);
}

void addSurpriseOption(OptionList& options, GenerateSettings& settings) {
    options.flag("--surprise", settings.surprise,
                 "Report the surprisal of each token, -ln of its probability (json, jsonl)");
}

}  // namespace et::tasks

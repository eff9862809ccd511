#include "app/tasks/generate/conversation.h"

#include "app/embed/convert.h"
#include "app/embed/log.h"
#include "app/embed/runtime_parts.h"
#include "app/embed/source_file.h"

#include <et_inspect/conversation.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace et_inspect {

struct Conversation::Impl {
    std::atomic<bool> stopped = false;  ///< the model refers to it
    std::unique_ptr<et::tasks::Conversation> conversation;
};

namespace {

double toMilliseconds(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e6;
}

et::tasks::GenerateSettings settingsOf(const std::string& program, const std::string& tokenizer,
                                       const ConversationOptions& options) {
    et::tasks::GenerateSettings settings;
    settings.program = program;
    settings.tokenizer = tokenizer;
    settings.trace = options.etdump;
    settings.maxTokens = options.max_tokens;
    settings.sequenceLength = options.seq_len;
    settings.startPosition = options.start_position;
    settings.warmup = options.warmup;
    settings.bos = options.bos;
    settings.chunk = options.prefill_chunk;
    settings.ends = options.eos;
    settings.ignoreEos = options.ignore_eos;
    settings.stops = options.stops;
    settings.sampler = {.temperature = options.temperature,
                        .topP = options.top_p,
                        .topK = options.top_k,
                        .seed = options.seed};
    settings.surprise = options.surprise;
    settings.images = {options.images.begin(), options.images.end()};
    settings.sounds = {options.audio.begin(), options.audio.end()};
    settings.encoders = {.tokenEmbedding = options.token_embedding,
                         .vision = options.vision_encoder,
                         .audio = options.audio_encoder};
    settings.model.threads = options.threads;
    settings.chat = {.form = options.chat_template, .system = options.system};
    return settings;
}

/// A model without what only the tools need: packages, records, emulation and devices.
et::core::Result<std::unique_ptr<et::tasks::Model>> openModel(const std::string& path,
                                                              const ConversationOptions& options,
                                                              const std::atomic<bool>& stopped) {
    auto model = std::make_unique<et::tasks::Model>();
    model->threads = et::kernels::ThreadPool(options.threads);
    model->limits = detail::limitsOf(options.memory_limit);
    model->cancel = &stopped;
    ET_TRY(detail::openPlugins(options.plugins, model->plugins, model->kernels, model->backends));
    Source source(path);
    ET_ASSIGN(model->program, detail::openProgram(source, LoadMode::Mmap));
    for (const std::string& file : options.data) {
        ET_ASSIGN(auto data, et::program::TensorData::open(file));
        model->tensorData.push_back(std::move(data));
    }
    return model;
}

Answer answerOf(et::tasks::Generation generation, double loadMilliseconds) {
    const et::tasks::GenerationFigures figures = figuresOf(generation);
    Answer answer;
    const std::size_t media = generation.mediaPositions();
    for (const et::tasks::GeneratedToken& token : generation.tokens) {
        answer.ids.push_back(token.id);
        answer.tokens.push_back({.id = token.id,
                                 .position = token.position,
                                 .ms = toMilliseconds(token.nanoseconds),
                                 .execute_ms = toMilliseconds(token.executing),
                                 .sample_ms = toMilliseconds(token.sampling),
                                 .surprise = token.surprise.value_or(0)});
    }
    answer.text = std::move(generation.text);
    answer.prompt_ids = std::move(generation.promptIds);
    answer.end = static_cast<AnswerEnd>(generation.end);
    answer.position = generation.endPosition;
    answer.statistics = {.load_ms = loadMilliseconds,
                         .tokenize_ms = toMilliseconds(figures.tokenizing),
                         .prefill_ms = toMilliseconds(figures.prefill),
                         .first_token_ms = toMilliseconds(figures.firstToken),
                         .decode_ms = toMilliseconds(figures.decode),
                         .sample_ms = toMilliseconds(figures.sampling),
                         .execute_ms = toMilliseconds(figures.executing),
                         .total_ms = toMilliseconds(figures.total),
                         .prefill_rate = figures.prefillRate,
                         .decode_rate = figures.decodeRate,
                         .prompt_tokens = answer.prompt_ids.size() + media,
                         .generated_tokens = answer.ids.size()};
    return answer;
}

}  // namespace

std::string_view name(AnswerEnd end) {
    return generationEndName(static_cast<et::tasks::GenerationEnd>(end));
}

Conversation::Conversation(std::unique_ptr<Impl> content) : impl(std::move(content)) {
}
Conversation::~Conversation() = default;
Conversation::Conversation(Conversation&&) noexcept = default;
Conversation& Conversation::operator=(Conversation&&) noexcept = default;

Result<Conversation> Conversation::open(const std::string& program, const std::string& tokenizer,
                                        const ConversationOptions& options) {
    auto impl = std::make_unique<Impl>();
    auto opened = et::tasks::Conversation::open(settingsOf(program, tokenizer, options),
                                                [&] { return openModel(program, options, impl->stopped); });
    if (!opened) {
        return detail::errorOf(opened.error());
    }
    impl->conversation = *std::move(opened);
    for (const std::string& warning : impl->conversation->warnings()) {
        detail::log(LogLevel::Warning, warning);
    }
    return Conversation(std::move(impl));
}

Result<Answer> Conversation::say(std::string_view prompt,
                                 const std::function<void(std::string_view)>& on_text) {
    et::tasks::ProgressReporter progress({.mode = et::tasks::ProgressMode::None}, std::nullopt);
    auto generation = impl->conversation->say(prompt, progress, {.text = on_text});
    impl->stopped = false;
    if (!generation) {
        return detail::errorOf(generation.error());
    }
    const et::tasks::LanguageModel& language = impl->conversation->language();
    return answerOf(*std::move(generation), toMilliseconds(language.loadEnd - language.loadStart));
}

void Conversation::stop() {
    impl->stopped = true;
}

Result<void> Conversation::reset() {
    return detail::resultOf(impl->conversation->restart());
}

Result<void> Conversation::finish_trace() {
    return detail::resultOf(impl->conversation->finish());
}

Result<std::vector<std::uint32_t>> Conversation::encode(std::string_view text) const {
    auto ids = impl->conversation->tokenizer().encode(text);
    return ids ? Result<std::vector<std::uint32_t>>(*std::move(ids))
               : Result<std::vector<std::uint32_t>>(detail::errorOf(ids.error()));
}

Result<std::string> Conversation::decode(std::span<const std::uint32_t> ids) const {
    auto text = impl->conversation->tokenizer().decode(ids);
    return text ? Result<std::string>(*std::move(text)) : Result<std::string>(detail::errorOf(text.error()));
}

std::size_t Conversation::context_length() const {
    return impl->conversation->language().form.context;
}

std::size_t Conversation::vocabulary_size() const {
    return impl->conversation->language().form.vocabulary;
}

std::size_t Conversation::position() const {
    return impl->conversation->language().run->position();
}

std::vector<std::string> Conversation::warnings() const {
    return impl->conversation->warnings();
}

}  // namespace et_inspect

#include "app/tasks/generate/conversation.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/generate/perplexity.h"
#include "inspector/names/phase_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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

/// Cuts streamed text at the first of several stop texts. Holds back text that may be the start of a stop
/// text until the match is decided.
class StopText {
  public:
    /// Ignores empty texts.
    explicit StopText(std::vector<std::string> texts);

    /// Returns the text that can be shown now.
    [[nodiscard]] std::string push(std::string_view piece);
    /// Returns the text held back.
    [[nodiscard]] std::string flush();
    [[nodiscard]] bool stopped() const { return found; }

  private:
    std::vector<std::string> stops;
    std::string held;
    bool found = false;
};

StopText::StopText(std::vector<std::string> texts) : stops(std::move(texts)) {
    std::erase_if(stops, [](const std::string& text) { return text.empty(); });
}

std::string StopText::push(std::string_view piece) {
    if (found) {
        return {};
    }
    held += piece;
    std::size_t cut = std::string::npos;
    for (const std::string& stop : stops) {
        cut = std::min(cut, held.find(stop));
    }
    if (cut != std::string::npos) {
        found = true;
        std::string shown = held.substr(0, cut);
        held.clear();
        return shown;
    }
    std::size_t kept = 0;
    for (const std::string& stop : stops) {
        for (std::size_t length = std::min(stop.size() - 1, held.size()); length > kept; --length) {
            if (held.ends_with(std::string_view(stop).substr(0, length))) {
                kept = length;
                break;
            }
        }
    }
    std::string shown = held.substr(0, held.size() - kept);
    held.erase(0, held.size() - kept);
    return shown;
}

std::string StopText::flush() {
    return std::exchange(held, {});
}

/// Maximum number of tokens reserved in advance: a context may be long and is rarely filled.
constexpr std::size_t mostReserved = std::size_t{1} << 16;

/// The text of generated tokens, up to a stop text.
class TextOut {
  public:
    TextOut(const inspector::Tokenizer& tokenizer, const std::vector<std::string>& stops,
            const GenerationListener& hears)
        : stream(tokenizer), stop(stops), listener(hears) {}

    /// Adds a token without notifying the listener.
    Result<> push(TokenId id) {
        ET_ASSIGN(const std::string piece, stream.push(id));
        text += stop.push(piece);
        return {};
    }
    /// Passes new text to the listener as that of a token.
    void show(const GeneratedToken& token) {
        const std::string_view fresh = showText();
        if (listener.token) {
            listener.token(token, fresh);
        }
    }
    [[nodiscard]] bool listens() const { return listener.text || listener.token; }
    void finish() {
        if (!stop.stopped()) {
            text += stop.push(stream.flush());
            text += stop.flush();
        }
        showText();
    }
    [[nodiscard]] bool stopped() const { return stop.stopped(); }
    std::string text;

  private:
    std::string_view showText() {
        const std::string_view fresh = std::string_view(text).substr(shown);
        if (!fresh.empty() && listener.text) {
            listener.text(fresh);
        }
        shown = text.size();
        return fresh;
    }

    inspector::TokenStream stream;
    StopText stop;
    const GenerationListener& listener;
    std::size_t shown = 0;  ///< characters of the text passed on so far
};

Result<std::unique_ptr<Conversation>> Conversation::open(const GenerateSettings& settings) {
    return open(settings, [&] { return Model::prepare(settings.program, settings.model); });
}

Result<std::unique_ptr<Conversation>> Conversation::open(const GenerateSettings& settings,
                                                         const ModelOpener& opener) {
    auto made = std::unique_ptr<Conversation>(new Conversation());
    made->settings = settings;
    ET_ASSIGN(made->words, inspector::openTokenizer(settings.tokenizer.string()));
    ET_ASSIGN(made->prompts, ChatPrompts::make(settings.chat, settings.tokenizer, *made->words));
    if (!settings.trace.empty()) {
        ET_TRY(refuseToReplace(settings.trace, {settings.program, settings.tokenizer}));
        etdump::RecorderOptions options{.traceFile = settings.trace};
        options.maxEvents = settings.maxEvents.value_or(options.maxEvents);
        ET_ASSIGN(made->recorder, etdump::Recorder::create(options));
    }
    const std::uint64_t loadStart = EventTracer::now();
    ET_ASSIGN(auto model, opener());
    ET_ASSIGN(EncoderParts encoders, EncoderParts::open(settings.encoders, settings.model));
    ET_ASSIGN(made->loaded, LanguageModel::load(std::move(model), settings.model.caches, made->recorder.get(),
                                                loadStart, std::move(encoders)));
    made->media = PromptMedia(settings.images, settings.sounds);
    ET_TRY(made->checkMedia());
    made->ends = made->endTokens();
    made->findOddities();
    ET_TRY(made->begin());
    return made;
}

Result<> Conversation::restart() {
    ET_TRY(loaded->reset());
    ET_ASSIGN(prompts, ChatPrompts::make(settings.chat, settings.tokenizer, *words));
    pending.clear();
    media.restart();
    turns = 0;
    return begin();
}

std::vector<TokenId> Conversation::endTokens() const {
    if (!settings.ends.empty()) {
        return settings.ends;
    }
    std::vector<TokenId> found;
    for (const std::int64_t id : loaded->metadata.eos) {
        if (id >= 0 && id <= std::numeric_limits<TokenId>::max()) {
            found.push_back(static_cast<TokenId>(id));
        }
    }
    return found.empty() ? words->eos() : found;
}

/// Seeds the sampler, warms up, and goes to the start position.
Result<> Conversation::begin() {
    sampler.emplace(settings.sampler, loaded->form.vocabulary);
    if (settings.warmup) {
        ET_TRY(loaded->warmUp());
    }
    if (settings.startPosition == 0) {
        return {};
    }
    if (!loaded->form.hasCache()) {
        return fail(ErrorCode::InvalidArgument, "--start-position: the program has no KV cache");
    }
    if (!loaded->form.takesPositions()) {
        return fail(ErrorCode::InvalidArgument,
                    "--start-position: the program counts positions itself, from 0");
    }
    if (settings.startPosition >= loaded->form.context) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--start-position: expected a position below the context of {}, got {}",
                                loaded->form.context, settings.startPosition));
    }
    loaded->run->setPosition(settings.startPosition);
    return {};
}

/// Maximum number of positions.
std::size_t Conversation::length() const {
    const std::size_t context = loaded->form.context;
    return settings.sequenceLength == 0 ? context : std::min(context, settings.sequenceLength);
}

void Conversation::findOddities() {
    const std::size_t known = words->vocabularySize();
    const std::size_t given = loaded->form.vocabulary;
    if (known != given) {
        oddities.push_back(fmt::format("the tokenizer has {} tokens, the program returns {} logits{}", known,
                                       given, given > known ? "; tokens without text are never chosen" : ""));
    }
    const auto bos = words->bos();
    if (bos && loaded->metadata.bos && static_cast<std::int64_t>(*bos) != *loaded->metadata.bos) {
        oddities.push_back(fmt::format("BOS is {} in the tokenizer and {} in the program (get_bos_id)", *bos,
                                       *loaded->metadata.bos));
    }
    if (const auto end = prompts->turnEnd(*words); end && !std::ranges::contains(ends, *end)) {
        oddities.push_back(fmt::format(
            "the chat template ends a turn with {} (token {}), which is no end token{}: answers go on after "
            "it",
            core::printable(words->piece(*end)), *end,
            loaded->metadata.eos.empty() ? " of the tokenizer" : " of the program (get_eos_ids)"));
    }
}

void Conversation::addToken(Generation& generation, std::uint32_t id, std::uint64_t executing,
                            std::uint64_t sampleStart) {
    const std::uint64_t now = EventTracer::now();
    const std::uint64_t before = generation.tokens.empty() ? generation.times.start : resumed;
    generation.tokens.push_back({.id = id,
                                 .position = loaded->run->position(),
                                 .nanoseconds = now - before,
                                 .executing = executing,
                                 .sampling = now - sampleStart});
    generation.times.end = now;
    resumed = now;
}

/// Adds the text of a token and notifies the listener. The time of listeners is excluded.
Result<> Conversation::tell(GeneratedToken& token, TextOut& out, std::span<const float> choices) {
    ET_TRY(out.push(token.id));
    if (!out.listens() && !settings.surprise) {
        return {};
    }
    const std::uint64_t start = EventTracer::now();
    if (settings.surprise) {
        token.surprise = negativeLogLikelihood(choices, token.id);
    }
    out.show(token);
    resumed += EventTracer::now() - start;
    return {};
}

Result<> Conversation::decode(Generation& generation, TextOut& out, ProgressReporter& watch) {
    // Same rule as the runner: the first token after the prompt is always the most likely one.
    const std::size_t choices = std::min(loaded->form.vocabulary, words->vocabularySize());
    std::uint64_t sampleStart = EventTracer::now();
    std::uint64_t executing = generation.times.prefilled - generation.times.tokenized;
    std::span<const float> chances = logits.last().first(choices);
    std::uint32_t id = inspector::mostLikely(chances);
    while (true) {
        addToken(generation, id, executing, sampleStart);
        generation.times.firstToken =
            generation.tokens.size() == 1 ? generation.times.end : generation.times.firstToken;
        watch.step();
        pending.assign(1, id);
        ET_TRY(tell(generation.tokens.back(), out, chances));
        const bool isEnd = !settings.ignoreEos && std::ranges::contains(ends, id);
        if (isEnd || out.stopped()) {
            generation.end = isEnd ? GenerationEnd::EndToken : GenerationEnd::StopText;
            return {};
        }
        if (settings.maxTokens != 0 && generation.tokens.size() >= settings.maxTokens) {
            generation.end = GenerationEnd::MaxTokens;
            return {};
        }
        if (length() < loaded->form.context && loaded->run->position() + 1 >= length()) {
            generation.end = GenerationEnd::SequenceLength;
            return {};
        }
        if (loaded->run->position() >= loaded->form.context) {
            generation.end = GenerationEnd::ContextFull;
            return {};
        }
        auto next = loaded->run->decode(id);
        if (!next) {
            return std::unexpected(loaded->programError(std::move(next).error()));
        }
        pending.clear();
        const StepCall& call = loaded->run->lastCall();
        generation.decode.push_back(call);
        executing = call.executionEnd - call.executionStart;
        sampleStart = call.end;
        chances = next->last().first(choices);
        id = sampler->choose(chances);
    }
}

void Conversation::mark(const inspector::PhaseMark& what, std::uint64_t start, std::uint64_t end) {
    if (recorder != nullptr) {
        marks.push_back({.name = phaseMarkName(what), .start = start, .end = end});
    }
}

/// Records the phases of the executions in the trace.
void Conversation::markCalls(const Generation& generation) {
    const auto add = [this](const inspector::PhaseMark& what, std::uint64_t start, std::uint64_t end) {
        mark(what, start, end);
    };
    for (const StepCall& call : generation.prefill) {
        add({.phase = "prefill", .call = prefillCalls++, .position = call.position, .tokens = call.tokens},
            call.start, call.end);
    }
    for (std::size_t i = 0; i < generation.decode.size(); ++i) {
        const StepCall& call = generation.decode[i];
        add({.phase = "decode", .call = decodeCalls, .position = call.position, .tokens = call.tokens},
            call.start, call.end);
        if (i + 1 < generation.tokens.size()) {
            const GeneratedToken& token = generation.tokens[i + 1];
            add({.phase = "sample", .call = decodeCalls, .position = token.position}, call.end,
                call.end + token.sampling);
        }
        ++decodeCalls;
    }
}

Result<Generation> Conversation::say(std::string_view prompt, ProgressReporter& watch,
                                     const GenerationListener& listener) {
    Generation generation;
    generation.prompt = prompt;
    generation.pendingIds = pending;
    generation.firstPosition = loaded->run->position();
    generation.times.start = EventTracer::now();
    ET_TRY(readPrompt(prompt, generation));
    generation.times.tokenized = EventTracer::now();
    mark({.phase = generation.media.empty() ? "tokenize" : "preprocess",
          .call = turns,
          .position = generation.firstPosition},
         generation.times.start, generation.times.tokenized);
    const std::size_t most = length() - std::min(length(), loaded->run->position());
    generation.tokens.reserve(
        std::min({settings.maxTokens == 0 ? most + 1 : settings.maxTokens, most + 1, mostReserved}));
    generation.decode.reserve(generation.tokens.capacity());
    watch.begin("generate", std::max<std::size_t>(settings.maxTokens, 1));
    TextOut out(*words, settings.stops, listener);
    if (listener.prompted) {
        listener.prompted(generation);
        const std::uint64_t told = EventTracer::now() - generation.times.tokenized;
        generation.times.start += told;
        generation.times.tokenized += told;
    }
    auto done = prefill(generation);
    if (done) {
        done = decode(generation, out, watch);
    }
    out.finish();
    generation.text = std::move(out.text);
    const bool hasEnd = generation.end == GenerationEnd::EndToken && !generation.tokens.empty();
    const std::string end = hasEnd ? words->piece(generation.tokens.back().id) : std::string();
    const std::string_view answer = generation.text;
    prompts->answered(answer.substr(0, answer.size() - (answer.ends_with(end) ? end.size() : 0)), end);
    generation.endPosition = loaded->run->position();
    markCalls(generation);
    ++turns;
    if (!done && done.error().code != ErrorCode::Cancelled) {
        return std::unexpected(std::move(done).error());
    }
    if (!done) {
        generation.end = GenerationEnd::Interrupted;
    }
    return generation;
}

Result<> Conversation::finish() {
    if (recorder == nullptr) {
        return {};
    }
    if (!marks.empty()) {
        recorder->beginRun(inspector::phaseBlockName);
        for (const Mark& each : marks) {
            recorder->profile(recorder->name(each.name), {}, each.start, each.end);
        }
        recorder->endRun();
        marks.clear();
    }
    return recorder->finish();
}

}  // namespace et::tasks

#include "app/output/generate/generation_report.h"

#include "inspector/memory/cache_tensors.h"
#include "runtime/core/process_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace et::output {
namespace {

using core::Result;

constexpr std::int64_t generateSchema = 1;

double inMilliseconds(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e6;
}

Cell rateCell(double rate) {
    return rate > 0 ? Cell(rate) : Cell();
}

Cell itemCell(const inspector::ProgramConstant::Item& item) {
    return std::visit([](const auto& value) { return Cell(value); }, item);
}

std::vector<std::uint64_t> idsOf(const std::vector<inspector::TokenId>& ids) {
    return {ids.begin(), ids.end()};
}

std::vector<std::uint64_t> idsOf(const std::vector<tasks::GeneratedToken>& tokens) {
    std::vector<std::uint64_t> ids;
    ids.reserve(tokens.size());
    for (const tasks::GeneratedToken& token : tokens) {
        ids.push_back(token.id);
    }
    return ids;
}

Dict tokenInfo(const tasks::GeneratedToken& token) {
    Dict info{{"id", std::uint64_t{token.id}},
              {"position", static_cast<std::uint64_t>(token.position)},
              {"ms", inMilliseconds(token.nanoseconds)},
              {"execute_ms", inMilliseconds(token.executing)},
              {"sample_ms", inMilliseconds(token.sampling)}};
    if (token.surprise) {
        info.emplace_back("surprise", *token.surprise);
    }
    return info;
}

List tokenInfo(const std::vector<tasks::GeneratedToken>& tokens) {
    return listOf(tokens, [](const tasks::GeneratedToken& token) { return tokenInfo(token); });
}

List callInfo(const std::vector<inspector::StepCall>& calls) {
    return listOf(calls, [&](const inspector::StepCall& call) {
        return Dict{{"position", static_cast<std::uint64_t>(call.position)},
                    {"tokens", static_cast<std::uint64_t>(call.tokens)},
                    {"ms", inMilliseconds(call.executionEnd - call.executionStart)}};
    });
}

Dict stepInfo(const inspector::MediaStep& step) {
    return {{"step", step.name},
            {"dtype", core::scalarTypeName(step.dtype)},
            {"sizes", step.sizes},
            {"min", step.least},
            {"max", step.most},
            {"mean", step.mean},
            {"not_finite", step.notFinite}};
}

List mediaInfo(const std::vector<tasks::MediaPart>& media) {
    return listOf(media, [](const tasks::MediaPart& part) {
        return Dict{{"kind", std::string(inspector::modalityName(part.modality))},
                    {"file", part.file.string()},
                    {"position", static_cast<std::uint64_t>(part.position)},
                    {"positions", static_cast<std::uint64_t>(part.positions)},
                    {"embeddings", static_cast<std::uint64_t>(part.rows)},
                    {"preprocess_ms", inMilliseconds(part.preparing)},
                    {"encode_ms", inMilliseconds(part.encoding)},
                    {"prefill_ms", inMilliseconds(part.prefilling)},
                    {"steps", listOf(part.input.steps, stepInfo)}};
    });
}

/// Memory use of a generation.
struct MemoryUse {
    inspector::CacheBytes cache;
    std::uint64_t cacheUsed = 0;
    std::uint64_t weights = 0;
    double weightRate = 0;  ///< bytes per second
    std::uint64_t peak = 0;
};

Result<MemoryUse> memoryUse(const tasks::LanguageModel& language, const tasks::Generation& generation,
                            const tasks::GenerationFigures& figures) {
    ET_ASSIGN(const inspector::CacheBytes caches, language.cacheBytes());
    MemoryUse use{
        .cache = caches, .weights = language.weightBytesPerToken(), .peak = core::peakResidentBytes()};
    ET_ASSIGN(use.cacheUsed, language.usedCacheBytes(generation.endPosition));
    use.weightRate = static_cast<double>(use.weights) * figures.decodeRate;
    return use;
}

Dict memoryInfo(const MemoryUse& use) {
    return {{"kv_reserved", use.cache.reserved},
            {"kv_used", use.cacheUsed},
            {"kv_per_token", use.cache.perToken},
            {"weights_per_token", use.weights},
            {"weight_gb_per_second", rateCell(use.weightRate / 1e9)},
            {"peak_resident", use.peak}};
}

Dict timeInfo(const tasks::LanguageModel& language, const tasks::GenerationFigures& figures) {
    return {{"load", inMilliseconds(language.loadEnd - language.loadStart)},
            {"tokenize", inMilliseconds(figures.tokenizing)},
            {"prefill", inMilliseconds(figures.prefill)},
            {"first_token", inMilliseconds(figures.firstToken)},
            {"decode", inMilliseconds(figures.decode)},
            {"sample", inMilliseconds(figures.sampling)},
            {"total", inMilliseconds(figures.total)}};
}

Dict decodeInfo(const tasks::Generation& generation, const tasks::GenerationFigures& figures) {
    return {{"tokens", static_cast<std::uint64_t>(figures.between.size())},
            {"ms", inMilliseconds(figures.decode)},
            {"tokens_per_second", rateCell(figures.decodeRate)},
            {"inter_token_ms", figures.between.empty()
                                   ? Cell()
                                   : Cell(Dict{{"p50", inMilliseconds(figures.percentile(0.5))},
                                               {"p90", inMilliseconds(figures.percentile(0.9))},
                                               {"p99", inMilliseconds(figures.percentile(0.99))},
                                               {"max", inMilliseconds(figures.between.back())}})},
            {"execute_ms", inMilliseconds(figures.executing)},
            {"sampling_share", figures.samplingShare()},
            {"overhead_share", figures.overheadShare()},
            {"calls", callInfo(generation.decode)}};
}

std::string mediaText(const std::vector<tasks::MediaPart>& media) {
    std::string text;
    for (const tasks::MediaPart& part : media) {
        text += fmt::format("{}: {} embeddings{}, pre-process {}, encode {}, prefill {}: {}\n",
                            inspector::modalityName(part.modality), part.rows,
                            part.positions == 0 ? "" : fmt::format(" from position {}", part.position),
                            readableTime(static_cast<double>(part.preparing)),
                            readableTime(static_cast<double>(part.encoding)),
                            readableTime(static_cast<double>(part.prefilling)), part.file.string());
    }
    return text;
}

}  // namespace

std::string mediaStepsText(const tasks::Generation& generation) {
    std::string text;
    for (const tasks::MediaPart& part : generation.media) {
        text += fmt::format("{}:\n", part.file.string());
        for (const inspector::MediaStep& step : part.input.steps) {
            text += fmt::format("  {}: {} [{}], {:.6g} to {:.6g}, mean {:.6g}{}\n", step.name,
                                core::scalarTypeName(step.dtype), fmt::join(step.sizes, ", "), step.least,
                                step.most, step.mean,
                                step.notFinite == 0 ? "" : fmt::format(", {} not finite", step.notFinite));
        }
    }
    return text;
}

Dict languageInfo(const tasks::LanguageModel& language) {
    Dict constants;
    for (const inspector::ProgramConstant& constant : language.metadata.constants) {
        List items;
        for (const auto& item : constant.items) {
            items.push_back(itemCell(item));
        }
        constants.emplace_back(constant.name, items.size() == 1 ? items.front() : Cell(items));
    }
    const inspector::LanguageForm& form = language.form;
    List methods{std::string(form.prefill.method->name)};
    if (form.separateMethods) {
        methods.emplace_back(std::string(form.decode.method->name));
    }
    return {{"methods", methods},
            {"context", static_cast<std::uint64_t>(form.context)},
            {"tokens_per_call", static_cast<std::uint64_t>(form.chunk)},
            {"vocabulary", static_cast<std::uint64_t>(form.vocabulary)},
            {"cache", form.hasCache()},
            {"metadata", constants}};
}

Result<Dict> generationReport(const tasks::GenerateSettings& settings,
                              const tasks::Conversation& conversation, const tasks::Generation& generation) {
    const tasks::GenerationFigures figures = tasks::figuresOf(generation);
    const tasks::LanguageModel& language = conversation.language();
    ET_ASSIGN(const MemoryUse memory, memoryUse(language, generation, figures));
    Dict report{{"schema", generateSchema},
                {"file", settings.program.string()},
                {"tokenizer",
                 Dict{{"file", settings.tokenizer.string()},
                      {"format", std::string(conversation.tokenizer().format())},
                      {"vocabulary", static_cast<std::uint64_t>(conversation.tokenizer().vocabularySize())}}},
                {"model", languageInfo(language)},
                {"threads", static_cast<std::uint64_t>(language.model->threads.threads())},
                {"prompt", generation.prompt},
                {"prompt_ids", idsOf(generation.promptIds)},
                {"pending_ids", idsOf(generation.pendingIds)},
                {"ids", idsOf(generation.tokens)},
                {"text", generation.text},
                {"end", std::string(tasks::generationEndName(generation.end))},
                {"positions", Dict{{"first", static_cast<std::uint64_t>(generation.firstPosition)},
                                   {"end", static_cast<std::uint64_t>(generation.endPosition)}}},
                {"prefill", Dict{{"tokens", static_cast<std::uint64_t>(generation.prefilledTokens())},
                                 {"ms", inMilliseconds(figures.prefill)},
                                 {"tokens_per_second", rateCell(figures.prefillRate)},
                                 {"calls", callInfo(generation.prefill)}}},
                {"decode", decodeInfo(generation, figures)},
                {"time_ms", timeInfo(language, figures)},
                {"memory", memoryInfo(memory)},
                {"tokens", tokenInfo(generation.tokens)}};
    if (!generation.media.empty()) {
        report.emplace_back("media", mediaInfo(generation.media));
    }
    return report;
}

Result<Dict> promptEvent(const tasks::Conversation& conversation, const tasks::Generation& generation) {
    inspector::TokenStream stream(conversation.tokenizer());
    std::uint64_t position = generation.firstPosition + generation.pendingIds.size();
    // Nothing is encoded yet, so positions after an image or a sound are unknown.
    const std::size_t known =
        generation.media.empty() ? generation.promptIds.size() : generation.media.front().textBefore;
    List tokens;
    for (const inspector::TokenId id : generation.promptIds) {
        ET_ASSIGN(std::string text, stream.push(id));
        tokens.emplace_back(Dict{{"id", std::uint64_t{id}},
                                 {"position", tokens.size() < known ? Cell(position++) : Cell()},
                                 {"text", std::move(text)}});
    }
    return Dict{{"event", std::string("prompt")}, {"tokens", std::move(tokens)}};
}

Dict tokenEvent(const tasks::GeneratedToken& token, std::string_view text) {
    Dict event{{"event", std::string("token")}, {"text", std::string(text)}};
    std::ranges::move(tokenInfo(token), std::back_inserter(event));
    return event;
}

Result<std::string> generationText(const tasks::Conversation& conversation,
                                   const tasks::Generation& generation) {
    const tasks::GenerationFigures figures = tasks::figuresOf(generation);
    const tasks::LanguageModel& language = conversation.language();
    ET_ASSIGN(const MemoryUse memory, memoryUse(language, generation, figures));
    std::string text = mediaText(generation.media);
    text += fmt::format(
        "load {}, tokenize {}, first token {}\n"
        "prefill: {} tokens in {} calls, {}, {:.1f} tokens/s\n",
        readableTime(static_cast<double>(language.loadEnd - language.loadStart)),
        readableTime(static_cast<double>(figures.tokenizing)),
        readableTime(static_cast<double>(figures.firstToken)), generation.prefilledTokens(),
        generation.prefill.size(), readableTime(static_cast<double>(figures.prefill)), figures.prefillRate);
    if (!figures.between.empty()) {
        text += fmt::format("decode:  {} tokens, {}, {:.1f} tokens/s; p50 {}, p90 {}, p99 {}; sampling {}\n",
                            figures.between.size(), readableTime(static_cast<double>(figures.decode)),
                            figures.decodeRate, readableTime(static_cast<double>(figures.percentile(0.5))),
                            readableTime(static_cast<double>(figures.percentile(0.9))),
                            readableTime(static_cast<double>(figures.percentile(0.99))),
                            readablePercent(figures.samplingShare()));
        text += fmt::format("weights: {} per token, {:.2f} GB/s\n", readableBytes(memory.weights),
                            memory.weightRate / 1e9);
    }
    text += fmt::format("context: {} of {} positions, KV cache {} of {}; peak memory {}; ended by {}\n",
                        generation.endPosition, language.form.context, readableBytes(memory.cacheUsed),
                        readableBytes(memory.cache.reserved), readableBytes(memory.peak),
                        tasks::generationEndName(generation.end));
    return text;
}

}  // namespace et::output

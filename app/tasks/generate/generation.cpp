#include "app/tasks/generate/generation.h"

#include "runtime/core/event_tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace et::tasks {
namespace {

constexpr std::array<std::string_view, 6> endNames{"end token", "max tokens",   "sequence length",
                                                   "stop text", "context full", "interrupted"};
constexpr double nanosecondsPerSecond = 1e9;

double rate(std::size_t count, std::uint64_t nanoseconds) {
    return nanoseconds == 0
               ? 0
               : static_cast<double>(count) * nanosecondsPerSecond / static_cast<double>(nanoseconds);
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t between(std::uint64_t start, std::uint64_t end) {
    return start == 0 || end < start ? 0 : end - start;
}

/// Converts times of our clock to milliseconds of the wall clock.
class WallClock {
  public:
    WallClock()
        : nowNanoseconds(core::EventTracer::now()),
          nowMilliseconds(std::chrono::duration_cast<std::chrono::milliseconds>(
                              std::chrono::system_clock::now().time_since_epoch())
                              .count()) {}
    [[nodiscard]] std::int64_t at(std::uint64_t moment) const {
        const auto ago = static_cast<std::int64_t>(nowNanoseconds - moment);
        return moment == 0 ? 0 : nowMilliseconds - (ago / 1'000'000);
    }

  private:
    std::uint64_t nowNanoseconds;
    std::int64_t nowMilliseconds;
};

}  // namespace

std::string_view generationEndName(GenerationEnd end) {
    return endNames[static_cast<std::size_t>(end)];
}

std::uint64_t GenerationFigures::percentile(double part) const {
    if (between.empty()) {
        return 0;
    }
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(between.size())));
    return between[std::clamp<std::size_t>(rank, 1, between.size()) - 1];
}

double GenerationFigures::samplingShare() const {
    return share(sampling, decode);
}

double GenerationFigures::overheadShare() const {
    return decode == 0 ? 0 : 1 - share(std::min(decode, sampling + executing), decode);
}

std::size_t Generation::mediaPositions() const {
    std::size_t positions = 0;
    for (const MediaPart& each : media) {
        positions += each.positions;
    }
    return positions;
}

GenerationFigures figuresOf(const Generation& generation) {
    const GenerationTimes& times = generation.times;
    GenerationFigures figures{.tokenizing = between(times.start, times.tokenized),
                              .prefill = between(times.tokenized, times.prefilled),
                              .firstToken = between(times.start, times.firstToken),
                              .total = between(times.start, times.end),
                              .between = {}};
    for (const MediaPart& each : generation.media) {
        figures.preparing += each.preparing;
        figures.encoding += each.encoding;
    }
    figures.tokenizing -= std::min(figures.tokenizing, figures.preparing);
    for (std::size_t i = 1; i < generation.tokens.size(); ++i) {
        figures.between.push_back(generation.tokens[i].nanoseconds);
        figures.decode += generation.tokens[i].nanoseconds;
        figures.sampling += generation.tokens[i].sampling;
        figures.executing += generation.tokens[i].executing;
    }
    std::ranges::sort(figures.between);
    figures.prefillRate = times.prefilled == 0 ? 0 : rate(generation.prefilledTokens(), figures.prefill);
    figures.decodeRate = rate(figures.between.size(), figures.decode);
    return figures;
}

std::string observerLine(const Generation& generation, std::uint64_t loadStart, std::uint64_t loadEnd) {
    const WallClock clock;
    const GenerationTimes& times = generation.times;
    const std::int64_t start = clock.at(times.start);
    const std::int64_t prefilled = clock.at(times.prefilled);
    const std::int64_t end = clock.at(std::max(times.end, times.prefilled));
    const std::size_t prompt = generation.promptIds.size() + generation.mediaPositions();
    const std::size_t generated = generation.tokens.empty() ? 0 : generation.tokens.size() - 1;
    const auto& calls = generation.decode.empty() ? generation.prefill : generation.decode;
    const inspector::StepCall last = calls.empty() ? inspector::StepCall() : calls.back();
    std::uint64_t sampling = 0;
    std::uint64_t executing = 0;
    for (std::size_t i = 1; i < generation.tokens.size(); ++i) {
        sampling += generation.tokens[i].sampling;
    }
    for (const auto* list : {&generation.prefill, &generation.decode}) {
        for (const inspector::StepCall& call : *list) {
            executing += call.executionEnd - call.executionStart;
        }
    }
    std::string line = "PyTorchObserver {";
    if (prefilled > start) {
        line += fmt::format("\"prefill_token_per_sec\":{:.6g},",
                            1000.0 * static_cast<double>(prompt) / static_cast<double>(prefilled - start));
    }
    if (end > prefilled) {
        line += fmt::format("\"decode_token_per_sec\":{:.6g},",
                            1000.0 * static_cast<double>(generated) / static_cast<double>(end - prefilled));
    }
    line += fmt::format(
        "\"prompt_tokens\":{},\"generated_tokens\":{},\"model_load_start_ms\":{},\"model_load_end_ms\":{},",
        prompt, generated, clock.at(loadStart), clock.at(loadEnd));
    line += fmt::format(
        "\"inference_start_ms\":{},\"inference_end_ms\":{},\"model_execution_start_ms\":{},"
        "\"model_execution_end_ms\":{},",
        start, end, clock.at(last.executionStart), clock.at(last.executionEnd));
    line += fmt::format(
        "\"prompt_eval_end_ms\":{},\"first_token_ms\":{},\"aggregate_sampling_time_ms\":{},"
        "\"aggregate_model_execution_time_ms\":{},\"SCALING_FACTOR_UNITS_PER_SECOND\":1000}}",
        prefilled, clock.at(times.firstToken), sampling / 1'000'000, executing / 1'000'000);
    return line;
}

}  // namespace et::tasks

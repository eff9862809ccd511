#include "app/tasks/generate/language_bench.h"

#include "app/tasks/generate/language_model.h"
#include "inspector/generate/sampler.h"
#include "runtime/core/event_tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace et::tasks {
namespace {

using core::EventTracer;
using core::Result;

/// One repetition.
Result<> measureOnce(LanguageModel& language, const std::vector<std::uint32_t>& prompt, BenchCell& cell,
                     bool counts) {
    if (!language.form.hasCache() || language.form.takesPositions()) {
        language.run->setPosition(0);
    } else {
        ET_TRY(language.reset());
    }
    const std::uint64_t start = EventTracer::now();
    std::uint32_t token = 0;
    if (!prompt.empty()) {
        ET_ASSIGN(const auto logits, language.run->prefill(prompt));
        token = inspector::mostLikely(logits.last());
    }
    const std::uint64_t prefilled = EventTracer::now();
    for (std::size_t i = 0; i < cell.generate; ++i) {
        ET_ASSIGN(const auto logits, language.run->decode(token));
        token = inspector::mostLikely(logits.last());
    }
    const std::uint64_t end = EventTracer::now();
    if (counts && !prompt.empty()) {
        cell.prefill.push_back(prefilled - start);
    }
    if (counts && cell.generate > 0) {
        cell.decode.push_back(end - prefilled);
    }
    return {};
}

Result<> measureCell(LanguageModel& language, Repetitions repetitions, BenchCell& cell,
                     ProgressReporter& watch) {
    if (cell.prompt + cell.generate > language.form.context) {
        cell.skipped = fmt::format("longer than the context of {}", language.form.context);
        return {};
    }
    std::mt19937_64 random(16);
    std::vector<std::uint32_t> prompt(cell.prompt);
    std::ranges::generate(prompt,
                          [&] { return static_cast<std::uint32_t>(random() % language.form.vocabulary); });
    for (std::size_t i = 0; i < repetitions.warmup + repetitions.measured; ++i) {
        ET_TRY(measureOnce(language, prompt, cell, i >= repetitions.warmup));
        watch.step();
    }
    return {};
}

}  // namespace

BenchRate rateOf(std::size_t tokens, const std::vector<std::uint64_t>& nanoseconds) {
    BenchRate rate;
    std::vector<double> rates;
    for (const std::uint64_t each : nanoseconds) {
        rates.push_back(static_cast<double>(tokens) * 1e9 /
                        static_cast<double>(std::max<std::uint64_t>(each, 1)));
        rate.mean += rates.back() / static_cast<double>(nanoseconds.size());
    }
    if (rates.empty()) {
        return rate;
    }
    double squares = 0;
    for (const double each : rates) {
        squares += (each - rate.mean) * (each - rate.mean);
    }
    rate.deviation = rates.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(rates.size() - 1));
    rate.lowest = std::ranges::min(rates);
    rate.highest = std::ranges::max(rates);
    return rate;
}

Result<std::vector<BenchCell>> benchLanguage(const std::filesystem::path& program,
                                             const ModelOptions& options, const BenchMatrix& matrix,
                                             ProgressReporter& watch) {
    std::vector<BenchCell> cells;
    watch.begin("bench", matrix.threads.size() * matrix.promptTokens.size() * matrix.generateTokens.size() *
                             (matrix.repetitions.warmup + matrix.repetitions.measured));
    for (const std::size_t threads : matrix.threads) {
        ModelOptions each = options;
        each.threads = threads;
        ET_ASSIGN(const auto language, LanguageModel::open(program, each, nullptr));
        for (const std::size_t prompt : matrix.promptTokens) {
            for (const std::size_t generate : matrix.generateTokens) {
                BenchCell cell{.file = program.string(),
                               .threads = language->model->threads.threads(),
                               .prompt = prompt,
                               .generate = generate,
                               .prefill = {},
                               .decode = {},
                               .skipped = {}};
                auto measured = measureCell(*language, matrix.repetitions, cell, watch);
                if (!measured && measured.error().code != core::ErrorCode::Cancelled) {
                    return std::unexpected(language->programError(std::move(measured).error()));
                }
                if (!measured) {
                    return cells;
                }
                cells.push_back(std::move(cell));
            }
        }
    }
    return cells;
}

}  // namespace et::tasks

#include "app/tasks/base/interruption.h"
#include "app/tasks/generate/cache_content.h"
#include "app/tasks/generate/language_checks.h"
#include "app/tasks/generate/perplexity.h"
#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "inspector/session/record_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::Result;
using inspector::GapRow;
using inspector::LanguagePhase;

/// Maximum differences that rounding explains between a program and the graph it was exported from.
struct RecordLimits {
    double divergence;  ///< KL in nats, at any position
    double cache;       ///< relative difference of a cache
    double own;         ///< an operator's own error relative to its largest value
};
constexpr RecordLimits exactLimits{.divergence = 1e-6, .cache = 1e-4, .own = 1e-3};
/// With quantized intermediate values, a value that rounds the other way differs by a whole step.
constexpr RecordLimits quantizedLimits{.divergence = 0.05, .cache = 0.1, .own = 0.1};

/// Finds where a program and its graph diverge, and which layer or operator causes it.
class RecordChecks {
  public:
    RecordChecks(const CheckContext& given, RecordLogits& reference)
        : ground(given), record(reference), limits(reference.isQuantized() ? quantizedLimits : exactLimits) {}

    Result<std::vector<LanguageCheck>> run();

  private:
    Result<bool> step(std::size_t at);
    Result<> name(LanguageCheck& check, std::size_t tokens);
    Result<bool> nameByCache(LanguageCheck& check, std::size_t tokens);
    Result<> nameByOperator(LanguageCheck& check);
    [[nodiscard]] const GapRow* culprit(const inspector::NumericGap& gap) const;

    const CheckContext& ground;
    RecordLogits& record;
    RecordLimits limits;
    double worst = 0;
    std::vector<LanguageCheck> checks;
};

/// "m.layers.3.attention.wo" -> 3
std::optional<std::size_t> layerInName(std::string_view name) {
    for (const std::string_view part : {"layers.", "layer.", "h.", "blocks."}) {
        const std::size_t at = name.find(part);
        if (at != std::string_view::npos && (at == 0 || name[at - 1] == '.')) {
            const std::string_view digits = name.substr(at + part.size());
            std::size_t number = 0;
            std::size_t length = 0;
            while (length < digits.size() && length < 6 && digits[length] >= '0' && digits[length] <= '9') {
                number = (number * 10) + static_cast<std::size_t>(digits[length++] - '0');
            }
            if (length > 0) {
                return number;
            }
        }
    }
    return std::nullopt;
}

/// Moves the position dimension of a buffer first, as in CacheRows.
std::vector<float> byPosition(const RecordLogits::Buffer& buffer, std::size_t dimension) {
    std::size_t inner = 1;
    for (std::size_t dim = dimension + 1; dim < buffer.sizes.size(); ++dim) {
        inner *= static_cast<std::size_t>(buffer.sizes[dim]);
    }
    const auto positions = static_cast<std::size_t>(buffer.sizes[dimension]);
    if (positions == 0) {
        return {};
    }
    const std::size_t width = buffer.values.size() / positions;
    std::vector<float> rows(buffer.values.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t position = (i / inner) % positions;
        rows[(position * width) + ((i / (inner * positions)) * inner) + (i % inner)] = buffer.values[i];
    }
    return rows;
}

/// Returns the differences between the caches and the record's buffers, in the order of the buffers. Programs
/// may store a layer's keys and values in a different order than the graph, so within a layer the closest
/// ones are paired.
std::optional<std::vector<double>> cacheDifferences(const std::vector<CacheRows>& caches,
                                                    const std::vector<RecordLogits::Buffer>& buffers,
                                                    std::size_t tokens) {
    if (caches.empty() || caches.size() != buffers.size()) {
        return std::nullopt;
    }
    std::vector<double> differences(buffers.size(), 0);
    for (std::size_t first = 0; first < buffers.size();) {
        std::size_t end = first + 1;
        while (end < buffers.size() && layerInName(buffers[end].name) == layerInName(buffers[first].name)) {
            ++end;
        }
        std::vector<std::size_t> free;
        for (std::size_t i = first; i < end; ++i) {
            free.push_back(i);
        }
        std::vector<std::size_t> open = free;
        while (!open.empty()) {
            double least = std::numeric_limits<double>::infinity();
            std::pair<std::size_t, std::size_t> pair{open.front(), free.front()};
            for (const std::size_t buffer : open) {
                for (const std::size_t cache : free) {
                    const std::size_t dimension = caches[cache].cache.dimension;
                    const bool isLike = buffers[buffer].values.size() == caches[cache].values.size() &&
                                        dimension < buffers[buffer].sizes.size() &&
                                        buffers[buffer].sizes[dimension] ==
                                            static_cast<std::int64_t>(caches[cache].positions);
                    if (!isLike) {
                        return std::nullopt;
                    }
                    const double apart =
                        relativeDifference(caches[cache], byPosition(buffers[buffer], dimension), tokens);
                    if (apart < least) {
                        least = apart;
                        pair = {buffer, cache};
                    }
                }
            }
            differences[pair.first] = least;
            std::erase(open, pair.first);
            std::erase(free, pair.second);
        }
        first = end;
    }
    return differences;
}

/// Names the layer of the first cache that differs. If only one of a layer's caches differs, that layer is
/// wrong; if all differ, its input is already wrong, unless it is the first layer.
Result<bool> RecordChecks::nameByCache(LanguageCheck& check, std::size_t tokens) {
    ET_ASSIGN(const std::vector<CacheRows> caches, cacheContent(ground.language));
    const std::vector<RecordLogits::Buffer>& buffers = record.buffers();
    const auto differences = cacheDifferences(caches, buffers, tokens);
    if (!differences) {
        return false;
    }
    const auto differs = [&](std::size_t cache) { return (*differences)[cache] > limits.cache; };
    const auto layerAt = [&](std::size_t cache) { return layerInName(buffers[cache].name); };
    std::size_t index = 0;
    while (index < buffers.size() && !differs(index)) {
        ++index;
    }
    if (index == buffers.size()) {
        check.layer = layerAt(buffers.size() - 1);
        check.place = "after the last cache: attention, feed-forward or output";
        return true;
    }
    bool all = true;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        all = all && (layerAt(i) != layerAt(index) || differs(i));
    }
    check.layer = layerAt(index);
    check.place = fmt::format("values written to {}", buffers[index].name);
    if (all && index > 0 && layerAt(index) != layerAt(index - 1)) {
        check.layer = layerAt(index - 1);
        check.place = fmt::format("between {} and {}", buffers[index - 1].name, buffers[index].name);
    }
    return true;
}

/// The first operator whose own error exceeds rounding.
const GapRow* RecordChecks::culprit(const inspector::NumericGap& gap) const {
    for (const GapRow& row : gap.rows) {
        if (!row.own || row.pairs.empty()) {
            continue;
        }
        double largest = 0;
        for (const inspector::GapPair& pair : row.pairs) {
            for (const auto* side : {&pair.reference.statistics, &pair.runtime.statistics}) {
                largest = std::max({largest, std::abs(side->minimum), std::abs(side->maximum)});
            }
        }
        if (largest > 0 && row.own->own > limits.own * largest) {
            return &row;
        }
    }
    return nullptr;
}

Result<ReferenceValue> numbersAsTensor(std::span<const std::uint32_t> numbers,
                                       std::span<const std::int64_t> sizes) {
    auto owner = std::make_shared<std::vector<std::int64_t>>(numbers.begin(), numbers.end());
    ET_ASSIGN(const core::Tensor view,
              core::Tensor::make(core::ScalarType::Long, sizes, reinterpret_cast<std::byte*>(owner->data())));
    return ReferenceValue{.content = ReferenceTensor{.view = view, .owner = owner}};
}

/// Compares all values of both sides on the first call of the text.
Result<> RecordChecks::nameByOperator(LanguageCheck& check) {
    LanguageModel& language = ground.language;
    const std::size_t count = std::min(ground.tokens.size(), language.form.chunk);
    const std::span<const std::uint32_t> tokens = std::span(ground.tokens).first(count);
    const std::array sizes{std::int64_t{1}, static_cast<std::int64_t>(count)};
    ET_ASSIGN(ReferenceValue given, numbersAsTensor(tokens, sizes));
    ET_ASSIGN(ReferenceValue place,
              numbersAsTensor(std::array<std::uint32_t, 1>{0}, std::array<std::int64_t, 1>{1}));
    const std::array inputs{std::move(given), std::move(place)};
    ET_TRY(language.reset());
    inspector::ValueTracer tracer(language.model->limits.memoryBytes);
    executor::Module module = language.model->newModule(&tracer);
    ET_ASSIGN(inspector::LanguageRun run, inspector::LanguageRun::load(module, language.form));
    ET_TRY(run.callAt(LanguagePhase::Prefill, tokens, 0).transform([](const auto&) {}));
    const inspector::RuntimeValues values = tracer.take();
    const program::Method& method = *language.form.prefill.method;
    ET_ASSIGN(const auto gap, inspector::calculateGap({.record = record.source(),
                                                       .method = method.name,
                                                       .runtime = values,
                                                       .program = &method,
                                                       .inputs = inputs,
                                                       .inputsName = "tokens",
                                                       .kernels = language.model->kernels,
                                                       .threads = language.model->threads,
                                                       .cancel = &InterruptionGuard::requested()},
                                                      {.ownErrors = true}));
    if (const GapRow* row = culprit(*gap)) {
        const auto layer = layerInName(row->module);
        if (!layer || !check.layer || layer == check.layer) {
            check.layer = layer ? layer : check.layer;
            check.place = fmt::format("{}{}{}", row->referenceOps.empty() ? "" : row->referenceOps.back(),
                                      row->module.empty() ? "" : " of ", row->module);
        }
    }
    return {};
}

Result<> RecordChecks::name(LanguageCheck& check, std::size_t tokens) {
    ET_TRY(nameByCache(check, tokens).transform([](bool) {}));
    // Operators would be paired wrongly if the program's shapes differ from the record's.
    if (inspector::contradiction(record.source(), *ground.language.form.prefill.method)) {
        return {};
    }
    auto named = nameByOperator(check);
    return !named && named.error().code == ErrorCode::Cancelled ? named : Result<>();
}

/// Returns false if they diverge.
Result<bool> RecordChecks::step(std::size_t at) {
    auto logits = ground.language.run->decode(ground.tokens[at]);
    if (!logits) {
        if (logits.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(logits).error());
        }
        checks.push_back({.name = "record",
                          .verdict = CheckVerdict::Fail,
                          .message = logits.error().toString(),
                          .phase = "decode",
                          .position = at});
        return false;
    }
    ET_ASSIGN(const std::span<const float> expected, record.step(ground.tokens[at]));
    if (expected.size() != logits->last().size()) {
        checks.push_back({.name = "record",
                          .verdict = CheckVerdict::Fail,
                          .message = fmt::format("the program returns {} logits, the graph {}",
                                                 logits->last().size(), expected.size()),
                          .phase = "decode",
                          .position = at});
        return false;
    }
    const PredictionDifference difference = differenceOf(logits->last(), expected);
    worst =
        std::isnan(difference.divergence) ? difference.divergence : std::max(worst, difference.divergence);
    if (difference.divergence <= limits.divergence) {
        return true;
    }
    LanguageCheck check{
        .name = "record",
        .verdict = CheckVerdict::Fail,
        .message =
            fmt::format("logits differ from those of the graph: KL {:.3g} nats, largest difference {:.3g}",
                        difference.divergence, difference.maxLogit),
        .phase = "decode",
        .position = at,
        .measured = difference.divergence,
        .limit = limits.divergence};
    ET_TRY(name(check, at + 1));
    checks.push_back(std::move(check));
    return false;
}

Result<std::vector<LanguageCheck>> RecordChecks::run() {
    ET_TRY(ground.language.reset());
    record.keepBuffers();
    ET_TRY(record.restart());
    for (std::size_t at = 0; at < ground.tokens.size(); ++at) {
        ground.watch.step();
        ET_ASSIGN(const bool same, step(at));
        if (!same) {
            return std::move(checks);
        }
    }
    checks.push_back({.name = "record",
                      .message = "logits match the graph at every position",
                      .measured = worst,
                      .limit = limits.divergence});
    return std::move(checks);
}

}  // namespace

Result<std::vector<LanguageCheck>> checkRecord(const CheckContext& ground, RecordLogits& record) {
    return RecordChecks(ground, record).run();
}

}  // namespace et::tasks

#include "inspector/findings/detail/language_input.h"
#include "inspector/findings/detail/rules.h"
#include "inspector/format/quantities.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace et::inspector::findings::detail {
namespace {

constexpr double weightShare = 0.5;                // share of decode time in products with weights
constexpr std::uint64_t cachedBytes = 8ULL << 20;  // fewer bytes may stay in a processor's cache
constexpr double memorySpeed = 4e9;  // bytes per second; if slower, memory is not the bottleneck
constexpr double minLogits = 0.2;
constexpr double minCacheCopies = 0.05;
constexpr double minUndelegated = 0.2;
constexpr std::size_t minPrefillCalls = 4;

/// Operators that write to caches: the whole copy added by the exporter, or a copy of its rows.
constexpr std::array<std::string_view, 8> cacheWriters{"copy_",        "index_put",     "index_put_",
                                                       "index_copy",   "index_copy_",   "slice_scatter",
                                                       "update_cache", "select_scatter"};

/// Null if the trace is not from a language model, or has no such phase.
const PhaseInput* phaseOf(const RuleInput& input, std::string_view name) {
    return input.language == nullptr ? nullptr : input.language->find(name);
}

std::string callsOf(std::string_view phase) {
    return phase == decodePhase ? "a decode step" : fmt::format("a {} call", phase);
}

/// Finding for matching events of a phase, with their time in one call and their location.
template <class Test>
std::optional<Finding> phaseFinding(const RuleInput& input, const PhaseInput& phase, Test test) {
    Finding finding;
    double time = 0;
    for (const PhaseRow& each : phase.rows) {
        if (!test(each)) {
            continue;
        }
        const Event& event = *each.row->event;
        time += each.time;
        finding.method = each.row->block->method;
        if (event.chain == 0 && event.instruction.value >= 0 &&
            !std::ranges::contains(finding.instructions, event.instruction)) {
            finding.instructions.push_back(event.instruction);
        }
        std::ranges::copy(event.handles, std::back_inserter(finding.handles));
    }
    if (time <= 0 || phase.time <= 0) {
        return std::nullopt;
    }
    input.weigh(finding, time, phase.time);
    return finding;
}

std::string costText(const Finding& finding, std::string_view phase) {
    return fmt::format("{} of {} ({})", weightText(finding), callsOf(phase),
                       format::readablePercent(finding.share));
}

/// Sums of the matching rows, per call.
template <class Test>
GrowthFit fitOf(const Growth& growth, Test test) {
    std::vector<GrowthSample> sums = growth.all.samples;
    std::ranges::for_each(sums, [](GrowthSample& sample) { sample.time = 0; });
    for (const GrowthRow& row : growth.rows) {
        for (std::size_t i = 0; test(row) && i < sums.size(); ++i) {
            sums[i].time += row.samples[i].time;
        }
    }
    return fitGrowth(sums);
}

}  // namespace

void findWeightBoundDecode(const RuleInput& input, Findings& out) {
    const PhaseInput* const decode = phaseOf(input, decodePhase);
    if (decode == nullptr || input.language->weightBytes < cachedBytes) {
        return;
    }
    auto finding = phaseFinding(input, *decode, [](const PhaseRow& row) { return isLinear(row.op); });
    if (!finding || finding->unit != FindingUnit::Nanoseconds || finding->share < weightShare) {
        return;
    }
    const auto bytes = static_cast<double>(input.language->weightBytes);
    const double speed = bytes / (finding->weight / 1e9);
    if (speed < memorySpeed) {
        return;
    }
    finding->title = fmt::format("decode reads {} of weights per token, at {:.1f} GB/s: {}",
                                 format::readableBytes(input.language->weightBytes), speed / 1e9,
                                 costText(*finding, decodePhase));
    finding->explanation =
        "Every token reads all weights once and computes little with each, so memory bandwidth limits the "
        "speed. Weights of fewer bits (8da4w instead of float32), a smaller vocabulary or tied embeddings "
        "make it faster; more threads help only until the bandwidth is used up.";
    out.push_back(*std::move(finding));
}

void findGrowingAttention(const RuleInput& input, Findings& out) {
    if (input.language == nullptr || !input.language->growth || !input.language->growth->byPosition) {
        return;
    }
    const Growth& growth = *input.language->growth;
    const GrowthFit attention = fitOf(growth, [](const GrowthRow& row) { return isAttention(row.group); });
    const GrowthFit rest = fitOf(growth, [](const GrowthRow& row) { return !isAttention(row.group); });
    const bool grows = attention.kind == GrowthKind::Linear || attention.kind == GrowthKind::Power;
    if (!grows || rest.kind == GrowthKind::Unknown) {
        return;
    }
    const bool level = rest.kind == GrowthKind::Constant;
    const double start = level ? (rest.first + rest.last) / 2 : rest.base;
    const double faster = attention.slope - (level ? 0 : rest.slope);
    const double last = std::ranges::max(growth.all.samples, {}, &GrowthSample::position).position;
    // Without the program, the context is estimated as a few times the largest seen.
    const double context =
        input.language->form ? static_cast<double>(input.language->form->context) : 4 * last;
    const double crossing =
        faster > 0 ? std::max(0.0, std::ceil((start - attention.base) / faster)) : context;
    if (crossing >= context) {
        return;
    }
    const PhaseInput& decode = *input.language->find(decodePhase);
    auto finding = phaseFinding(input, decode, [](const PhaseRow& row) { return isAttention(row.op); });
    if (!finding) {
        return;
    }
    input.weigh(*finding, attention.last, attention.last + rest.last);
    finding->title = fmt::format(
        "attention takes at least half of a decode step from position {:.0f} on: {} at position {:.0f} ({}), "
        "{} more per 1,000 positions",
        crossing, weightText(*finding), last, format::readablePercent(finding->share),
        input.timeText(attention.slope * 1000));
    finding->explanation =
        "Attention reads the whole cache for every token. A fused operator (custom_sdpa), fewer key and "
        "value heads, a quantized cache or a sliding window reduce its growth.";
    out.push_back(*std::move(finding));
}

void findCostlyLogits(const RuleInput& input, Findings& out) {
    for (const std::string_view name : {prefillPhase, decodePhase}) {
        const PhaseInput* const phase = phaseOf(input, name);
        if (phase == nullptr) {
            continue;
        }
        const PhaseRow* last = nullptr;
        std::size_t products = 0;
        for (const PhaseRow& row : phase->rows) {
            if (isLinear(row.op) && !row.row->hasParts) {
                last = &row;
                ++products;
            }
        }
        if (products < 2) {
            continue;
        }
        auto finding = phaseFinding(input, *phase, [&](const PhaseRow& row) { return &row == last; });
        if (!finding || finding->share < minLogits) {
            continue;
        }
        finding->title = fmt::format("the logits (`{}`, the last of {} matrix products) take {}",
                                     core::printable(last->op), products, costText(*finding, name));
        finding->explanation = name == prefillPhase
                                   ? "Only the last token of a prompt needs logits. Export a program that "
                                     "computes only those (generate_full_logits off)."
                                   : "The output layer is as wide as the vocabulary. Quantize it too, or use "
                                     "a smaller vocabulary; many exports keep it in float32.";
        out.push_back(*std::move(finding));
    }
}

void findCacheCopies(const RuleInput& input, Findings& out) {
    const PhaseInput* const decode = phaseOf(input, decodePhase);
    if (decode == nullptr) {
        return;
    }
    auto finding = phaseFinding(input, *decode, [](const PhaseRow& row) {
        const std::string_view kernel = names::detail::kernelOperator(row.row->event->name);
        return std::ranges::contains(cacheWriters,
                                     kernel.empty() ? names::detail::nodeOperator(row.op) : kernel);
    });
    if (!finding || finding->share < minCacheCopies) {
        return;
    }
    finding->title = fmt::format("writing the KV cache takes {}", costText(*finding, decodePhase));
    finding->explanation =
        "A step adds one position to each cache. If it takes this long, whole caches are copied, and the "
        "time grows with the reserved context: write in place (llama::update_cache), or reserve less.";
    out.push_back(*std::move(finding));
}

void findPrefillByToken(const RuleInput& input, Findings& out) {
    const PhaseInput* const prefill = phaseOf(input, prefillPhase);
    if (prefill == nullptr || prefill->calls < minPrefillCalls) {
        return;
    }
    for (const RunPhase& run : input.language->blocks->phases().runs) {
        if (run.phase == prefillPhase && run.tokens != 1) {
            return;
        }
    }
    auto finding = phaseFinding(input, *prefill, [](const PhaseRow&) { return true; });
    if (!finding) {
        return;
    }
    input.weigh(*finding, prefill->time * static_cast<double>(prefill->calls), input.language->time);
    finding->instructions.clear();
    finding->handles.clear();
    finding->title =
        fmt::format("the prompt is processed token by token: {} calls, {} ({} of the time)", prefill->calls,
                    weightText(*finding), format::readablePercent(finding->share));
    finding->explanation =
        "Each call reads all weights for one token. A method that accepts many tokens reads them once for "
        "all of them: export with a dynamic length (enable_dynamic_shape), or with a prefill method in "
        "addition to decode.";
    out.push_back(*std::move(finding));
}

void findUndelegatedPhases(const RuleInput& input, Findings& out) {
    for (const std::string_view name : {prefillPhase, decodePhase}) {
        const PhaseInput* const phase = phaseOf(input, name);
        const auto isDelegated = [](const PhaseRow& row) {
            return row.row->event->delegated || row.row->event->name == names::detail::delegateCall;
        };
        if (phase == nullptr || std::ranges::none_of(phase->rows, isDelegated)) {
            continue;
        }
        std::map<std::string, double> times;
        const auto isOutside = [](const PhaseRow& row) {
            return !row.row->event->delegated && !names::detail::kernelOperator(row.row->event->name).empty();
        };
        for (const PhaseRow& row : phase->rows) {
            if (isOutside(row)) {
                times[row.op] += row.time;
            }
        }
        auto finding = phaseFinding(input, *phase, isOutside);
        if (!finding || finding->share < minUndelegated) {
            continue;
        }
        const auto most = std::ranges::max_element(times, {}, &std::pair<const std::string, double>::second);
        finding->title =
            fmt::format("operators outside delegates take {}, most of it `{}` ({})", costText(*finding, name),
                        core::printable(most->first), format::readablePercent(most->second / phase->time));
        finding->explanation =
            "Operators that were not delegated run on the runtime's own kernels. In decode, where every "
            "operator is small, they take a larger share than in prefill.";
        out.push_back(*std::move(finding));
    }
}

}  // namespace et::inspector::findings::detail

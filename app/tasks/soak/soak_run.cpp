#include "app/tasks/soak/soak_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/rewrite/part_maker.h"
#include "app/tasks/rewrite/part_value_sources.h"
#include "app/tasks/soak/soak_rounds.h"
#include "etdump/trace.h"
#include "inspector/join/event_blocks.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/event_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::uint64_t mostValueBytes = std::uint64_t{4} << 30U;

/// Keeps the first occurrence of each kind.
class FirstOfKinds {
  public:
    void look(const ValueSite& site, const core::Tensor& tensor) {
        ++out.values;
        const KindCounts counts = countKinds(tensor);
        for (std::size_t i = 0; i < numberKinds; ++i) {
            const auto kind = static_cast<NumberKind>(i);
            if (counts[kind] > 0 && !std::ranges::contains(out.origins, kind, &KindOrigin::kind)) {
                out.origins.push_back({.kind = kind, .site = site, .counts = counts});
            }
        }
    }
    TracedOrigins take() { return std::move(out); }

  private:
    TracedOrigins out;
};

void lookAt(const inspector::RuntimeCall& call, FirstOfKinds& first) {
    std::string_view name = call.name;
    if (name.starts_with(core::event_name::kernelPrefix)) {
        name.remove_prefix(core::event_name::kernelPrefix.size());
    }
    ValueSite site{.chain = call.chain, .instruction = call.instruction, .name = std::string(name)};
    for (const backends::reference::ReferenceValue& value : call.values) {
        if (const auto* const tensor = std::get_if<backends::reference::ReferenceTensor>(&value.content)) {
            first.look(site, tensor->view);
        }
        ++site.position;
    }
}

bool isDelegateCall(const PartMaker& maker, std::int32_t instruction) {
    const auto& instructions = maker.whole().chains.front().instructions;
    return instruction >= 0 && static_cast<std::size_t>(instruction) < instructions.size() &&
           std::holds_alternative<program::DelegateCall>(instructions[static_cast<std::size_t>(instruction)]);
}

/// Adds input sets until there are as many as the program itself was executed on.
Result<> addOtherInputs(PartMaker& maker, const ModelOptions& options) {
    while (maker.inputs().size() < 2) {
        ET_ASSIGN(InputSet set, randomInputs(maker.whole(), options.seed + maker.inputs().size(),
                                             maker.base().limits.memoryBytes));
        maker.inputs().push_back(std::move(set));
    }
    return {};
}

/// Cuts out the call alone, with a case for each input set.
Result<ByteVector> callAlone(PartMaker& maker, const ModelOptions& options, std::size_t instruction) {
    ET_TRY(addOtherInputs(maker, options));
    ET_ASSIGN(const PartChoice choice, withNumberProducers(maker.whole(), {.instructions = {instruction}}));
    ET_TRY(maker.cut(choice));
    ET_TRY(maker.makeInputs());
    ET_TRY(maker.expectFromPart());
    return maker.bundle();
}

Result<std::shared_ptr<const InnerFailures>> innerFailures(PartMaker& maker, const SoakSettings& settings,
                                                           const SoakFailure& failure,
                                                           ProgressReporter& watch) {
    const auto instruction = static_cast<std::size_t>(failure.example.site.instruction);
    ET_ASSIGN(ByteVector bytes, callAlone(maker, settings.options, instruction));
    RoundSettings rounds{.options = settings.options,
                         .runs = settings.runs,
                         .seconds = settings.seconds,
                         .threads = settings.threads,
                         .inside = true};
    rounds.options.inputs.clear();
    rounds.options.testCase.reset();
    for (std::size_t i = 0; i < soakVariants; ++i) {
        rounds.variants[i] = failure.byVariant[i] > 0;
    }
    ET_ASSIGN(
        SoakResult result,
        soakRounds(core::MappedFile::fromMemory(std::move(bytes), settings.model.string()), rounds, watch));
    InnerFailures inside{
        .runs = result.runs, .differing = result.differing, .failures = std::move(result.failures)};
    for (SoakFailure& each : inside.failures) {
        ValueSite& site = each.example.site;
        site.instruction = site.instruction < 0 ? site.instruction : failure.example.site.instruction;
        if (site.inner) {
            each.node = nodeOf(maker.whole(), instruction, *site.inner);
        }
    }
    return std::make_shared<const InnerFailures>(std::move(inside));
}

/// Names the operators inside a delegate whose call differs: cuts the call out of the program, with its
/// inputs from the first execution, and runs it in the variants in which it differed. Sets
/// SoakFailure::inside or innerProblem; does nothing if the failure is in a kernel.
void locateInsideDelegate(const SoakSettings& settings, const std::string& method, SoakFailure& failure,
                          ProgressReporter& watch) {
    ModelOptions options = settings.options;
    options.method = method;
    const ValueSite& site = failure.example.site;
    if (site.chain != 0 || site.instruction < 0) {
        return;
    }
    const auto maker = PartMaker::open(settings.model, options, mostSoakCases);
    if (!maker || !isDelegateCall(**maker, site.instruction)) {
        return;
    }
    if ((*maker)->base().device != nullptr) {
        failure.innerProblem = "it ran on another device; extract the call, and soak it there";
        return;
    }
    auto inside = innerFailures(**maker, settings, failure, watch);
    if (inside) {
        failure.inside = *std::move(inside);
    } else {
        failure.innerProblem = inside.error().message;
    }
}

constexpr std::array variantInfos{
    SoakVariantInfo{"again", "it is not deterministic"},
    SoakVariantInfo{"fresh", "reloading it changes the results"},
    SoakVariantInfo{"poison", "it reads uninitialized memory"},
    SoakVariantInfo{"between", "it depends on earlier inputs"},
    SoakVariantInfo{"threads", "it depends on the number of threads"},
};
static_assert(variantInfos.size() == soakVariants);

/// Logarithm of the binomial coefficient (of choose count).
double logChoices(double of, double count) {
    return std::lgamma(of + 1) - std::lgamma(count + 1) - std::lgamma(of - count + 1);
}

/// Probability of at most `count` successes in `of` trials with probability `p`.
double atMost(std::size_t count, std::size_t of, double p) {
    double sum = 0;
    for (std::size_t i = 0; i <= count; ++i) {
        const auto k = static_cast<double>(i);
        const auto n = static_cast<double>(of);
        sum += std::exp(logChoices(n, k) + (k * std::log(p)) + ((n - k) * std::log1p(-p)));
    }
    return sum;
}

/// Finds the p at which a decreasing function has a value.
template <class Function>
double solve(const Function& falling, double value) {
    double low = 0;
    double high = 1;
    constexpr int halvings = 60;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (falling(middle) > value ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

Result<TracedOrigins> tracedOrigins(const std::filesystem::path& trace,
                                    const std::filesystem::path& debugBuffer) {
    ET_ASSIGN(auto events, etdump::Trace::open(trace));
    ET_ASSIGN(auto buffer, core::MappedFile::open(debugBuffer));
    ET_ASSIGN(const auto blocks,
              inspector::EventBlocks::build(std::move(events), nullptr, std::move(buffer)));
    ET_ASSIGN(const inspector::RuntimeValues values, inspector::valuesOf(*blocks, mostValueBytes));
    FirstOfKinds first;
    std::vector<bool> isSeen(values.taps.size());
    const auto lookInside = [&](const auto& isMeant) {
        for (std::size_t i = 0; i < values.taps.size(); ++i) {
            const inspector::TappedValue& tap = values.taps[i];
            if (!isSeen[i] && isMeant(tap)) {
                isSeen[i] = true;
                first.look({.chain = tap.chain, .instruction = tap.instruction, .name = tap.kind},
                           tap.tensor.view);
            }
        }
    };
    for (const inspector::RuntimeCall& call : values.calls) {
        // Values inside a delegate exist before its call ends.
        lookInside([&](const inspector::TappedValue& tap) {
            return tap.chain == call.chain && tap.instruction == call.instruction;
        });
        lookAt(call, first);
    }
    lookInside([](const inspector::TappedValue&) { return true; });
    return first.take();
}

const SoakVariantInfo& traits(SoakVariant variant) {
    return variantInfos[static_cast<std::size_t>(variant)];
}

SoakRate rateOf(std::size_t count, std::size_t of) {
    constexpr double outside = 0.05;
    if (of == 0) {
        return {};
    }
    SoakRate rate{.share = static_cast<double>(count) / static_cast<double>(of), .low = 0, .high = 1};
    // With 0 or all successes, the interval is one-sided.
    const double side = count == 0 || count == of ? outside : outside / 2;
    if (count < of) {
        rate.high = solve([&](double p) { return atMost(count, of, p); }, side);
    }
    if (count > 0) {
        rate.low = solve([&](double p) { return atMost(count - 1, of, p); }, 1 - side);
    }
    return rate;
}

Result<SoakResult> soak(const SoakSettings& settings, ProgressReporter& watch) {
    ET_ASSIGN(auto file, core::MappedFile::open(settings.model));
    ET_ASSIGN(SoakResult result, soakRounds(file,
                                            {.options = settings.options,
                                             .runs = settings.runs,
                                             .seconds = settings.seconds,
                                             .threads = settings.threads},
                                            watch));
    for (SoakFailure& failure : result.failures) {
        if (InterruptionGuard::requested()) {
            break;
        }
        locateInsideDelegate(settings, result.method, failure, watch);
    }
    return result;
}

}  // namespace et::tasks

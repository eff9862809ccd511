#include "app/tasks/soak/inner_rounds.h"

#include "app/tasks/rewrite/part_maker.h"
#include "app/tasks/rewrite/part_value_sources.h"
#include "app/tasks/soak/soak_rounds.h"

#include <memory>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;

bool isDelegateCall(const PartMaker& maker, std::int32_t instruction) {
    const auto& instructions = maker.whole().chains.front().instructions;
    return instruction >= 0 && static_cast<std::size_t>(instruction) < instructions.size() &&
           std::holds_alternative<program::DelegateCall>(instructions[static_cast<std::size_t>(instruction)]);
}

/// Adds input sets until there are as many as the program itself was executed on.
Result<> addOtherInputs(PartMaker& maker, const ModelOptions& options) {
    while (maker.inputCount() < 2) {
        ET_ASSIGN(InputSet set, randomInputs(maker.whole(), options.seed + maker.inputCount(),
                                             maker.base().limits.memoryBytes));
        maker.addInputs(std::move(set));
    }
    return {};
}

/// Cuts out the call alone, with a case for each input set.
Result<ByteVector> callAlone(PartMaker& maker, const ModelOptions& options, std::size_t instruction) {
    ET_TRY(addOtherInputs(maker, options));
    ET_TRY(maker.cut({.instructions = {instruction}}));
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

}  // namespace

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

}  // namespace et::tasks

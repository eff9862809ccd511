#pragma once

#include "app/cli/verb.h"

#include <memory>

/// Factories of the commands, one file each.
namespace et::app {

[[nodiscard]] std::unique_ptr<Verb> makeTableVerb();
[[nodiscard]] std::unique_ptr<Verb> makeTargetVerb();
[[nodiscard]] std::unique_ptr<Verb> makeInfoVerb();
[[nodiscard]] std::unique_ptr<Verb> makeRunVerb();
[[nodiscard]] std::unique_ptr<Verb> makeGenerateVerb();
[[nodiscard]] std::unique_ptr<Verb> makePerplexityVerb();
[[nodiscard]] std::unique_ptr<Verb> makeGrowthVerb();
[[nodiscard]] std::unique_ptr<Verb> makeBenchVerb();
[[nodiscard]] std::unique_ptr<Verb> makeCompareVerb();
[[nodiscard]] std::unique_ptr<Verb> makeBaselineVerb();
[[nodiscard]] std::unique_ptr<Verb> makeImportVerb();
[[nodiscard]] std::unique_ptr<Verb> makeTrendVerb();
[[nodiscard]] std::unique_ptr<Verb> makeDelegatesVerb();
[[nodiscard]] std::unique_ptr<Verb> makeBundleVerb();
[[nodiscard]] std::unique_ptr<Verb> makeMemoryVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSizeVerb();
[[nodiscard]] std::unique_ptr<Verb> makeFitVerb();
[[nodiscard]] std::unique_ptr<Verb> makeLowerVerb();
[[nodiscard]] std::unique_ptr<Verb> makeOptimizeVerb();
[[nodiscard]] std::unique_ptr<Verb> makeQuantizeVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSensitivityVerb();
[[nodiscard]] std::unique_ptr<Verb> makeReplanVerb();
[[nodiscard]] std::unique_ptr<Verb> makeExtractVerb();
[[nodiscard]] std::unique_ptr<Verb> makeReduceVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSoakVerb();
[[nodiscard]] std::unique_ptr<Verb> makeShapesVerb();
[[nodiscard]] std::unique_ptr<Verb> makeMachineVerb();
[[nodiscard]] std::unique_ptr<Verb> makeRooflineVerb();
[[nodiscard]] std::unique_ptr<Verb> makeCountersVerb();
[[nodiscard]] std::unique_ptr<Verb> makeTensorsVerb();
[[nodiscard]] std::unique_ptr<Verb> makeGraphVerb();
[[nodiscard]] std::unique_ptr<Verb> makeUndelegatedVerb();
[[nodiscard]] std::unique_ptr<Verb> makeVerifyVerb();
[[nodiscard]] std::unique_ptr<Verb> makeDiffVerb();
[[nodiscard]] std::unique_ptr<Verb> makeGapVerb();
[[nodiscard]] std::unique_ptr<Verb> makeFindingsVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSqlVerb();
[[nodiscard]] std::unique_ptr<Verb> makeReportVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSessionVerb();
[[nodiscard]] std::unique_ptr<Verb> makeExportVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSampleVerb();
[[nodiscard]] std::unique_ptr<Verb> makeTokenizeVerb();
[[nodiscard]] std::unique_ptr<Verb> makeCompletionsVerb();
[[nodiscard]] std::unique_ptr<Verb> makeManVerb();

}  // namespace et::app

#pragma once

#include "app/cli/command.h"

#include <memory>

/// Factories of the commands, one file each.
namespace et::cli {

[[nodiscard]] std::unique_ptr<Command> makeTableCommand();
[[nodiscard]] std::unique_ptr<Command> makeTargetCommand();
[[nodiscard]] std::unique_ptr<Command> makeInfoCommand();
[[nodiscard]] std::unique_ptr<Command> makeRunCommand();
[[nodiscard]] std::unique_ptr<Command> makeGenerateCommand();
[[nodiscard]] std::unique_ptr<Command> makePerplexityCommand();
[[nodiscard]] std::unique_ptr<Command> makeGrowthCommand();
[[nodiscard]] std::unique_ptr<Command> makeBenchCommand();
[[nodiscard]] std::unique_ptr<Command> makeCompareCommand();
[[nodiscard]] std::unique_ptr<Command> makeBaselineCommand();
[[nodiscard]] std::unique_ptr<Command> makeImportCommand();
[[nodiscard]] std::unique_ptr<Command> makeTrendCommand();
[[nodiscard]] std::unique_ptr<Command> makeDelegatesCommand();
[[nodiscard]] std::unique_ptr<Command> makeBundleCommand();
[[nodiscard]] std::unique_ptr<Command> makeMemoryCommand();
[[nodiscard]] std::unique_ptr<Command> makeSizeCommand();
[[nodiscard]] std::unique_ptr<Command> makeFitCommand();
[[nodiscard]] std::unique_ptr<Command> makeLowerCommand();
[[nodiscard]] std::unique_ptr<Command> makeOptimizeCommand();
[[nodiscard]] std::unique_ptr<Command> makeQuantizeCommand();
[[nodiscard]] std::unique_ptr<Command> makeSensitivityCommand();
[[nodiscard]] std::unique_ptr<Command> makeReplanCommand();
[[nodiscard]] std::unique_ptr<Command> makeExtractCommand();
[[nodiscard]] std::unique_ptr<Command> makeReduceCommand();
[[nodiscard]] std::unique_ptr<Command> makeSoakCommand();
[[nodiscard]] std::unique_ptr<Command> makeShapesCommand();
[[nodiscard]] std::unique_ptr<Command> makeMachineCommand();
[[nodiscard]] std::unique_ptr<Command> makeRooflineCommand();
[[nodiscard]] std::unique_ptr<Command> makeCountersCommand();
[[nodiscard]] std::unique_ptr<Command> makeTensorsCommand();
[[nodiscard]] std::unique_ptr<Command> makeGraphCommand();
[[nodiscard]] std::unique_ptr<Command> makeVerifyCommand();
[[nodiscard]] std::unique_ptr<Command> makeDiffCommand();
[[nodiscard]] std::unique_ptr<Command> makeGapCommand();
[[nodiscard]] std::unique_ptr<Command> makeFindingsCommand();
[[nodiscard]] std::unique_ptr<Command> makeSqlCommand();
[[nodiscard]] std::unique_ptr<Command> makeReportCommand();
[[nodiscard]] std::unique_ptr<Command> makeSessionCommand();
[[nodiscard]] std::unique_ptr<Command> makeExportCommand();
[[nodiscard]] std::unique_ptr<Command> makeSampleCommand();
[[nodiscard]] std::unique_ptr<Command> makeTokenizeCommand();
[[nodiscard]] std::unique_ptr<Command> makeCompletionsCommand();
[[nodiscard]] std::unique_ptr<Command> makeManCommand();

}  // namespace et::cli

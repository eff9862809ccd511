#pragma once

#include "app/cli/command.h"

/// Factories of the commands, one file each.
namespace et::cli {

extern const CommandFactory makeTableCommand;
extern const CommandFactory makeEventsCommand;
extern const CommandFactory makeHelpCommand;
extern const CommandFactory makeTargetCommand;
extern const CommandFactory makeInfoCommand;
extern const CommandFactory makeRunCommand;
extern const CommandFactory makeGenerateCommand;
extern const CommandFactory makePerplexityCommand;
extern const CommandFactory makeGrowthCommand;
extern const CommandFactory makeBenchCommand;
extern const CommandFactory makeCompareCommand;
extern const CommandFactory makeBaselineCommand;
extern const CommandFactory makeImportCommand;
extern const CommandFactory makeTrendCommand;
extern const CommandFactory makeDelegatesCommand;
extern const CommandFactory makeBundleCommand;
extern const CommandFactory makeMemoryCommand;
extern const CommandFactory makeSizeCommand;
extern const CommandFactory makeFitCommand;
extern const CommandFactory makeLowerCommand;
extern const CommandFactory makeOptimizeCommand;
extern const CommandFactory makeProbeCommand;
extern const CommandFactory makeQuantizeCommand;
extern const CommandFactory makeSensitivityCommand;
extern const CommandFactory makeReplanCommand;
extern const CommandFactory makeExtractCommand;
extern const CommandFactory makeReduceCommand;
extern const CommandFactory makeSoakCommand;
extern const CommandFactory makeShapesCommand;
extern const CommandFactory makeMachineCommand;
extern const CommandFactory makeRooflineCommand;
extern const CommandFactory makeCountersCommand;
extern const CommandFactory makeTensorsCommand;
extern const CommandFactory makeGraphCommand;
extern const CommandFactory makeVerifyCommand;
extern const CommandFactory makeDiffCommand;
extern const CommandFactory makeGapCommand;
extern const CommandFactory makeDebugCommand;
extern const CommandFactory makeExplainCommand;
extern const CommandFactory makeFindingsCommand;
extern const CommandFactory makeSqlCommand;
extern const CommandFactory makeReportCommand;
extern const CommandFactory makeServeCommand;
extern const CommandFactory makeSessionCommand;
extern const CommandFactory makeExportCommand;
extern const CommandFactory makePipelineCommand;
extern const CommandFactory makePluginCommand;
extern const CommandFactory makeSampleCommand;
extern const CommandFactory makeTokenizeCommand;
extern const CommandFactory makeTrainCommand;
extern const CommandFactory makeCompletionsCommand;
extern const CommandFactory makeManCommand;
extern const CommandFactory makeMcpCommand;

}  // namespace et::cli

#include "app/tasks/run/run_settings.h"

#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/sanitize/sanitize_options.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace et::tasks {
namespace {

core::Result<std::size_t> parseTokens(std::string_view text) {
    constexpr std::size_t most = std::size_t{1} << 24;
    std::size_t tokens = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tokens);
    if (error != std::errc{} || end != text.data() + text.size() || tokens > most) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected numbers from 0 to {}, got '{}'", most, text));
    }
    return tokens;
}

std::string tokensText(const std::size_t& tokens) {
    return std::to_string(tokens);
}

}  // namespace

void addRunOptions(OptionList& options, RunSettings& settings) {
    addModelFile(options, settings.program);
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addEmulateFlag(options, settings.model);
    addSandbox(options, settings.model);
    addDeviceOptions(options, settings.model);
    options.group("Executions");
    options.integer("--iterations", settings.repetitions.measured, "Number of executions (default: 1)");
    options.integer("--warmup", settings.repetitions.warmup,
                    "Number of unrecorded warm-up executions (default: 0)");
    addSanitize(options, settings.model.sanitize);
    addMemoryReport(options, settings.memoryReport);
    addTraceOptions(options, settings.trace);
}

void addBenchOptions(OptionList& options, BenchSettings& settings) {
    options
        .file("MODEL", settings.files,
              "Programs (.pte) or bundled programs (.bpte), external weights (.ptd) and an ETRecord, "
              "distinguished by content; '-' is stdin")
        .takesFiles(anyProgram)
        .mustBeGiven();
    addModelOptions(options, settings.model,
                    {.threadCounts = &settings.threadCounts, .methods = &settings.methods});
    addCase(options, settings.model);
    addEmulationOptions(options, settings.model);
    addSandbox(options, settings.model);
    addDeviceOptions(options, settings.model);
    options.group("Executions");
    options.integer("--iterations", settings.repetitions.measured,
                    "Number of measured executions (default: 50)", 1);
    options.integer("--warmup", settings.repetitions.warmup, "Number of warm-up executions (default: 10)");
    options
        .flag("--xnnpack-options", settings.xnnpackOptions,
              "Measure each combination of --workspace-sharing-mode and --weight-cache, with all models "
              "loaded at the same time")
        .notWith("--dim");
    options.group("Sizes");
    options.custom("--dim NAME=FIRST..LAST[:STEP]", settings.dims, &parseSizeRange, &sizeRangeText,
                   "Measure these sizes of a dynamic dimension (repeatable)");
    options.group("Language models");
    options.custom("--prompt-tokens N,...", settings.promptTokens, &parseTokens, &tokensText,
                   "Measure prefill of prompts with these numbers of tokens");
    options.custom("--generate-tokens N,...", settings.generateTokens, &parseTokens, &tokensText,
                   "Measure decoding of these numbers of tokens after each prompt");
}

}  // namespace et::tasks

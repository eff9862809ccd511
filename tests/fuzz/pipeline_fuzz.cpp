// Fuzzes manifests of pipelines. Those without files and programs also run, with a small limit of memory.
#include "app/tasks/pipeline/host_steps.h"
#include "app/tasks/pipeline/pipeline_run.h"
#include "app/tasks/pipeline/pipeline_walk.h"
#include "tests/fuzz/support/byte_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using namespace et::tasks;

/// Gives each stage its inputs as outputs.
class Echo final : public StageExecutor {
  public:
    et::core::Result<std::vector<ReferenceTensor>> call(const PipelineStage& stage,
                                                        std::span<const ReferenceTensor> inputs,
                                                        CallTime&) override {
        std::vector<ReferenceTensor> outputs(inputs.begin(), inputs.end());
        outputs.resize(std::max(outputs.size(), stage.outputs.size()));
        return outputs;
    }
};

/// Calls of stages in all loops together.
std::uint64_t callsOf(const std::vector<PipelineStage>& stages) {
    constexpr std::uint64_t many = 1'000'000;
    std::uint64_t calls = 0;
    for (const PipelineStage& stage : stages) {
        calls += stage.loop ? std::min(stage.loop->most, many) * callsOf(stage.stages) : 1;
        calls = std::min(calls, many);
    }
    return calls;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto manifest = parseManifest(text, "pipeline.toml");
    if (!manifest) {
        et::fuzz::require(!manifest.error().message.empty());
        return 0;
    }
    constexpr std::uint64_t mostBytes = 1 << 16;
    constexpr std::uint64_t mostCalls = 200;
    const bool readsFiles =
        std::ranges::any_of(manifest->inputs, [](const PipelineInput& input) { return !input.file.empty(); });
    const bool isLarge = std::ranges::any_of(manifest->inputs, [](const PipelineInput& input) {
        return et::core::tensorBytes(static_cast<std::int64_t>(input.dtype), input.sizes).value_or(0) >
               static_cast<std::int64_t>(mostBytes);
    });
    const bool isSlow = std::ranges::any_of(manifest->allStages(), [](const PipelineStage* stage) {
        return stage->step != nullptr && stage->step == findHostStep("mel");
    });
    if (readsFiles || isLarge || isSlow || callsOf(manifest->stages) > mostCalls) {
        return 0;
    }
    const auto inputs = pipelineInputs(*manifest, {}, mostBytes);
    if (inputs) {
        Echo echo;
        std::ignore = walkPipeline(*manifest, *inputs, echo, mostBytes);
    }
    return 0;
}

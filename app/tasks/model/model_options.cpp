#include "app/tasks/model/model_options.h"

#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

/// More threads only wait for each other and use memory.
constexpr std::uint64_t maxThreadsPerCore = 4;

core::Result<std::int64_t> parseWindow(std::string_view text) {
    std::int64_t positions = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), positions);
    if (error != std::errc() || end != text.data() + text.size() || positions < 0) {
        return core::fail(core::ErrorCode::InvalidArgument, "expected a number of positions");
    }
    return positions;
}

std::string windowText(const std::int64_t& positions) {
    return std::to_string(positions);
}

}  // namespace

void addModelOptions(OptionList& options, ModelOptions& model, ModelLists lists) {
    options.group("Model");
    if (lists.methods == nullptr) {
        options.text("--method NAME", model.method, "Method to run (default: forward, or the only one)");
    } else {
        options.text("--method NAME,...", *lists.methods,
                     "Methods to run, one after the other (default: forward, or the only one)");
    }
    addLibraryOptions(options, model, lists.threadCounts);

    addInputOptions(options, model);
}

void addInputOptions(OptionList& options, ModelOptions& model) {
    options.group("Inputs");
    options.text(
        "--input VALUE", model.inputs,
        "Next input: a file (.npy, .npz, .pt or raw bytes), random, ones, zeros, none or a number; a single "
        "word is used for all inputs (repeatable)");
    addSeed(options, model);

    addLimitOptions(options, model);
    addTimeout(options, model,
               "Stop after this time (90s, 5m), at the next instruction (5 seconds later at the latest)");
}

void addLibraryOptions(OptionList& options, ModelOptions& model, std::vector<std::size_t>* threadCounts) {
    addTensorData(options, model.tensorData);
    addRuntimeOptions(options, model, threadCounts);
    addCacheOptions(options, model.caches);
    addXnnpackOptions(options, model.xnnpack);
}

void addXnnpackOptions(OptionList& options, backends::xnnpack::LoadOptions& xnnpack) {
    using backends::xnnpack::WorkspaceSharing;
    static constexpr std::array sharing{Choice{"disabled", WorkspaceSharing::Disabled},
                                        Choice{"per-model", WorkspaceSharing::PerModel},
                                        Choice{"global", WorkspaceSharing::Global}};
    static constexpr std::array switches{Choice{"on", true}, Choice{"off", false}};
    options.choice("--workspace-sharing-mode", xnnpack.workspaceSharing, sharing,
                   "XNNPACK delegates that share memory for intermediate values: none, those of a model, or "
                   "those of all models (default: per-model)");
    options.choice("--weight-cache", xnnpack.weightCache, switches,
                   "Keep equal packed weights of XNNPACK delegates once (default: on)");
}

void addCacheOptions(OptionList& options, core::KvCacheSettings& caches) {
    static constexpr std::array dtypes{Choice{"fp32", core::ScalarType::Float},
                                       Choice{"fp16", core::ScalarType::Half},
                                       Choice{"bf16", core::ScalarType::BFloat16}};
    options.integer("--kv-max-capacity", caches.capacity,
                    "Positions of KV caches outside the program (default: get_max_ctx_len)");
    options
        .custom("--kv-windows N,...", caches.windows, &parseWindow, &windowText,
                "Sliding windows of these caches, repeated over the layers; 0: none (default: get_windows)")
        .separatedByCommas();
    options.choice("--kv-storage-dtype", caches.dtype, dtypes,
                   "Element type of these caches (default: that of the keys)");
}

void addRuntimeOptions(OptionList& options, ModelOptions& model, std::vector<std::size_t>* threadCounts) {
    options.file(
        "--plugin", model.plugins,
        "Shared library with operators or backends; takes precedence over built-in ones (repeatable)");
    options.text("--backend-off NAME", model.backendsOff, "Disable this backend (repeatable)");
    Option& threads =
        options
            .integer("--threads", model.threads,
                     "Number of threads, at most 4 per CPU core; 0: one per CPU core (default: 1)")
            .atMost(maxThreadsPerCore * std::max(1U, std::thread::hardware_concurrency()));
    if (threadCounts != nullptr) {
        threads.repeatable = true;
        threads.values = [&model, threadCounts] {
            std::vector<std::string> counts;
            for (const std::size_t each : *threadCounts) {
                counts.push_back(std::to_string(each));
            }
            return counts.empty() ? std::vector{std::to_string(model.threads)} : counts;
        };
        threads.separatedByCommas().takes("N,...").store =
            [&model, threadCounts, one = threads.store](const std::string& given) -> core::Result<> {
            ET_TRY(one(given));
            threadCounts->push_back(model.threads);
            return core::Result<>();
        };
    }
}

void addCase(OptionList& options, ModelOptions& model) {
    options.integer("--case", model.testCase, "Use the inputs of this case of a bundled program (default: 0)")
        .in("Inputs");
    addCasesFile(options, model);
}

void addCasesFile(OptionList& options, ModelOptions& model) {
    options.file("--cases", model.cases,
                 "Bundled program (.bpte) with the cases (default: those of the model itself)");
}

void addSeed(OptionList& options, ModelOptions& model) {
    options.integer("--seed", model.seed, "Random seed (default: 0)");
}

void addEmulationOptions(OptionList& options, ModelOptions& model) {
    options.group("Model");
    addRecordFile(
        options, "--etrecord", model.record,
        "ETRecord of the program; emulates delegates of unavailable backends (times are then meaningless)");
    addEmulateFlag(options, model);
}

void addEmulateFlag(OptionList& options, ModelOptions& model) {
    options.group("Model");
    options.flag("--emulate", model.emulate,
                 "Emulate delegates of unavailable backends from the ETRecord next to the program");
}

void addLimitOptions(OptionList& options, ModelOptions& model) {
    options.group("Limits");
    options.integer("--max-memory BYTES", model.memoryBytes,
                    "Maximum memory for planned and growing tensors in bytes (default: 8 GiB)", 1);
    options.integer("--max-instructions", model.instructions,
                    "Maximum number of instructions per execution (default: 1,000,000)", 1);
}

void addTimeout(OptionList& options, ModelOptions& model, std::string help) {
    options.duration("--timeout", model.timeoutSeconds, std::move(help));
    options.duration("--max-time", model.executionSeconds,
                     "Maximum time of one execution; 0: no limit (default: 60s)", {.least = 0, .below = 1e9});
}

void addSandbox(OptionList& options, ModelOptions& model) {
    static constexpr std::array modes{Choice{"off", SandboxMode::Off}, Choice{"auto", SandboxMode::Auto},
                                      Choice{"on", SandboxMode::On}};
    options.group("Limits");
    options.choice(
        "--sandbox", model.sandbox, modes,
        "Block file writes except outputs, network access and program starts of models; auto: as far as the "
        "kernel supports it; on: required, else refuse to run (default: auto)");
}

void addTarget(OptionList& options, ModelOptions& model) {
    options.group("Device");
    options.text("--on TARGET", model.on.target,
                 "Run on this target: a name ('et-inspect target list'), local:, ssh://user@host[:port] or "
                 "adb:SERIAL");
}

void addDeviceOptions(OptionList& options, ModelOptions& model) {
    addTarget(options, model);
    options
        .path("--device-log", model.on.deviceLog,
              "Append clock, temperature, throttling and memory of the device for each run to this file "
              "(JSON lines)")
        .onlyWith("--on");
    options
        .text("--keep-if RULE", model.on.keepIf,
              "Record only runs for which this condition holds, as 'time > 20ms or nan(out)', and the runs "
              "before them")
        .onlyWith("--on");
    options
        .integer("--keep-last", model.on.keepLast,
                 "Number of preceding runs to record for each such run (default: 5)")
        .onlyWith("--keep-if");
}

}  // namespace et::tasks

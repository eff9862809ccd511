#include "app/serve/cancellation.h"
#include "app/serve/functions.h"
#include "app/serve/method_values.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/gap/gap_run.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace et::serve {
namespace {

Value gapHandles(const std::vector<core::DebugHandle>& all) {
    return Tuple{collected(all, [](const core::DebugHandle each) { return each.value; })};
}

Dict gapStackTraces(const inspector::GapRow& row) {
    Dict out;
    for (const auto& [node, stack] : row.stackTraces) {
        out[node] = text(stack);
    }
    return out;
}

Dict rowFields(const inspector::GapRow& row) {
    List reference;
    List runtime;
    for (const inspector::GapPair& pair : row.pairs) {
        reference.push_back(keptValue({pair.reference.tensor}));
        runtime.push_back(keptValue({pair.runtime.tensor}));
    }
    Dict out;
    out["aot_debug_handle"] = gapHandles(row.referenceHandles);
    out["aot_ops"] = texts(row.referenceOps);
    out["runtime_debug_handle"] = gapHandles(row.runtimeHandles);
    out["runtime_ops"] = texts(row.runtimeOps);
    out["stacktraces"] = gapStackTraces(row);
    out["reference"] = std::move(reference);
    out["runtime"] = std::move(runtime);
    return out;
}

/// The rows of the gap between a trace with a debug buffer and the graph of a record.
List gap(std::filesystem::path etdump, std::filesystem::path debugBuffer, std::filesystem::path record,
         bool edge) {
    tasks::GapSettings settings;
    settings.trace = std::move(etdump);
    settings.debugBuffer = std::move(debugBuffer);
    settings.model.record = std::move(record);
    settings.reference = edge ? inspector::GapGraph::Edge : inspector::GapGraph::Exported;
    settings.keepsTensors = true;
    const tasks::GapResult result = unwrap(cancellable([&](const std::atomic<bool>& cancel) {
        settings.cancel = &cancel;
        tasks::ProgressReporter watch({.mode = tasks::ProgressMode::None}, std::nullopt);
        return tasks::runGaps(settings, watch);
    }));
    return collected(result.gaps.front()->rows, [](const inspector::GapRow& row) { return rowFields(row); });
}

constexpr std::array gapTable{function<&gap>("gap")};

}  // namespace

std::span<const Function> gapFunctions() {
    return gapTable;
}

}  // namespace et::serve

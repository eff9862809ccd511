#include "app/python/gaps.h"

#include "app/python/cancellable.h"
#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/tensors.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/gap/gap_run.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;

nb::tuple handles(const std::vector<core::DebugHandle>& all) {
    return nb::tuple(pythonList(all, [](const core::DebugHandle each) { return each.value; }));
}

nb::dict stackTraces(const inspector::GapRow& row) {
    nb::dict out;
    for (const auto& [node, stack] : row.stackTraces) {
        out[text(node)] = text(stack);
    }
    return out;
}

/// Floating-point elements of one side, as an array.
nb::object numbersOf(const inspector::GapTensor& side) {
    const core::Tensor& tensor = side.tensor.view;
    return array(static_cast<std::int8_t>(tensor.dtype()), tensor.sizes(), tensor.dimOrder(),
                 tensor.rawBytes(), side.tensor.owner);
}

nb::dict rowFields(const inspector::GapRow& row) {
    nb::list reference;
    nb::list runtime;
    for (const inspector::GapPair& pair : row.pairs) {
        reference.append(numbersOf(pair.reference));
        runtime.append(numbersOf(pair.runtime));
    }
    nb::dict out;
    out["aot_debug_handle"] = handles(row.referenceHandles);
    out["aot_ops"] = texts(row.referenceOps);
    out["runtime_debug_handle"] = handles(row.runtimeHandles);
    out["runtime_ops"] = texts(row.runtimeOps);
    out["stacktraces"] = stackTraces(row);
    out["reference"] = reference;
    out["runtime"] = runtime;
    return out;
}

/// The rows of the gap between a trace with a debug buffer and the graph of a record.
nb::list gap(std::filesystem::path etdump, std::filesystem::path debugBuffer, std::filesystem::path record,
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
    return pythonList(result.gaps.front()->rows, [](const inspector::GapRow& row) { return rowFields(row); });
}

}  // namespace

void bindGaps(nb::module_& module) {
    module.def(
        "gap", &gap, "etdump"_a, "debug_buffer"_a, "record"_a, "edge"_a,
        nb::sig(
            "def gap(etdump: str | os.PathLike, debug_buffer: str | os.PathLike, record: str | os.PathLike, "
            "edge: bool) -> list[dict[str, object]]"),
        "Compares the values that the runtime logged with those that the record's graph computes, operator "
        "by operator.\n\n`edge`: the graph is the Edge graph, not the exported program. `reference` and "
        "`runtime` are lists of real-valued arrays with the same shapes. "
        "Ctrl-C stops it.");
}

}  // namespace et::python

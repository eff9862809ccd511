#pragma once

#include "backends/builtin.h"
#include "backends/reference/interpreter.h"
#include "backends/reference/reference_value.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/lost_state.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/kv_caches.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/method.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace et::inspector {

/// Inputs of a gap calculation; all borrowed.
struct GapSources {
    const etrecord::Record& record;
    std::string_view method;
    const RuntimeValues& runtime;
    const program::Method* program = nullptr;  ///< the method that ran; null: only a trace is available
    /// Backends that describe the layout and names of values inside delegates.
    std::span<const executor::Backend* const> backends = backends::describable();
    std::span<const backends::reference::ReferenceValue> inputs;  ///< the inputs it ran on
    /// Values of mutable buffers before the run; the others start as in the program.
    std::span<const BufferValue> buffers = {};
    /// KV caches outside the program before the run; null: empty ones without windows.
    const kernels::KvCaches* cachesBefore = nullptr;
    const kernels::KvCaches* cachesAfter = nullptr;  ///< after it; null: not compared
    std::string_view inputsName;                     ///< NumericGap::inputs
    const kernels::KernelRegistry& kernels;
    const kernels::ThreadPool& threads;
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;
    const std::atomic<bool>* cancel = nullptr;
    ValueStore* store = nullptr;  ///< for large values; null: all stay in memory
    /// Receives the progress of ranking the nodes of delegates; may be empty.
    std::function<void(std::size_t done, std::size_t total)> ranked{};
};

struct GapPrecisionInfo {
    backends::reference::Precision precision;
    std::string_view name;  ///< used by the command line and JSON
};
inline constexpr std::array gapPrecisions{
    GapPrecisionInfo{backends::reference::Precision::AsExported, "exported"},
    GapPrecisionInfo{backends::reference::Precision::Double, "double"},
};

struct GapOptions {
    /// Replay every operator in isolation, and find the first that diverges; rank the nodes of a delegate
    /// that diverges and has no known values inside.
    bool ownErrors = false;
    double tolerance = 1;  ///< allowed multiple of the own error that rounding explains (verdict.h)
    /// Precision of the reference and of the replays.
    backends::reference::Precision precision = backends::reference::Precision::AsExported;
    /// Graph that the reference values come from. Exported: the Edge graph if the exported program is missing
    /// or does not run, with a warning.
    GapGraph reference = GapGraph::Exported;
    /// Whether the rows keep the tensors of both sides, or only their dtypes and sizes.
    bool keepsTensors = true;
};

/// Rows for a program that ran here: those that calculate_numeric_gap compares, plus every operator inside a
/// delegate and every instruction that it merges. For a trace: the former, plus the rest if own errors are
/// requested or the trace has taps. Errors: NotFound (the record has no such method, or lacks its
/// parameters), Unsupported (an operator is not implemented), Cancelled, those of the interpreter.
[[nodiscard]] core::Result<std::shared_ptr<const NumericGap>> calculateGap(const GapSources& sources,
                                                                           const GapOptions& options);

}  // namespace et::inspector

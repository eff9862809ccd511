#pragma once

#include "backends/builtin.h"
#include "backends/reference/interpreter.h"
#include "backends/reference/reference_value.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/method.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

/// What a gap is calculated of; all of it is borrowed.
struct GapSources {
    const etrecord::Record& record;
    std::string_view method;
    const RuntimeValues& runtime;
    const program::Method* program = nullptr;  ///< that ran; null: a trace of it is all there is
    /// Who tells how values inside of delegates lie, and what their names say.
    std::span<const executor::Backend* const> backends = backends::describable();
    std::span<const backends::reference::ReferenceValue> inputs;  ///< that it ran on
    std::string_view inputsName;                                  ///< NumericGap::inputs
    const kernels::KernelRegistry& kernels;
    const kernels::ThreadPool& threads;
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;
    const std::atomic<bool>* cancel = nullptr;
};

struct GapOptions {
    bool ownErrors = false;  ///< replay every operator alone, and find the first that diverges
    double tolerance = 1;    ///< how many times what rounding explains an own error may be (verdict.h)
    /// Of the reference and of the replays.
    backends::reference::Precision precision = backends::reference::Precision::AsExported;
    /// Whether the rows keep the tensors of both sides; else they say their dtypes and sizes only.
    bool keepsTensors = true;
};

/// Rows of a program that ran here: what calculate_numeric_gap compares, and every operator inside of a
/// delegate and every instruction that it merges. Of a trace: the former, and the rest where own errors are
/// asked for or the trace has taps. Errors: NotFound (the record has no such method, or not its parameters),
/// Unsupported (an operator that we do not have), Cancelled, those of the interpreter.
[[nodiscard]] core::Result<std::shared_ptr<const NumericGap>> calculateGap(const GapSources& sources,
                                                                           const GapOptions& options);

}  // namespace et::inspector

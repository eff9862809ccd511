#pragma once

#include "backends/reference/reference_value.h"
#include "inspector/numeric_gap/cache_gap.h"
#include "inspector/numeric_gap/metrics.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Numeric gap of one run: computed by calculateGap() (gap_calculation.h), shown by `et-inspect gap` and by
// the studio.
namespace et::inspector {

/// Affine quantization: real = scale * (whole - zeroPoint).
struct QuantizationParameters {
    double scale = 0;
    std::int64_t zeroPoint = 0;
    bool operator==(const QuantizationParameters&) const = default;
};

/// A tensor of one side: row-major, in the graph's order of dimensions, with real numbers (dequantized if
/// quantized).
struct GapTensor {
    backends::reference::ReferenceTensor tensor;
    SideStatistics statistics;
};

/// One output of an operator, on both sides.
struct GapPair {
    GapTensor reference;
    GapTensor runtime;
    GapNumbers numbers;
    std::optional<QuantizationParameters> runtimeQuantization;  ///< used to dequantize the runtime's values
    std::string difference;  ///< reason for missing metrics ("shapes differ: ..."); empty if there are
                             ///< metrics
};

/// Splits the error of the row's value into the operator's own and the one inherited from its inputs.
struct OwnError {
    double own = 0;        ///< maximum difference between the runtime and a replay on the runtime's inputs
    double inherited = 0;  ///< maximum difference between this replay and the reference
    double total = 0;      ///< maximum difference between the runtime and the reference
    /// `own` in rounding steps, relative to the unquantized replay if the value is quantized: rounding
    /// explains half a step.
    double ownSteps = 0;
    double ownShare = 0;    ///< fraction of elements with larger errors than rounding usually causes
    double ownShift = 0;    ///< signed mean difference in steps, of the channel where it is largest
    bool diverges = false;  ///< exceeds what rounding explains
    std::string reason;     ///< the evidence in one line; empty if it does not diverge
    /// Precision loss of the program's format that explains the rest ("bfloat16 scales"); empty: rounding
    /// alone.
    std::string explanation;
};

enum class GapLevel : std::uint8_t {
    Instruction,  ///< a kernel or a whole delegate call
    Delegate,     ///< an operator inside a delegate
};

/// The record's graph that the reference values come from.
enum class GapGraph : std::uint8_t { Exported, Edge };

/// An operator of the runtime and the nodes it computes, without values. The first fields are the reference's
/// columns.
struct GapOperator {
    std::vector<core::DebugHandle> referenceHandles;
    std::vector<std::string> referenceOps;  ///< node names: "conv2d", "aten_convolution_default_9"
    std::vector<core::DebugHandle> runtimeHandles;
    std::vector<std::string> runtimeOps;  ///< event names, or kinds of delegate nodes: "Conv2d"
    std::vector<std::pair<std::string, std::string>> stackTraces;  ///< by node, in Python's format

    GapLevel place = GapLevel::Instruction;
    GapGraph graph = GapGraph::Exported;
    std::int32_t instruction = -1;
    std::string backend;  ///< of the delegate; empty if not delegated
    std::string module;   ///< qualified name of the innermost Python module that contains all of its nodes
    std::string name;     ///< display name of the nodes, "conv2d + relu"; empty: none, or too many
    std::vector<std::string> edgeNodes;  ///< replayed nodes of the Edge graph; empty: no replay
    std::vector<std::string> inputs;     ///< names of the graph values that the operator reads
    std::optional<OwnError> own;         ///< nothing if not requested, or not replayable
    /// For a node of a delegate that can only be compared as a whole, without values: relative change of the
    /// delegate's outputs per relative change of the node's result.
    std::optional<double> sensitivity{};
};

/// An operator with the values of both sides.
struct GapRow : GapOperator {
    std::vector<GapPair> pairs;  ///< one per output that both sides have
};

/// Memory and side effects of the taps of a run inside a delegate.
struct GapTaps {
    std::int32_t instruction = -1;
    std::uint64_t values = 0;
    std::uint64_t changedOperators = 0;
    std::uint64_t changedElements = 0;  ///< of the delegate's outputs
};

/// The gap of one run on one input set.
struct NumericGap {
    std::string method;
    std::string inputs;        ///< source of the inputs: "bundled", "random:1"
    std::vector<GapRow> rows;  ///< in execution order; rows inside a delegate call precede its row, those
                               ///< with a sensitivity in descending order
    std::optional<std::size_t> firstDivergence;  ///< index of the first row that diverges by its own error
    std::vector<GapTaps> taps;
    std::vector<GapCache> caches;  ///< KV caches outside the program, after the run
    std::vector<std::string> warnings;
};

}  // namespace et::inspector

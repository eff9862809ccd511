#pragma once

#include "backends/reference/reference_value.h"
#include "inspector/numeric_gap/metrics.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What the numeric gap of one run is, as a value: made by calculateGap() (gap_calculation.h), shown by
// `et-inspect gap` and by the studio.
namespace et::inspector {

/// How integers stand for real ones: real = scale * (whole - zeroPoint).
struct QuantizationParameters {
    double scale = 0;
    std::int64_t zeroPoint = 0;
    bool operator==(const QuantizationParameters&) const = default;
};

/// A tensor of one side: row-major, in the graph's order of dimensions, real numbers (quantized ones
/// dequantized).
struct GapTensor {
    backends::reference::ReferenceTensor tensor;
    SideStatistics statistics;
};

/// One output of an operator, on both sides.
struct GapPair {
    GapTensor reference;
    GapTensor runtime;
    GapNumbers numbers;
    std::optional<QuantizationParameters> runtimeQuantization;  ///< what the runtime's numbers were read with
    std::string difference;  ///< why there are no numbers ("shapes differ: ..."); empty: there are
};

/// Where a difference comes from: the operator itself, or what it was given. Of the row's value.
struct OwnError {
    double own = 0;        ///< most that the runtime is from a replay on the inputs that the runtime had
    double inherited = 0;  ///< most that this replay is from the reference
    double total = 0;      ///< most that the runtime is from the reference
    /// The same in steps of rounding, but to the replay before it was quantized, where it was: half a step is
    /// what rounding takes.
    double ownSteps = 0;
    double ownShare = 0;    ///< share of the elements that are further off than rounding usually takes them
    double ownShift = 0;    ///< mean difference with its sign, in steps, of the channel where that is most
    bool diverges = false;  ///< beyond what rounding explains
    std::string reason;     ///< what gave it away, one line; empty where it does not diverge
    /// What the program's format lost that explains the rest ("bfloat16 scales"); empty: rounding alone.
    std::string explanation;
};

enum class GapPlace : std::uint8_t {
    Instruction,  ///< a kernel or a whole delegate call
    Delegate,     ///< an operator inside of a delegate
};

/// Which graph of the record the reference values are of.
enum class GapGraph : std::uint8_t { Exported, Edge };

/// An operator of the runtime and what it stands for, without its values. The first fields are the
/// reference's columns.
struct GapOperator {
    std::vector<core::DebugHandle> referenceHandles;
    std::vector<std::string> referenceOps;  ///< names of nodes: "conv2d", "aten_convolution_default_9"
    std::vector<core::DebugHandle> runtimeHandles;
    std::vector<std::string> runtimeOps;  ///< names of events, or kinds of delegate nodes: "Conv2d"
    std::vector<std::pair<std::string, std::string>> stackTraces;  ///< by node, Python's text

    GapPlace place = GapPlace::Instruction;
    GapGraph graph = GapGraph::Exported;
    std::int32_t instruction = -1;
    std::string backend;                 ///< of the delegate; empty: none
    std::string module;                  ///< qualified name of the innermost Python module that has all of it
    std::vector<std::string> edgeNodes;  ///< nodes of the Edge graph that were replayed; empty: none were
    std::vector<std::string> inputs;     ///< names of the graph values that the operator reads
    std::optional<OwnError> own;         ///< nothing where nobody asked, or a replay was not possible
};

/// With the values of both sides.
struct GapRow : GapOperator {
    std::vector<GapPair> pairs;  ///< one an output that both sides have
};

/// What a run inside of a delegate needed to be looked at, and whether that changed it.
struct GapTaps {
    std::int32_t instruction = -1;
    std::uint64_t values = 0;
    std::uint64_t changedOperators = 0;
    std::uint64_t changedElements = 0;  ///< of the delegate's outputs
};

/// The gap of one run on one set of inputs.
struct NumericGap {
    std::string method;
    std::string inputs;        ///< where they come from: "bundled", "random:1"
    std::vector<GapRow> rows;  ///< in execution order; what is inside of a delegate call stands before it
    std::optional<std::size_t> firstDivergence;  ///< into rows: the first that diverges by its own error
    std::vector<GapTaps> taps;
    std::vector<std::string> warnings;
};

}  // namespace et::inspector

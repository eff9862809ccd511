#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/numeric_gap/gap_report.h"
#include "runtime/core/graph.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// Numbers of a graph that others know: what its parts took, how far they are off. A part is one node or,
// where one thing that ran stands for several nodes, all of them.
namespace et::inspector {

struct PartNumber {
    std::vector<core::GraphNodeId> nodes;
    double amount = 0;
};

struct GraphNumbers {
    std::string title;  ///< of the legend: "time of one run"
    std::string unit;   ///< behind each number: "ms"; may be empty
    double whole = 0;   ///< what shares are of; 0: shares say nothing
    bool adds = true;   ///< numbers of parts sum up; else the largest stands for all of them
    std::vector<PartNumber> parts;
};

/// A measurement of something that ran, wherever in a graph that is.
struct MeasuredPart {
    double amount = 0;
    core::InstructionId instruction{-1};
    std::vector<core::DebugHandle> handles{};  ///< sorted; empty: unknown
    bool inside = false;                       ///< an operator within a delegate call
};

/// What instructions of a method's first chain took in one run, in the unit of the blocks; of delegate calls
/// that traced their operators each operator, and one part for what they leave of the call. Empty without a
/// trace of the method.
[[nodiscard]] std::vector<MeasuredPart> measuredTimes(const DelegateSources& sources,
                                                      const program::Method& method);

/// The measurements where a graph has them: by instruction where its nodes have one, else by debug handle.
[[nodiscard]] GraphNumbers placeTimes(const core::ModelGraph& graph, std::span<const MeasuredPart> times,
                                      std::string unit);

/// The error that a quantization site makes alone, of the outputs of its method.
struct SiteError {
    std::vector<core::DebugHandle> handles;  ///< of its nodes
    double percent = 0;                      ///< amplitude of the error, of that of the outputs
};
struct SiteErrors {
    std::string method;
    std::vector<SiteError> sites;
};
[[nodiscard]] GraphNumbers placeSiteErrors(const core::ModelGraph& graph, const SiteErrors& errors);

/// The rows of a numeric gap, by debug handle.
[[nodiscard]] GraphNumbers placeGap(const core::ModelGraph& graph, const GapReport& gap, GapMetric metric);

}  // namespace et::inspector

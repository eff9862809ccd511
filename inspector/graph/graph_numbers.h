#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/numeric_gap/gap_report.h"
#include "runtime/core/graph.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// External numbers of a graph's nodes: time, error. A part is one node or, if one measured item covers
// several nodes, all of them.
namespace et::inspector {

struct PartNumber {
    std::vector<core::GraphNodeId> nodes;
    double amount = 0;
};

struct GraphNumbers {
    std::string title;  ///< legend title: "time of one run"
    std::string unit;   ///< unit suffix: "ms"; may be empty
    double whole = 0;   ///< reference of shares; 0: shares are meaningless
    bool adds = true;   ///< numbers of parts are summed; otherwise the largest represents them
    std::vector<PartNumber> parts;
};

/// Measurement of an executed operator, independent of a graph.
struct MeasuredPart {
    double amount = 0;
    core::InstructionId instruction{-1};
    std::vector<core::DebugHandle> handles{};  ///< sorted; empty: unknown
    bool inside = false;                       ///< operator within a delegate call
};

/// Time of the instructions of a method's first chain in one run, in the unit of the blocks; delegate calls
/// with traced operators are split into these and a remainder. Empty without a trace of the method.
[[nodiscard]] std::vector<MeasuredPart> measuredTimes(const DelegateSources& sources,
                                                      const program::Method& method);

/// Assigns the measurements to nodes of a graph: by instruction if its nodes have one, else by debug handle.
[[nodiscard]] GraphNumbers placeTimes(const core::ModelGraph& graph, std::span<const MeasuredPart> times,
                                      std::string unit);

/// Error in the method's outputs from quantizing one site only.
struct SiteError {
    std::vector<core::DebugHandle> handles;  ///< of its nodes
    double percent = 0;                      ///< amplitude of the error relative to that of the outputs
};
struct SiteErrors {
    std::string method;
    std::vector<SiteError> sites;
};
[[nodiscard]] GraphNumbers placeSiteErrors(const core::ModelGraph& graph, const SiteErrors& errors);

/// Rows of a numeric gap, assigned by debug handle.
[[nodiscard]] GraphNumbers placeGap(const core::ModelGraph& graph, const GapReport& gap, GapMetric metric);

}  // namespace et::inspector

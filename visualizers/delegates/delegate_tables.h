#pragma once

#include "inspector/delegates/handle_map.h"
#include "visualizers/delegates/delegation.h"
#include "visualizers/toolkit/report_table_model.h"

#include <string_view>
#include <vector>

// Tables describing delegates.
namespace et::visualizers {

/// All delegates of all methods, one row per call.
struct DelegateList {
    ReportRows rows{};
    std::vector<DelegateRef> refs{};  ///< by row
};
[[nodiscard]] DelegateList delegateList(const Delegation& of);

/// Backend, payload, compile specs, inputs, outputs, nodes inside, and attribution of time, in groups.
[[nodiscard]] ReportRows delegateDetails(const Delegation& of, const DelegateRef& ref);

/// The debug handle map of a call: the Edge nodes below each delegate identifier, or the reverse.
struct MapTable {
    ReportRows rows{};
    std::vector<std::vector<core::DebugHandle>> handles{};  ///< by row
};
enum class MapDirection : std::uint8_t { FromDelegate, FromNodes };
[[nodiscard]] MapTable mapTable(const Delegation& of, std::string_view method,
                                const inspector::HandleMap& map, const inspector::DelegateCallSite& call,
                                MapDirection direction);

/// Nodes inside a payload; empty if unknown.
[[nodiscard]] MapTable payloadNodes(const Delegation& of, std::string_view method,
                                    const inspector::DelegateReport& report);

/// Placement of the operators of a method, with the total as the last row.
[[nodiscard]] ReportRows placementRows(const inspector::MethodDelegates& method);

}  // namespace et::visualizers

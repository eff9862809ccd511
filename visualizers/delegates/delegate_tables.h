#pragma once

#include "inspector/delegates/handle_map.h"
#include "visualizers/delegates/delegation.h"
#include "visualizers/toolkit/report_table_model.h"

#include <vector>

// What is known of delegates as tables for people.
namespace et::visualizers {

/// All delegates of all methods, a row for each call.
struct DelegateList {
    ReportRows rows{};
    std::vector<DelegateRef> refs{};  ///< by row
};
[[nodiscard]] DelegateList delegateList(const Delegation& of);

/// Backend, payload, compile specs, inputs, outputs, what is inside, and whose the time is, in groups.
[[nodiscard]] ReportRows delegateDetails(const Delegation& of, const DelegateRef& ref);

/// The debug handle map of a call: below each thing of the delegate its Edge nodes, or the other way round.
struct MapTable {
    ReportRows rows{};
    std::vector<std::vector<core::DebugHandle>> handles{};  ///< by row
};
enum class MapDirection : std::uint8_t { FromDelegate, FromNodes };
[[nodiscard]] MapTable mapTable(const Delegation& of, const inspector::HandleMap& map,
                                const inspector::DelegateCallSite& call, MapDirection direction);

/// The nodes inside of a payload; empty where unknown.
[[nodiscard]] MapTable payloadNodes(const inspector::DelegateReport& report);

/// Where the operators of a method run, with the sum of all as the last row.
[[nodiscard]] ReportRows placementRows(const inspector::MethodDelegates& method);

}  // namespace et::visualizers

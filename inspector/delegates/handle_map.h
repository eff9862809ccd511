#pragma once

#include "inspector/delegates/delegates.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Source of the debug handles of an element of a delegate.
enum class MapSource : std::uint8_t {
    Trace,        ///< operators timed in a trace, explained by the backend or the record
    DelegateMap,  ///< the record's delegate map, by the delegate's own identifiers
    Payload,      ///< nodes of the payload that have handles
    Instruction   ///< only the handles of the whole instruction are known
};
/// Display name: "the trace", …
[[nodiscard]] std::string_view mapSourceName(MapSource source);

/// An element of a delegate, and the nodes that it computes.
struct HandleMapEntry {
    std::string id;  ///< the delegate's identifier: "Convolution (NHWC, F32) IGEMM #1", "3"
    std::vector<core::DebugHandle> handles{};
    std::vector<const etrecord::Node*> nodes{};  ///< distinct Edge nodes; empty without a record
    std::optional<double> time{};                ///< of one run, in the unit of the blocks
    std::optional<std::size_t> payloadNode{};    ///< index into DelegateReport::graph
};

/// Debug handle map of one call.
struct HandleMap {
    MapSource source = MapSource::Instruction;
    std::vector<HandleMapEntry> entries{};
};
/// Uses the best available source, in the order of MapSource. `record` may be null.
[[nodiscard]] HandleMap handleMap(std::string_view method, const DelegateReport& report,
                                  const DelegateCallSite& call, const etrecord::Record* record);

/// Inverse of the map: the Edge nodes of a call, in graph order, each with the entries (indices into
/// HandleMap::entries) that compute it.
struct MappedNode {
    const etrecord::Node* node = nullptr;
    std::vector<std::size_t> entries{};
};
[[nodiscard]] std::vector<MappedNode> nodesToEntries(const HandleMap& map, const DelegateCallSite& call);

}  // namespace et::inspector

#pragma once

#include "inspector/delegates/delegates.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Who says that something in a delegate stands for debug handles.
enum class MapSource : std::uint8_t {
    Trace,        ///< the delegate's operators, as a trace timed them and the backend or the record explains
    DelegateMap,  ///< the record's map of the delegate's own identifiers
    Payload,      ///< the nodes inside of the payload, which carry handles
    Instruction   ///< no more is known than the handles of the whole instruction
};
/// "the trace", …, for people.
[[nodiscard]] std::string_view mapSourceName(MapSource source);

/// Something in a delegate, and what it computes.
struct HandleMapEntry {
    std::string id;  ///< as the delegate calls it: "Convolution (NHWC, F32) IGEMM #1", "3"
    std::vector<core::DebugHandle> handles{};
    std::vector<const etrecord::Node*> nodes{};  ///< of the Edge graph, each once; none without a record
    std::optional<double> time{};                ///< of one run, in the unit of the blocks
    std::optional<std::size_t> payloadNode{};    ///< position in DelegateReport::graph
};

/// The debug handle map of one call.
struct HandleMap {
    MapSource source = MapSource::Instruction;
    std::vector<HandleMapEntry> entries{};
};
/// From the best source that there is, in the order of MapSource. `record` may be null.
[[nodiscard]] HandleMap handleMap(std::string_view method, const DelegateReport& report,
                                  const DelegateCallSite& call, const etrecord::Record* record);

/// The map the other way round: the Edge nodes of a call, in the order of the graph, each with the entries
/// (positions in HandleMap::entries) that compute it.
struct MappedNode {
    const etrecord::Node* node = nullptr;
    std::vector<std::size_t> entries{};
};
[[nodiscard]] std::vector<MappedNode> nodesToEntries(const HandleMap& map, const DelegateCallSite& call);

}  // namespace et::inspector

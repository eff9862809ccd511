// Fuzzes the JSON of an exported program: a read graph must survive a write and read.
#include "etrecord/exported_graph.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto graph = et::etrecord::parseExportedGraph(std::as_bytes(std::span(data, size)), "fuzz");
    if (!graph) {
        std::ignore = graph.error().toString();
        return 0;
    }
    for (const et::etrecord::Node& node : graph->nodes) {
        std::ignore = node.history();
    }
    const std::string json = et::etrecord::serializeExportedGraph(*graph);
    const auto again = et::etrecord::parseExportedGraph(std::as_bytes(std::span(json)), "again");
    // A hint is written with more levels than in files of 2023, so the limit may be reached.
    const bool deeper = !again && again.error().code == et::core::ErrorCode::Limit;
    if (!deeper && (!again || et::etrecord::serializeExportedGraph(*again) != json)) {
        std::abort();
    }
    return 0;
}

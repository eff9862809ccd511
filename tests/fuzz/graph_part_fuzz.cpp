// Fuzzes ETRecords of graph parts: any selection of nodes must be written and read back as the same graph,
// with all inputs of its nodes.
#include "etrecord/record.h"
#include "etrecord/writer.h"
#include "inspector/numeric_gap/graph_part.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/zip_mutator.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using et::etrecord::ExportedGraph;
using et::etrecord::Record;
using et::fuzz::require;
using et::inspector::GraphPartChoice;

et::core::Result<std::shared_ptr<const Record>> parse(std::vector<std::byte> bytes) {
    return Record::parse(et::core::MappedFile::fromMemory(std::move(bytes)));
}

/// Selects every third node of each group of `period`.
GraphPartChoice choiceOf(const ExportedGraph& graph, std::size_t period) {
    GraphPartChoice choice{.own = {}, .others = {}};
    std::size_t number = 0;
    for (const et::etrecord::Node& node : graph.nodes) {
        auto& into = ++number / period % 3 == 0 ? choice.own : choice.others;
        into.insert(node.debugHandles.begin(), node.debugHandles.end());
    }
    return choice;
}

void check(const std::string& method, const ExportedGraph& graph, std::size_t period) {
    const et::inspector::GraphWalk walk(graph);
    GraphPartChoice choice = choiceOf(graph, period);
    auto part = et::inspector::findGraphPart(walk, choice);
    if (!part.inputs.empty()) {
        choice.given = {part.inputs.front()};
        part = et::inspector::findGraphPart(walk, choice);
    }
    const ExportedGraph made = et::inspector::graphOf(walk, part);
    require(made.nodes.size() == part.nodes.size());
    et::etrecord::RecordWriter writer;
    writer.addEdgeGraph(method, made);
    const auto written = writer.finish();
    if (!written) {
        return;  // a name that no entry can have
    }
    const auto read = parse(*written);
    if (!read) {
        return;  // content of a damaged graph that cannot occur in a valid one; covered by
                 // graph_json_fuzz.cpp
    }
    const ExportedGraph* const again = (*read)->edgeGraph(method);
    require(again != nullptr && again->nodes.size() == made.nodes.size());
    require(again->inputSpecs.size() == made.inputSpecs.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto record = parse({bytes.begin(), bytes.end()});
    if (!record) {
        return 0;
    }
    for (const std::string& method : (*record)->methods()) {
        for (const std::size_t period : {1U, 2U, 7U}) {
            check(method, *(*record)->edgeGraph(method), period);
        }
    }
    return 0;
}

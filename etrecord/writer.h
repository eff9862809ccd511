#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::etrecord {

/// Builds an ETRecord of the current layout in memory: a zip of stored entries that Record::parse() reads
/// back.
class RecordWriter {
  public:
    RecordWriter();
    ~RecordWriter();
    RecordWriter(const RecordWriter&) = delete;
    RecordWriter& operator=(const RecordWriter&) = delete;

    /// The Edge graph of a method; at least one is needed for a valid record.
    void addEdgeGraph(std::string_view method, const ExportedGraph& graph);
    /// The exported (ATen) program of `forward`.
    void setExportedProgram(const ExportedGraph& graph);
    /// Another graph, `name` as "<name>/<method>".
    void addExtraGraph(std::string_view name, const ExportedGraph& graph);
    /// A torch archive (writeTorchArchive()) as an entry. Beside a graph's entry these are
    /// "<entry>_state_dict",
    /// "<entry>_constants" and "<entry>_example_inputs"; of the record, "reference_outputs" (outputs of each
    /// case, by method) and "representative_inputs" (a list).
    void addArchive(std::string_view entry, std::vector<std::byte> archive);
    /// What the record says of a method; a later call for the same method replaces it.
    void setMaps(std::string_view method, MethodMaps maps);
    void setExportGraphId(std::int64_t id);

    /// The finished file. Errors: InvalidArgument (no Edge graph, two entries of one name, a method name that
    /// cannot be part of an entry's name).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

/// The record with other maps: what it says of instructions once another program was made of its graphs. All
/// other entries stay, byte for byte. Errors: Format (a damaged entry), Io.
[[nodiscard]] core::Result<std::vector<std::byte>> replaceMaps(
    const Record& record, const std::map<std::string, MethodMaps, std::less<>>& maps);

/// Another Edge graph of a method, with the archives of its tensors.
struct MethodReplacement {
    std::string method;
    const ExportedGraph& graph;
    std::vector<std::byte> stateDict;  ///< writeTorchArchive() of a dictionary: parameters and buffers
    std::vector<std::byte> constants;  ///< likewise
};
/// The record with another graph of one method. Entries that tell of the program it was exported from are
/// left out, as are maps; all others stay, byte for byte. Errors: NotFound (no such method), Format, Io.
[[nodiscard]] core::Result<std::vector<std::byte>> replaceMethod(const Record& record,
                                                                 const MethodReplacement& replacement);

}  // namespace et::etrecord

#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace et::etrecord {

/// Builds an ETRecord of the current layout in memory: a zip of stored entries that Record::parse() reads
/// back. It holds graphs and maps; torch archives are not written.
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
    /// What the record says of a method; a later call for the same method replaces it.
    void setMaps(std::string_view method, MethodMaps maps);
    void setExportGraphId(std::int64_t id);

    /// The finished file. Errors: InvalidArgument (no Edge graph, two graphs of one name, a method name that
    /// cannot be part of an entry's name).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etrecord

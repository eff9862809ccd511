#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/file_content.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
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

    /// Adds the Edge graph of a method; a valid record needs at least one.
    void addEdgeGraph(std::string_view method, const ExportedGraph& graph);
    /// Adds a torch archive (writeTorchArchive()) as an entry. A graph's archives are "<entry>_state_dict",
    /// "<entry>_constants" and "<entry>_example_inputs"; the record's are "reference_outputs" (outputs of
    /// each case, by method) and "representative_inputs" (a list).
    void addArchive(std::string_view entry, core::FileContent archive);
    void addArchive(std::string_view entry, std::vector<std::byte> archive) {
        addArchive(entry, core::FileContent(std::move(archive)));
    }
    /// Sets the maps of a method, replacing earlier ones.
    void setMaps(std::string_view method, MethodMaps maps);
    void setExportGraphId(std::int64_t id);

    /// The finished file. Errors: InvalidArgument (no Edge graph, two entries of one name, a method name that
    /// cannot be part of an entry's name).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish() const;
    /// The same file, which shares the archives. Errors: as above.
    [[nodiscard]] core::Result<core::FileContent> finishInPieces() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

/// Returns the record with its instruction maps replaced, for another program made from its graphs. All other
/// entries are unchanged, and shared with the record. Errors: Format (a damaged entry), Io.
[[nodiscard]] core::Result<core::FileContent> replaceMaps(
    const Record& record, const std::map<std::string, MethodMaps, std::less<>>& maps);

/// A new Edge graph for a method, with the archives of its tensors.
struct MethodReplacement {
    std::string method;
    const ExportedGraph& graph;
    core::FileContent stateDict;  ///< torchArchiveFile() of a dictionary: parameters and buffers
    core::FileContent constants;  ///< likewise
};
/// Returns the record with the graph of one method replaced. Entries that describe the original exported
/// program and the maps are dropped; all others are unchanged, and shared with the record. Errors: NotFound
/// (no such method), Format, Io.
[[nodiscard]] core::Result<core::FileContent> replaceMethod(const Record& record,
                                                            const MethodReplacement& replacement);

}  // namespace et::etrecord

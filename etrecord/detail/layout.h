#pragma once

#include "runtime/archive/zip.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::etrecord::detail {

// Names of a record's entries.
inline constexpr std::string_view identifierEntry = "ETRECORD_V0";
inline constexpr std::string_view exportedProgramEntry = "exported_program";
inline constexpr std::string_view edgeEntry = "edge_dialect_exported_program";
inline constexpr std::string_view debugHandleMapEntry = "debug_handle_map";
inline constexpr std::string_view delegateMapEntry = "delegate_map";
inline constexpr std::string_view outputCountMapEntry = "instruction_id_to_num_outs_map";
inline constexpr std::string_view exportGraphIdEntry = "export_graph_id";
/// Method name for a record that does not name methods.
inline constexpr std::string_view onlyMethod = "forward";

/// Entries of a record, classified by name alone.
struct RecordEntries {
    struct Graph {
        std::string name;  ///< method of an Edge graph; "<name>/<method>" for other graphs
        const archive::ZipArchive::Entry* entry;
    };
    std::vector<Graph> edgeGraphs;  ///< in file order; the layout of 2023 has only "forward"
    std::vector<Graph> extraGraphs;
    std::vector<const archive::ZipArchive::Entry*> archives;  ///< torch archives
    bool namesMethods = false;                                ///< false for the layout of 2023
};
[[nodiscard]] RecordEntries classifyEntries(const archive::ZipArchive& zip);

}  // namespace et::etrecord::detail

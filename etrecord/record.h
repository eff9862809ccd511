#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/torch_archive.h"
#include "runtime/archive/zip.h"
#include "runtime/core/file_content.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::etrecord {

/// A tensor in one of the record's torch archives; its elements are not read.
struct ArchivedTensor {
    std::string archive;  ///< zip entry, "edge_dialect_exported_program/forward_state_dict"
    std::string name;     ///< key in the archive, "conv.weight"; a path for nested containers ("[0][1]")
    std::int8_t scalarType = 0;
    std::vector<std::int64_t> sizes;
    std::int64_t bytes = 0;
};

/// Handles of one instruction. `list` records whether the file has a single number or a list.
struct HandleEntry {
    std::vector<core::DebugHandle> handles;
    bool list = false;
    bool operator==(const HandleEntry&) const = default;
};
using HandleMap = std::map<core::InstructionId, HandleEntry>;

/// A delegate's mapping of its own identifiers.
struct DelegateEntry {
    std::string backend;  ///< "XnnpackBackend"
    /// Delegate's identifier (int or string, as text) -> Edge debug handles. Empty for XNNPACK.
    std::vector<std::pair<std::string, std::vector<core::DebugHandle>>> identifiers;
    bool operator==(const DelegateEntry&) const = default;
};

/// A record's maps for one method.
struct MethodMaps {
    HandleMap debugHandles;
    std::map<core::InstructionId, DelegateEntry> delegates;
    std::map<core::InstructionId, std::int64_t> outputCounts;  ///< instruction_id_to_num_outs_map
    bool operator==(const MethodMaps&) const = default;
};

enum class RecordLayout : std::uint8_t {
    Current,     ///< `edge_dialect_exported_program/<method>`
    Legacy2023,  ///< one `edge_dialect_exported_program`, without a method name
};

/// A torch archive or graph in the zip.
struct RecordEntry {
    std::string name;
    std::uint64_t bytes = 0;
};

/// An ETRecord: the verified zip, with its graphs and maps. Immutable.
class Record {
  public:
    /// Errors: Io; Format (not a record, damaged zip, bad JSON; names the entry); Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const Record>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Record>> parse(
        std::shared_ptr<const core::MappedFile> file);
    /// A record in pieces, such as one that borrows the weights of another; `name` replaces the path in
    /// errors. Errors: as above.
    [[nodiscard]] static core::Result<std::shared_ptr<const Record>> parse(core::FileContent content,
                                                                           std::string name);

    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    [[nodiscard]] RecordLayout layout() const;
    /// The file; one without bytes for a record in pieces.
    [[nodiscard]] const core::MappedFile& file() const;
    /// The zip of the record.
    [[nodiscard]] const archive::ZipArchive& zip() const;
    [[nodiscard]] const std::vector<RecordEntry>& entries() const;

    /// Methods with an Edge graph, in file order; "forward" in the layout of 2023.
    [[nodiscard]] const std::vector<std::string>& methods() const;
    /// The Edge dialect graph of a method; null for an unknown method. Valid as long as the record.
    [[nodiscard]] const ExportedGraph* edgeGraph(std::string_view method) const;
    /// The exported (ATen) program, which the format stores for `forward` only; null if there is none. Parsed
    /// at the first call (from any thread); valid as long as the record. Errors: as parseExportedGraph().
    [[nodiscard]] core::Result<const ExportedGraph*> exportedProgram() const;
    /// Names of other graphs, "<name>/<method>", in file order.
    [[nodiscard]] const std::vector<std::string>& extraGraphNames() const;
    /// One of the other graphs, parsed at the first call. Errors: NotFound, and as parseExportedGraph().
    [[nodiscard]] core::Result<const ExportedGraph*> extraGraph(std::string_view name) const;

    /// Maps of a method; null if the record has none for it (a map of 2023 may be empty).
    [[nodiscard]] const MethodMaps* maps(std::string_view method) const;
    /// False if the record has no delegate map, not even an empty one.
    [[nodiscard]] bool hasDelegateMap() const;
    [[nodiscard]] std::optional<std::int64_t> exportGraphId() const;

    /// Zip entries that are torch archives, in file order.
    [[nodiscard]] const std::vector<std::string>& archiveNames() const;
    /// All tensors in all torch archives, listed from their pickles without executing anything. Errors:
    /// Format, Limit, Unsupported (a pickle with an unknown call); names entry and offset.
    [[nodiscard]] core::Result<std::vector<ArchivedTensor>> listTensors() const;
    /// One of the archives, for reading its tensors. Must not outlive the record. Errors: NotFound, and as
    /// TorchArchive::open().
    [[nodiscard]] core::Result<TorchArchive> archive(std::string_view name) const;
    /// The tensors of one archive. Errors: NotFound, and as listTensors().
    [[nodiscard]] core::Result<std::vector<ArchivedTensor>> listTensors(std::string_view archive) const;

  private:
    struct Impl;
    explicit Record(std::unique_ptr<Impl> data);
    [[nodiscard]] static core::Result<std::shared_ptr<const Record>> read(
        core::Result<archive::ZipArchive> zip, std::shared_ptr<const core::MappedFile> file);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etrecord

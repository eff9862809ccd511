#include "etrecord/record.h"

#include "etrecord/detail/layout.h"
#include "etrecord/detail/maps.h"
#include "etrecord/torch_archive.h"
#include "runtime/archive/json.h"
#include "runtime/archive/zip.h"
#include "runtime/core/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <utility>

namespace et::etrecord {
namespace {

using core::Error;
using core::ErrorCode;
using core::fail;
using core::Result;

/// A graph that is parsed once, on first use.
class LazyGraph {
  public:
    LazyGraph(std::string graphName, const archive::ZipArchive::Entry& graphEntry)
        : name(std::move(graphName)), entry(graphEntry) {}

    [[nodiscard]] const std::string& graphName() const { return name; }

    [[nodiscard]] Result<const ExportedGraph*> get(const archive::ZipArchive& zip) const {
        std::call_once(once, [&] {
            graph = zip.read(entry).and_then([&](const archive::ZipContent& content) {
                return parseExportedGraph(content.bytes(), entry.name);
            });
        });
        return graph.transform([](const ExportedGraph& parsed) { return &parsed; });
    }

  private:
    std::string name;
    const archive::ZipArchive::Entry& entry;
    mutable std::once_flag once;
    mutable Result<ExportedGraph> graph;
};

struct MapReader {
    std::string_view entry;
    Result<bool> (*read)(core::Bytes, std::string_view, detail::MapsByMethod&);
};
constexpr std::array mapReaders{
    MapReader{detail::debugHandleMapEntry, detail::readDebugHandleMap},
    MapReader{detail::delegateMapEntry, detail::readDelegateMap},
    MapReader{detail::outputCountMapEntry, detail::readOutputCountMap},
};

Result<std::optional<std::int64_t>> readExportGraphId(const archive::ZipArchive& zip) {
    const auto* entry = zip.find(detail::exportGraphIdEntry);
    if (entry == nullptr) {
        return std::nullopt;
    }
    ET_ASSIGN(const archive::ZipContent content, zip.read(*entry));
    ET_ASSIGN(const auto document, archive::JsonDocument::parse(content.bytes(), detail::exportGraphIdEntry));
    const archive::JsonValue root = document.root();
    if (root.isNull()) {
        return std::nullopt;
    }
    ET_ASSIGN(const std::int64_t id, root.integer());
    return id;
}

}  // namespace

struct Record::Impl {
    Impl(std::shared_ptr<const core::MappedFile> recordFile, archive::ZipArchive archive)
        : file(std::move(recordFile)), zip(std::move(archive)) {}

    std::shared_ptr<const core::MappedFile> file;
    archive::ZipArchive zip;
    RecordLayout layout = RecordLayout::Current;
    std::vector<RecordEntry> entries;
    std::vector<std::string> methods;
    std::vector<ExportedGraph> edgeGraphs;  ///< one per method
    std::unique_ptr<LazyGraph> exportedProgram;
    std::vector<std::string> extraNames;
    std::vector<std::unique_ptr<LazyGraph>> extraGraphs;  ///< one per name
    std::vector<std::string> archives;
    detail::MapsByMethod maps;
    bool hasDelegateMap = false;
    std::optional<std::int64_t> exportGraphId;

    Result<> read();
    Result<> readMaps();
    Result<> readGraphs(const detail::RecordEntries& classified);
    Result<> listArchive(const std::string& archive, std::vector<ArchivedTensor>& tensors) const;
};

Result<> Record::Impl::read() {
    if (zip.find(detail::identifierEntry) == nullptr) {
        return fail(ErrorCode::Format,
                    fmt::format("not an ETRecord: the zip has no entry \"{}\"", detail::identifierEntry));
    }
    std::ranges::transform(zip.entries(), std::back_inserter(entries),
                           [](const archive::ZipArchive::Entry& entry) {
                               return RecordEntry{.name = entry.name, .bytes = entry.bytes};
                           });
    const detail::RecordEntries classified = detail::classifyEntries(zip);
    ET_TRY(readGraphs(classified));
    std::ranges::transform(classified.archives, std::back_inserter(archives),
                           &archive::ZipArchive::Entry::name);
    ET_TRY(readMaps());
    ET_ASSIGN(exportGraphId, readExportGraphId(zip));
    return {};
}

Result<> Record::Impl::readMaps() {
    for (const MapReader& reader : mapReaders) {
        if (const auto* entry = zip.find(reader.entry)) {
            ET_ASSIGN(const archive::ZipContent content, zip.read(*entry));
            ET_ASSIGN(const bool present, reader.read(content.bytes(), reader.entry, maps));
            hasDelegateMap = hasDelegateMap || (present && reader.entry == detail::delegateMapEntry);
        }
    }
    return {};
}

Result<> Record::Impl::readGraphs(const detail::RecordEntries& classified) {
    if (classified.edgeGraphs.empty()) {
        return fail(ErrorCode::Format,
                    fmt::format("the record has no Edge graph: expected an entry \"{}\" or \"{}/<method>\"",
                                detail::edgeEntry, detail::edgeEntry));
    }
    layout = classified.namesMethods ? RecordLayout::Current : RecordLayout::Legacy2023;
    for (const auto& [method, entry] : classified.edgeGraphs) {
        ET_ASSIGN(const archive::ZipContent content, zip.read(*entry));
        ET_ASSIGN(ExportedGraph graph, parseExportedGraph(content.bytes(), entry->name));
        methods.push_back(method);
        edgeGraphs.push_back(std::move(graph));
    }
    if (const auto* entry = zip.find(detail::exportedProgramEntry)) {
        exportedProgram = std::make_unique<LazyGraph>(entry->name, *entry);
    }
    for (const auto& [name, entry] : classified.extraGraphs) {
        extraNames.push_back(name);
        extraGraphs.push_back(std::make_unique<LazyGraph>(name, *entry));
    }
    return {};
}

Result<> Record::Impl::listArchive(const std::string& archive, std::vector<ArchivedTensor>& tensors) const {
    ET_ASSIGN(const TorchArchive opened, TorchArchive::open(zip, *zip.find(archive)));
    for (const TorchTensor& tensor : opened.tensors()) {
        tensors.push_back({.archive = archive,
                           .name = tensor.name,
                           .scalarType = tensor.scalarType,
                           .sizes = tensor.sizes,
                           .bytes = tensor.bytes});
    }
    return {};
}

Record::Record(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
Record::~Record() = default;

Result<std::shared_ptr<const Record>> Record::open(const std::filesystem::path& path) {
    ET_ASSIGN(auto file, core::openOfKind(path, core::FileKind::Record));
    return parse(std::move(file));
}

Result<std::shared_ptr<const Record>> Record::parse(std::shared_ptr<const core::MappedFile> file) {
    auto zip = archive::ZipArchive::open(file);
    return read(std::move(zip), std::move(file));
}

Result<std::shared_ptr<const Record>> Record::parse(core::FileContent content, std::string name) {
    auto zip = archive::ZipArchive::open(std::move(content), name);
    return read(std::move(zip), core::MappedFile::fromMemory({}, std::move(name)));
}

Result<std::shared_ptr<const Record>> Record::read(Result<archive::ZipArchive> zip,
                                                   std::shared_ptr<const core::MappedFile> file) {
    if (!zip) {
        return std::unexpected(std::move(zip).error().in(file->name()));
    }
    auto impl = std::make_unique<Impl>(file, *std::move(zip));
    if (auto read = impl->read(); !read) {
        return std::unexpected(std::move(read).error().in(file->name()));
    }
    return std::shared_ptr<const Record>(new Record(std::move(impl)));
}

RecordLayout Record::layout() const {
    return impl->layout;
}

const core::MappedFile& Record::file() const {
    return *impl->file;
}

const archive::ZipArchive& Record::zip() const {
    return impl->zip;
}

const std::vector<RecordEntry>& Record::entries() const {
    return impl->entries;
}

const std::vector<std::string>& Record::methods() const {
    return impl->methods;
}

const ExportedGraph* Record::edgeGraph(std::string_view method) const {
    const auto found = std::ranges::find(impl->methods, method);
    return found == impl->methods.end()
               ? nullptr
               : &impl->edgeGraphs[static_cast<std::size_t>(found - impl->methods.begin())];
}

Result<const ExportedGraph*> Record::exportedProgram() const {
    if (!impl->exportedProgram) {
        return nullptr;
    }
    return impl->exportedProgram->get(impl->zip).transform_error(
        [&](Error error) { return std::move(error).in(impl->file->name()); });
}

const std::vector<std::string>& Record::extraGraphNames() const {
    return impl->extraNames;
}

Result<const ExportedGraph*> Record::extraGraph(std::string_view name) const {
    const auto found = std::ranges::find_if(impl->extraGraphs,
                                            [&](const auto& graph) { return graph->graphName() == name; });
    if (found == impl->extraGraphs.end()) {
        return fail(ErrorCode::NotFound, fmt::format("the record has no graph \"{}\"", name),
                    {.file = impl->file->name()});
    }
    return (*found)->get(impl->zip).transform_error(
        [&](Error error) { return std::move(error).in(impl->file->name()); });
}

const MethodMaps* Record::maps(std::string_view method) const {
    const auto found = impl->maps.find(method);
    return found == impl->maps.end() ? nullptr : &found->second;
}

bool Record::hasDelegateMap() const {
    return impl->hasDelegateMap;
}

std::optional<std::int64_t> Record::exportGraphId() const {
    return impl->exportGraphId;
}

const std::vector<std::string>& Record::archiveNames() const {
    return impl->archives;
}

Result<std::vector<ArchivedTensor>> Record::listTensors() const {
    std::vector<ArchivedTensor> tensors;
    for (const std::string& archive : impl->archives) {
        if (auto listed = impl->listArchive(archive, tensors); !listed) {
            return std::unexpected(std::move(listed).error().in(impl->file->name()));
        }
    }
    return tensors;
}

Result<TorchArchive> Record::archive(std::string_view name) const {
    const auto found = std::ranges::find(impl->archives, name);
    if (found == impl->archives.end()) {
        return fail(ErrorCode::NotFound, fmt::format("the record has no torch archive \"{}\"", name),
                    {.file = impl->file->name()});
    }
    return TorchArchive::open(impl->zip, *impl->zip.find(*found)).transform_error([&](Error error) {
        return std::move(error).in(impl->file->name());
    });
}

Result<std::vector<ArchivedTensor>> Record::listTensors(std::string_view archive) const {
    const auto found = std::ranges::find(impl->archives, archive);
    if (found == impl->archives.end()) {
        return fail(ErrorCode::NotFound, fmt::format("the record has no torch archive \"{}\"", archive),
                    {.file = impl->file->name()});
    }
    std::vector<ArchivedTensor> tensors;
    if (auto listed = impl->listArchive(*found, tensors); !listed) {
        return std::unexpected(std::move(listed).error().in(impl->file->name()));
    }
    return tensors;
}

}  // namespace et::etrecord

#include "etrecord/writer.h"

#include "etrecord/detail/layout.h"
#include "etrecord/detail/maps.h"
#include "runtime/archive/zip_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace et::etrecord {
namespace {

using archive::Entries;
using archive::textContent;
using core::ErrorCode;
using core::fail;
using core::Result;

}  // namespace

struct RecordWriter::Impl {
    std::vector<std::pair<std::string, std::string>> edgeGraphs;  ///< method and JSON
    detail::MapsByMethod maps;
    std::optional<std::int64_t> exportGraphId;
    Entries archives;  ///< entry and torch archive

    [[nodiscard]] Result<Entries> entries() const;
};

RecordWriter::RecordWriter() : impl(std::make_unique<Impl>()) {
}
RecordWriter::~RecordWriter() = default;

void RecordWriter::addEdgeGraph(std::string_view method, const ExportedGraph& graph) {
    impl->edgeGraphs.emplace_back(method, serializeExportedGraph(graph));
}

void RecordWriter::addArchive(std::string_view entry, core::FileContent archive) {
    impl->archives.emplace_back(entry, std::move(archive));
}

void RecordWriter::setMaps(std::string_view method, MethodMaps maps) {
    impl->maps.insert_or_assign(std::string(method), std::move(maps));
}

void RecordWriter::setExportGraphId(std::int64_t id) {
    impl->exportGraphId = id;
}

/// The record's entries in the exporter's order.
Result<Entries> RecordWriter::Impl::entries() const {
    if (edgeGraphs.empty()) {
        return fail(ErrorCode::InvalidArgument, "a record needs an Edge graph");
    }
    Entries all{{std::string(detail::identifierEntry), {}}};
    for (const auto& [method, json] : edgeGraphs) {
        if (method.empty() || method.contains('/')) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("\"{}\" is not a valid method name in a record", method));
        }
        all.emplace_back(fmt::format("{}/{}", detail::edgeEntry, method), textContent(json));
    }
    all.emplace_back(detail::debugHandleMapEntry, textContent(detail::serializeDebugHandleMap(maps)));
    all.emplace_back(detail::delegateMapEntry, textContent(detail::serializeDelegateMap(maps)));
    all.emplace_back(detail::outputCountMapEntry, textContent(detail::serializeOutputCountMap(maps)));
    all.insert(all.end(), archives.begin(), archives.end());
    if (exportGraphId) {
        all.emplace_back(detail::exportGraphIdEntry, textContent(std::to_string(*exportGraphId)));
    }
    return all;
}

Result<core::FileContent> RecordWriter::finishInPieces() const {
    ET_ASSIGN(const Entries entries, impl->entries());
    std::vector<std::string_view> names;
    std::ranges::transform(entries, std::back_inserter(names),
                           [](const auto& entry) { return std::string_view(entry.first); });
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
        return fail(ErrorCode::InvalidArgument, fmt::format("two entries have the name \"{}\"", *twice));
    }
    return archive::storeEntries(entries);
}

Result<std::vector<std::byte>> RecordWriter::finish() const {
    return finishInPieces().transform([](const core::FileContent& file) { return file.joined(); });
}

namespace {

/// All entries of a record, in place where possible, except those for which `isLeftOut` returns true.
template <class Predicate>
Result<Entries> entriesOf(const Record& record, const Predicate& isLeftOut) {
    Entries all;
    for (const archive::ZipArchive::Entry& entry : record.zip().entries()) {
        if (!isLeftOut(std::string_view(entry.name))) {
            ET_ASSIGN(core::FileContent content, record.zip().pieces(entry));
            all.emplace_back(entry.name, std::move(content));
        }
    }
    return all;
}

}  // namespace

Result<core::FileContent> replaceMaps(const Record& record,
                                      const std::map<std::string, MethodMaps, std::less<>>& maps) {
    const Entries replaced{
        {std::string(detail::debugHandleMapEntry), textContent(detail::serializeDebugHandleMap(maps))},
        {std::string(detail::delegateMapEntry), textContent(detail::serializeDelegateMap(maps))},
        {std::string(detail::outputCountMapEntry), textContent(detail::serializeOutputCountMap(maps))}};
    ET_ASSIGN(Entries all, entriesOf(record, [&](std::string_view name) {
                  return std::ranges::contains(replaced, name, &Entries::value_type::first);
              }));
    all.insert(all.end(), replaced.begin(), replaced.end());
    return archive::storeEntries(all);
}

Result<core::FileContent> replaceMethod(const Record& record, const MethodReplacement& replacement) {
    if (record.edgeGraph(replacement.method) == nullptr) {
        return fail(ErrorCode::NotFound, fmt::format("the record has no Edge graph for method \"{}\"",
                                                     core::printable(replacement.method)));
    }
    const std::string entry = fmt::format("{}/{}", detail::edgeEntry, replacement.method);
    const std::string old =
        record.layout() == RecordLayout::Legacy2023 ? std::string(detail::edgeEntry) : entry;
    const Entries replaced{{entry, textContent(serializeExportedGraph(replacement.graph))},
                           {entry + "_state_dict", replacement.stateDict},
                           {entry + "_constants", replacement.constants}};
    constexpr std::array otherProgram{detail::debugHandleMapEntry, detail::delegateMapEntry,
                                      detail::outputCountMapEntry, detail::exportGraphIdEntry,
                                      std::string_view("reference_outputs")};
    ET_ASSIGN(Entries all, entriesOf(record, [&](std::string_view name) {
                  const bool own = name == old || name == old + "_state_dict" || name == old + "_constants";
                  return own || name.starts_with(detail::exportedProgramEntry) ||
                         std::ranges::contains(otherProgram, name);
              }));
    all.insert(all.end(), replaced.begin(), replaced.end());
    return archive::storeEntries(all);
}

}  // namespace et::etrecord

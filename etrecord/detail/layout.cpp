#include "etrecord/detail/layout.h"

#include <algorithm>
#include <array>

namespace et::etrecord::detail {
namespace {

/// Suffixes of the entries that contain an exported program's tensors.
constexpr std::array<std::string_view, 3> archiveSuffixes{"_state_dict", "_constants", "_example_inputs"};
/// Torch archives of the whole record.
constexpr std::array<std::string_view, 2> recordArchives{"reference_outputs", "representative_inputs"};

/// A method may be named "get_state_dict", so an entry is an archive only if its program exists.
bool isArchive(const archive::ZipArchive& zip, std::string_view name) {
    const auto belongsToProgram = [&](std::string_view suffix) {
        return name.ends_with(suffix) && zip.find(name.substr(0, name.size() - suffix.size())) != nullptr;
    };
    return std::ranges::contains(recordArchives, name) ||
           std::ranges::any_of(archiveSuffixes, belongsToProgram);
}

}  // namespace

RecordEntries classifyEntries(const archive::ZipArchive& zip) {
    RecordEntries entries;
    const archive::ZipArchive::Entry* unnamedEdge = nullptr;
    for (const archive::ZipArchive::Entry& entry : zip.entries()) {
        const std::string_view name = entry.name;
        const std::size_t slash = name.rfind('/');
        const bool directory = name.ends_with('/');
        if (isArchive(zip, name)) {
            entries.archives.push_back(&entry);
        } else if (name == edgeEntry) {
            unnamedEdge = &entry;
        } else if (slash != std::string_view::npos && !directory) {
            const bool edge = name.substr(0, slash) == edgeEntry;
            (edge ? entries.edgeGraphs : entries.extraGraphs)
                .push_back({std::string(edge ? name.substr(slash + 1) : name), &entry});
        }
    }
    entries.namesMethods = !entries.edgeGraphs.empty();
    if (!entries.namesMethods && unnamedEdge != nullptr) {
        entries.edgeGraphs.push_back({std::string(onlyMethod), unnamedEdge});
    }
    return entries;
}

}  // namespace et::etrecord::detail

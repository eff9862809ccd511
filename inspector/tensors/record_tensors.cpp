// Lists weights, inputs and outputs of an ETRecord.
#include "inspector/session/package_program.h"
#include "inspector/tensors/catalog_builder.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using etrecord::Argument;
using etrecord::ExportedGraph;
using Handles = std::vector<core::DebugHandle>;

constexpr std::string_view edgePrograms = "edge_dialect_exported_program/";
constexpr std::string_view stateEnding = "_state_dict";
constexpr std::string_view constantsEnding = "_constants";

/// Handles of the nodes that read each parameter, buffer or constant of a graph, by its fully qualified name.
class Readers {
  public:
    explicit Readers(const ExportedGraph& graph) {
        for (const etrecord::Node& node : graph.nodes) {
            for (const Argument& argument : node.inputs) {
                note(argument, node.debugHandles);
            }
        }
        for (const etrecord::InputSpec& spec : graph.inputSpecs) {
            const auto read = byValue.find(spec.value);
            if (!spec.target.empty() && read != byValue.end()) {
                byTarget.emplace(spec.target, read->second);
            }
        }
    }

    [[nodiscard]] const Handles* of(std::string_view target) const {
        const auto found = byTarget.find(target);
        return found == byTarget.end() ? nullptr : &found->second;
    }

  private:
    void note(const std::string& value, const Handles& handles) {
        Handles& known = byValue[value];
        for (const core::DebugHandle handle : handles) {
            if (!std::ranges::contains(known, handle)) {
                known.push_back(handle);
            }
        }
    }
    void note(const Argument& argument, const Handles& handles) {
        if (const auto* const one = std::get_if<etrecord::ValueRef>(&argument.value)) {
            note(one->name, handles);
        } else if (const auto* const list =
                       std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&argument.value)) {
            for (const auto& each : *list) {
                if (each) {
                    note(each->name, handles);
                }
            }
        }
    }

    std::map<std::string, Handles, std::less<>> byValue;
    std::map<std::string, Handles, std::less<>> byTarget;
};

/// Method of an archive; "forward" for those of the exported program, which has only that method.
std::string methodOf(std::string_view archive, const etrecord::Record& record) {
    if (archive.starts_with(edgePrograms)) {
        archive.remove_prefix(edgePrograms.size());
        for (const std::string_view ending : {stateEnding, constantsEnding}) {
            if (archive.ends_with(ending)) {
                return std::string(archive.substr(0, archive.size() - ending.size()));
            }
        }
    }
    return record.methods().size() == 1 ? record.methods().front() : "forward";
}

bool isWeights(std::string_view archive) {
    return archive.ends_with(stateEnding) || archive.ends_with(constantsEnding) ||
           archive.ends_with("/state_dict") || archive.ends_with("/constants");
}

class RecordLister {
  public:
    RecordLister(CatalogContent& into, const etrecord::Record& from) : content(into), record(from) {
        for (const std::string& method : record.methods()) {
            if (const ExportedGraph* const graph = record.edgeGraph(method)) {
                readers.emplace(method, Readers(*graph));
            }
        }
    }

    void list(const std::string& archive) {
        const auto tensors = record.listTensors(archive);
        if (!tensors) {
            content.problems.push_back(tensors.error().toString());
            return;
        }
        for (std::size_t i = 0; i < tensors->size(); ++i) {
            content.add(describe((*tensors)[i]), ArchiveLocation{.archive = archive, .tensor = i});
        }
    }

  private:
    [[nodiscard]] CatalogTensor describe(const etrecord::ArchivedTensor& from) const {
        const bool weight = isWeights(from.archive);
        CatalogTensor tensor{
            .origin = weight ? TensorOrigin::RecordWeight : TensorOrigin::RecordSample,
            .name = from.name,
            .place = from.archive,
            .type = fmt::format("{} {}", core::scalarTypeName(from.scalarType), core::sizesText(from.sizes)),
            .bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(from.bytes, 0)),
            .method = methodOf(from.archive, record)};
        const auto known = readers.find(tensor.method);
        const Handles* const handles =
            weight && known != readers.end() ? known->second.of(from.name) : nullptr;
        if (handles != nullptr) {
            tensor.handles = *handles;
            tensor.module = moduleOf(InstructionNodes(&record, tensor.method), *handles);
        }
        return tensor;
    }

    CatalogContent& content;
    const etrecord::Record& record;
    std::map<std::string, Readers, std::less<>> readers;
};

/// Names in the record for a tensor of this type under one of these handles.
using NamesByHandle = std::map<std::pair<std::string, core::DebugHandle>, std::set<std::string>>;
std::set<std::string> recordedNames(const CatalogTensor& tensor, const NamesByHandle& names) {
    std::set<std::string> found;
    for (const core::DebugHandle handle : tensor.handles) {
        if (const auto known = names.find({tensor.type, handle}); known != names.end()) {
            found.insert(known->second.begin(), known->second.end());
        }
    }
    return found;
}

/// Replaces reader-derived names of constants with the record's name if exactly one matches.
void nameConstants(CatalogContent& content) {
    NamesByHandle names;
    for (const CatalogTensor& tensor : content.tensors) {
        for (const core::DebugHandle handle : tensor.handles) {
            if (tensor.origin == TensorOrigin::RecordWeight) {
                names[{tensor.type, handle}].insert(tensor.name);
            }
        }
    }
    for (CatalogTensor& tensor : content.tensors) {
        const bool unnamed = tensor.origin == TensorOrigin::Constant && tensor.name.contains(": ");
        const std::set<std::string> found = unnamed ? recordedNames(tensor, names) : std::set<std::string>();
        if (found.size() == 1) {
            tensor.name = *found.begin();
        }
    }
}

}  // namespace

void addRecord(CatalogContent& content, const CatalogSources& sources) {
    const etrecord::Record* const record = sources.session->record.get();
    const bool isOfPackage = isProgramOfPackage(*sources.session) && sources.session->files.record.empty();
    if (record == nullptr || isOfPackage) {
        return;
    }
    RecordLister lister(content, *record);
    for (const bool weights : {true, false}) {
        for (const std::string& archive : record->archiveNames()) {
            if (isWeights(archive) == weights) {
                lister.list(archive);
            }
        }
    }
    nameConstants(content);
}

}  // namespace et::inspector

#include "backends/coreml/describe.h"

#include "backends/coreml/model.h"
#include "backends/coreml/package.h"
#include "backends/payload_data.h"
#include "runtime/archive/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::coreml {
namespace {

using archive::JsonDocument;
using archive::JsonValue;
using core::Bytes;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

constexpr std::string_view packageFolder = "model.mlpackage/";
constexpr std::string_view compiledFolder = "model.mlmodelc/";
constexpr std::string_view modelExtension = ".mlmodel";
constexpr std::string_view defaultFunction = "main";
constexpr std::uint32_t programField = 502;

/// Files of the package that are read.
struct KnownFiles {
    const PackageFile* manifest = nullptr;
    const PackageFile* metadata = nullptr;
    const PackageFile* debugInfo = nullptr;
    const PackageFile* model = nullptr;
};

/// Path of the model as the manifest has it; empty: no manifest, or it is damaged.
std::string modelPathOf(const PackageFile& manifest) {
    const auto document = JsonDocument::parse(manifest.data, "Manifest.json");
    if (!document) {
        return {};
    }
    const JsonValue root = document->root();
    const auto id = root.find("rootModelIdentifier");
    const auto items = root.find("itemInfoEntries");
    if (!id || !items || !id->isString()) {
        return {};
    }
    const auto item = items->find(id->string().value_or(""));
    const auto path = item ? item->find("path") : std::nullopt;
    return path && path->isString() ? fmt::format("{}Data/{}", packageFolder, path->string().value_or(""))
                                    : std::string();
}

KnownFiles knownFiles(const Package& package) {
    KnownFiles files{.manifest = package.find(fmt::format("{}Manifest.json", packageFolder)),
                     .metadata = package.find("metadata.json"),
                     .debugInfo = package.find("debug_info.json")};
    if (files.manifest != nullptr) {
        files.model = package.find(modelPathOf(*files.manifest));
    }
    const auto isModel = [](const PackageFile& each) { return each.path.ends_with(modelExtension); };
    if (const auto found = std::ranges::find_if(package.files, isModel);
        files.model == nullptr && found != package.files.end()) {
        files.model = &*found;
    }
    return files;
}

Result<> readTexts(const JsonValue& object, std::string_view name, std::vector<std::string>& texts) {
    const auto list = object.find(name);
    return list ? list->forEach([&](const JsonValue& each) -> Result<> {
        ET_ASSIGN(const std::string_view text, each.string());
        texts.emplace_back(text);
        return {};
    })
                : Result<>();
}

/// Reads the names of the arguments; a model with several functions has them per method.
Result<std::string> readMetadata(Bytes file, ProgramSources& sources) {
    ET_ASSIGN(const auto document, JsonDocument::parse(file, "metadata.json"));
    const JsonValue root = document.root();
    std::string identifier;
    if (const auto id = root.find("identifier")) {
        ET_ASSIGN(identifier, id->string());
    }
    const auto methods = root.find("methods");
    const auto method = methods ? methods->find(sources.functionName) : std::nullopt;
    const JsonValue& names = method ? *method : root;
    ET_TRY(readTexts(names, "inputNames", sources.inputs));
    ET_TRY(readTexts(names, "outputNames", sources.outputs));
    return identifier;
}

Result<> readDebugInfo(Bytes file, ProgramSources& sources) {
    ET_ASSIGN(const auto document, JsonDocument::parse(file, "debug_info.json"));
    const JsonValue root = document.root();
    const auto symbols = root.find("debugSymbolToHandles");
    return symbols ? symbols->forEachMember([&](std::string_view symbol, const JsonValue& list) {
        auto& handles = sources.handles[std::string(symbol)];
        return list.forEach([&](const JsonValue& each) -> Result<> {
            ET_ASSIGN(const std::int64_t handle, each.integer());
            handles.emplace_back(handle);
            return {};
        });
    })
                   : Result<>();
}

void addFiles(const Package& package, std::vector<core::GraphAttribute>& attributes) {
    constexpr std::size_t maxFiles = 64;
    for (std::size_t i = 0; i < std::min(package.files.size(), maxFiles); ++i) {
        const PackageFile& file = package.files[i];
        attributes.push_back(
            {"file " + core::printable(file.path), fmt::format("{} bytes", file.data.size())});
    }
    if (package.files.size() > maxFiles) {
        attributes.push_back({"files", fmt::to_string(package.files.size())});
    }
}

/// A package whose model is not an ML Program: one node with the files as constants.
ModelGraph filesGraph(const Package& package, std::string kind,
                      std::vector<core::GraphAttribute> attributes) {
    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = std::move(kind), .attributes = std::move(attributes)};
    for (const PackageFile& file : package.files) {
        node.inputs.push_back(graph.addValue({.name = core::printable(file.path),
                                              .type = "opaque",
                                              .role = GraphValue::Role::Constant,
                                              .bytes = file.data.size(),
                                              .data = file.data}));
    }
    graph.addNode(std::move(node));
    return graph;
}

/// The graph with attributes in its outermost group.
ModelGraph withAttributes(const ModelGraph& graph, std::vector<core::GraphAttribute> attributes) {
    ModelGraph out;
    out.name = graph.name;
    for (core::GraphGroup group : graph.groups()) {
        if (out.groups().empty()) {
            std::ranges::move(attributes, std::back_inserter(group.attributes));
        }
        out.addGroup(std::move(group));
    }
    for (GraphValue value : graph.values()) {
        value.producer.reset();
        value.consumers.clear();
        out.addValue(std::move(value));
    }
    for (const GraphNode& node : graph.nodes()) {
        out.addNode(node);
    }
    return out;
}

ModelGraph missingPackage(const Package& package, const executor::NamedDataSource& namedData) {
    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = "Core ML package"};
    GraphValue value{.name = "package", .type = "opaque", .role = GraphValue::Role::Constant};
    describeNamedConstant(package.key, namedData, value);
    node.inputs.push_back(graph.addValue(std::move(value)));
    graph.addNode(std::move(node));
    return graph;
}

Result<ModelGraph> describePackage(const Package& package, ByteCoverage* described) {
    const KnownFiles files = knownFiles(package);
    std::vector<core::GraphAttribute> attributes;
    if (files.model == nullptr) {
        const bool isCompiled = std::ranges::any_of(
            package.files, [](const PackageFile& each) { return each.path.starts_with(compiledFolder); });
        return filesGraph(package, isCompiled ? "compiled Core ML model" : "Core ML package", {});
    }
    ET_ASSIGN(const Model model, readModel(files.model->data));
    attributes.push_back({"specification version", specificationText(model.specification)});
    const std::string type =
        model.type.empty() ? fmt::format("type {}", model.typeField) : std::string(model.type);
    attributes.push_back({"model type", type});
    if (model.typeField != programField) {
        return filesGraph(package, fmt::format("Core ML {}", type), std::move(attributes));
    }
    const std::string_view path = files.model->path;
    const std::size_t slash = path.rfind('/');
    ProgramSources sources{.package = package,
                           .folder = std::string(path.substr(0, slash == path.npos ? 0 : slash + 1)),
                           .functionName = package.functionName};
    if (sources.functionName.empty()) {
        sources.functionName = model.defaultFunction.empty() ? defaultFunction : model.defaultFunction;
    }
    if (files.metadata != nullptr) {
        ET_ASSIGN(const std::string identifier, readMetadata(files.metadata->data, sources));
        attributes.push_back({"identifier", core::printable(identifier)});
    }
    if (files.debugInfo != nullptr) {
        ET_TRY(readDebugInfo(files.debugInfo->data, sources));
    }
    if (described != nullptr) {
        for (const PackageFile* file : {files.manifest, files.metadata, files.debugInfo, files.model}) {
            if (file != nullptr) {
                described->add(file->data.data(), file->data.size());
            }
        }
    }
    addFiles(package, attributes);
    ET_ASSIGN(const ModelGraph graph, programGraph(model.content, sources, described));
    return withAttributes(graph, std::move(attributes));
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const Package package, readPackage(payload, namedData));
    return package.listing.empty() ? Result<ModelGraph>(missingPackage(package, namedData))
                                   : describePackage(package, nullptr);
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData,
                      PayloadContents& contents) {
    ET_ASSIGN(const Package package, readPackage(delegate.payload, namedData));
    contents.described.add(package.reference.data(), package.reference.size());
    contents.described.add(package.listing.data(), package.listing.size());
    for (const PackageFile& file : package.files) {
        contents.parts.push_back({.name = file.path, .data = file.data});
    }
    // A package whose model is damaged still has files.
    static_cast<void>(describePackage(package, &contents.described));
    return {};
}

}  // namespace et::backends::coreml

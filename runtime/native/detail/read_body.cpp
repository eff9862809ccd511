#include "runtime/native/detail/read_body.h"

#include "runtime/native/detail/read_arguments.h"
#include "runtime/native/detail/read_meta.h"

#include <fmt/format.h>

#include <utility>

namespace et::native::detail {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

/// Reads the nodes of one graph in order.
class BodyReader {
  public:
    BodyReader(Texts& from, Names known, std::size_t graphDepth)
        : texts(from), view(from.view), external(known), defined(std::move(known)), depth(graphDepth) {}

    Result<Graph> read(const schema::Graph& graph, const FieldPath& path);

  private:
    Result<> readMetas(const schema::Graph& graph, const FieldPath& path, Graph& read);
    Result<Node> readNode(const schema::Node& node, const FieldPath& path);
    Result<Output> readOutput(const schema::Output& output, const FieldPath& path);
    Result<> defineOutput(const schema::Output& output, const FieldPath& path, Output::Kind kind);
    Result<> define(const flatbuffers::String* name, const FieldPath& path, const void* table);
    Result<> checkOutputs(const schema::Graph& graph, const FieldPath& path, const Graph& read) const;

    Texts& texts;
    FlatView& view;
    Names external;  ///< constants and mutable buffers, whose metadata are elsewhere
    Names defined;
    Names scalars;  ///< results that are numbers
    Names nodeNames;
    std::size_t depth;
};

Result<> BodyReader::define(const flatbuffers::String* name, const FieldPath& path, const void* table) {
    ET_ASSIGN(const std::string_view text, view.required(name, path, table));
    if (!defined.insert(text).second) {
        return view.fail(
            ErrorCode::Format, path, table,
            fmt::format("expected one definition of \"{}\", got a second", core::printable(text)));
    }
    return {};
}

Result<> BodyReader::defineOutput(const schema::Output& output, const FieldPath& path, Output::Kind kind) {
    if (kind != Output::Kind::TensorList) {
        ET_TRY(define(output.name(), path, &output));
        if (kind != Output::Kind::Tensor) {
            scalars.insert(viewOf(output.name()));
        }
        return {};
    }
    return view
        .map(output.names(), path,
             [&](const flatbuffers::String* name, const FieldPath& at) {
                 return define(name, at, &output).transform([] { return true; });
             })
        .transform([](const auto&) {});
}

Result<Output> BodyReader::readOutput(const schema::Output& output, const FieldPath& path) {
    Output read{.kind = static_cast<Output::Kind>(output.kind()), .name = {}};
    if (output.kind() < 0 || read.kind > Output::Kind::Float) {
        return view.fail(ErrorCode::Unsupported, path, &output,
                         fmt::format("unknown kind of output {}", output.kind()));
    }
    ET_ASSIGN(read.name, texts.optional(output.name(), path));
    const FieldPath namesPath = path.field("names");
    ET_ASSIGN(read.names, texts.list(output.names(), namesPath));
    const FieldPath aliasPath = path.field("alias_of");
    ET_ASSIGN(read.aliasOf, texts.optional(output.alias_of(), aliasPath));
    if (!read.aliasOf.empty()) {
        ET_TRY(checkDefined(view, defined, viewOf(output.alias_of()), aliasPath, output.alias_of()));
    }
    return read;
}

Result<Node> BodyReader::readNode(const schema::Node& node, const FieldPath& path) {
    Node read{.kind = static_cast<Node::Kind>(node.kind()), .name = {}, .target = {}};
    if (node.kind() < 0 || read.kind > Node::Kind::Output) {
        return view.fail(ErrorCode::Unsupported, path, &node,
                         fmt::format("unknown kind of node {}", node.kind()));
    }
    const FieldPath namePath = path.field("name");
    ET_ASSIGN(read.name, texts.name(node.name(), namePath, &node));
    if (!nodeNames.insert(viewOf(node.name())).second) {
        return view.fail(
            ErrorCode::Format, namePath, &node,
            fmt::format("expected one node named \"{}\", got a second", core::printable(read.name)));
    }
    const FieldPath targetPath = path.field("target");
    ET_ASSIGN(read.target, read.kind == Node::Kind::Call ? texts.name(node.target(), targetPath, &node)
                                                         : texts.optional(node.target(), targetPath));
    const FieldPath inputsPath = path.field("inputs");
    ArgumentReader arguments(texts, defined, depth);
    ET_ASSIGN(read.inputs, view.map(node.inputs(), inputsPath,
                                    [&](const schema::NamedArgument* argument, const FieldPath& at) {
                                        return arguments.read(*argument, at);
                                    }));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(read.outputs,
              view.map(node.outputs(), outputsPath, [&](const schema::Output* output, const FieldPath& at) {
                  return readOutput(*output, at);
              }));
    if (read.kind == Node::Kind::Placeholder) {
        ET_TRY(checkDefined(view, defined, read.name, namePath, node.name()));
    } else {
        for (std::size_t i = 0; i < read.outputs.size(); ++i) {
            const FieldPath at = outputsPath.at(i);
            ET_TRY(defineOutput(*node.outputs()->Get(static_cast<flatbuffers::uoffset_t>(i)), at,
                                read.outputs[i].kind));
        }
    }
    const FieldPath metadataPath = path.field("metadata");
    ET_ASSIGN(read.metadata,
              view.map(node.metadata(), metadataPath,
                       [&](const schema::Metadata* each,
                           const FieldPath& at) -> Result<std::pair<std::string, std::string>> {
                           ET_ASSIGN(std::string key, texts.optional(each->key(), at));
                           ET_ASSIGN(std::string value, texts.optional(each->value(), at));
                           return std::pair(std::move(key), std::move(value));
                       }));
    return read;
}

Result<> BodyReader::readMetas(const schema::Graph& graph, const FieldPath& path, Graph& read) {
    return view
        .map(graph.tensors(), path,
             [&](const schema::NamedMeta* each, const FieldPath& at) -> Result<bool> {
                 ET_ASSIGN(std::string name, texts.name(each->name(), at, each));
                 ET_ASSIGN(TensorMeta meta, readMeta(texts, each->meta(), at, each));
                 if (!read.tensors.emplace(std::move(name), std::move(meta)).second) {
                     return view.fail(ErrorCode::Format, at, each,
                                      fmt::format("expected one entry for \"{}\", got a second",
                                                  core::printable(viewOf(each->name()))));
                 }
                 return true;
             })
        .transform([](const auto&) {});
}

Result<> BodyReader::checkOutputs(const schema::Graph& graph, const FieldPath& path,
                                  const Graph& read) const {
    for (std::size_t i = 0; i < read.outputs.size(); ++i) {
        const FieldPath at = path.at(i);
        const auto* const name = graph.outputs()->Get(static_cast<flatbuffers::uoffset_t>(i));
        ET_TRY(checkDefined(view, defined, read.outputs[i], at, name));
        if (!read.tensors.contains(read.outputs[i]) && !scalars.contains(viewOf(name)) &&
            !external.contains(viewOf(name))) {
            return view.fail(ErrorCode::Format, at, name,
                             fmt::format("expected metadata of output \"{}\", got none",
                                         core::printable(read.outputs[i])));
        }
    }
    return {};
}

Result<Graph> BodyReader::read(const schema::Graph& graph, const FieldPath& path) {
    Graph read;
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(read.inputs, texts.list(graph.inputs(), inputsPath));
    const FieldPath tensorsPath = path.field("tensors");
    ET_TRY(readMetas(graph, tensorsPath, read));
    for (std::size_t i = 0; i < read.inputs.size(); ++i) {
        const FieldPath at = inputsPath.at(i);
        const auto* const name = graph.inputs()->Get(static_cast<flatbuffers::uoffset_t>(i));
        ET_TRY(define(name, at, name));
        if (!read.tensors.contains(read.inputs[i])) {
            return view.fail(
                ErrorCode::Format, at, name,
                fmt::format("expected metadata of input \"{}\", got none", core::printable(read.inputs[i])));
        }
    }
    const FieldPath nodesPath = path.field("nodes");
    ET_ASSIGN(read.nodes,
              view.map(graph.nodes(), nodesPath, [this](const schema::Node* node, const FieldPath& at) {
                  return readNode(*node, at);
              }));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(read.outputs, texts.list(graph.outputs(), outputsPath));
    ET_TRY(checkOutputs(graph, outputsPath, read));
    return read;
}

}  // namespace

Result<Graph> readBody(Texts& texts, const schema::Graph* graph, const FieldPath& path, Names defined,
                       std::size_t depth) {
    if (graph == nullptr) {
        return texts.view.fail(ErrorCode::Format, path, nullptr, "expected a graph, got none");
    }
    if (depth > maxGraphDepth) {
        return texts.view.fail(ErrorCode::Limit, path, graph,
                               fmt::format("expected at most {} nested subgraphs, got more", maxGraphDepth));
    }
    return BodyReader(texts, std::move(defined), depth).read(*graph, path);
}

}  // namespace et::native::detail

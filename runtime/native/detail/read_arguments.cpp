#include "runtime/native/detail/read_arguments.h"

#include "runtime/native/detail/read_body.h"
#include "runtime/native/detail/read_meta.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace et::native::detail {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;
using schema::Content;

Result<std::string> ArgumentReader::reference(const flatbuffers::String* name, const FieldPath& path) {
    ET_TRY(checkDefined(texts.view, defined, viewOf(name), path, name));
    return texts.optional(name, path);
}

template <class T, class Table>
Result<ArgumentValue> ArgumentReader::readScalar(const Table& table, const FieldPath& path) {
    ScalarOrName<T> scalar{.value = table.value()};
    if (!viewOf(table.name()).empty()) {
        ET_ASSIGN(scalar.name, reference(table.name(), path));
    }
    return scalar;
}

Result<ArgumentValue> ArgumentReader::readTensor(const schema::TensorName& tensor, const FieldPath& path) {
    return reference(tensor.name(), path).transform([](std::string name) {
        return ArgumentValue(TensorName{std::move(name)});
    });
}

Result<ArgumentValue> ArgumentReader::readInts(const schema::IntList& list, const FieldPath& path) {
    ET_ASSIGN(const auto values, texts.view.copy<std::int64_t>(list.values(), path));
    const auto* const names = list.names();
    if (names != nullptr && names->size() != values.size()) {
        return texts.view.fail(
            ErrorCode::Format, path, names,
            fmt::format("expected {} names, one for each value, got {}", values.size(), names->size()));
    }
    std::vector<IntOrName> ints(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        ints[i].value = values[i];
        const auto* const name =
            names == nullptr ? nullptr : names->Get(static_cast<flatbuffers::uoffset_t>(i));
        if (!viewOf(name).empty()) {
            const FieldPath at = path.at(i);
            ET_ASSIGN(ints[i].name, reference(name, at));
        }
    }
    return ints;
}

/// Booleans are stored as bytes.
Result<ArgumentValue> ArgumentReader::readBools(const schema::BoolList& list, const FieldPath& path) {
    return texts.view
        .map(list.values(), path,
             [](std::uint8_t value, const FieldPath&) -> Result<bool> { return value != 0; })
        .transform([](std::vector<bool> values) { return ArgumentValue(std::move(values)); });
}

Result<ArgumentValue> ArgumentReader::readTensors(const schema::TensorList& list, const FieldPath& path) {
    TensorNames tensors;
    ET_ASSIGN(tensors.names, texts.view.map(list.names(), path,
                                            [this](const flatbuffers::String* name, const FieldPath& at) {
                                                return reference(name, at).transform([](std::string text) {
                                                    return std::optional(std::move(text));
                                                });
                                            }));
    return tensors;
}

Result<ArgumentValue> ArgumentReader::readOptionalTensors(const schema::OptionalTensorList& list,
                                                          const FieldPath& path) {
    const std::size_t count = list.names() == nullptr ? 0 : list.names()->size();
    const std::size_t flags = list.present() == nullptr ? 0 : list.present()->size();
    if (count != flags) {
        return texts.view.fail(ErrorCode::Format, path, &list,
                               fmt::format("expected {} flags, one for each name, got {}", count, flags));
    }
    TensorNames tensors{.names = {}, .isOptional = true};
    flatbuffers::uoffset_t i = 0;
    ET_ASSIGN(tensors.names, texts.view.map(list.names(), path,
                                            [&](const flatbuffers::String* name,
                                                const FieldPath& at) -> Result<std::optional<std::string>> {
                                                if (list.present()->Data()[i++] == 0) {
                                                    return std::nullopt;
                                                }
                                                return reference(name, at).transform([](std::string text) {
                                                    return std::optional(std::move(text));
                                                });
                                            }));
    return tensors;
}

Result<ArgumentValue> ArgumentReader::readSubgraph(const schema::Subgraph& subgraph, const FieldPath& path) {
    Subgraph read;
    ET_ASSIGN(read.name, texts.optional(subgraph.name(), path));
    const FieldPath graphPath = path.field("graph");
    ET_ASSIGN(Graph graph, readBody(texts, subgraph.graph(), graphPath, {}, depth + 1));
    read.graph = std::make_shared<const Graph>(std::move(graph));
    return read;
}

Result<ArgumentValue> ArgumentReader::readContent(const schema::Argument& argument, const FieldPath& path) {
    const void* const content = argument.content();
    FlatView& view = texts.view;
    if (content == nullptr) {
        return view.fail(ErrorCode::Format, path, &argument, "expected content of an argument, got none");
    }
    switch (argument.content_type()) {
        case Content::TensorName:
            return readTensor(FlatView::unionAs<schema::TensorName>(content), path);
        case Content::None:
            return std::monostate();
        case Content::Int:
            return readScalar<std::int64_t>(FlatView::unionAs<schema::Int>(content), path);
        case Content::Float:
            return readScalar<double>(FlatView::unionAs<schema::Float>(content), path);
        case Content::Bool:
            return readScalar<bool>(FlatView::unionAs<schema::Bool>(content), path);
        case Content::Text:
            return texts.optional(FlatView::unionAs<schema::Text>(content).value(), path)
                .transform([](std::string text) { return ArgumentValue(std::move(text)); });
        case Content::ScalarType:
            return readScalarType(view, FlatView::unionAs<schema::ScalarType>(content).value(), path, content)
                .transform([](std::int8_t code) { return ArgumentValue(ScalarTypeCode{code}); });
        case Content::IntList:
            return readInts(FlatView::unionAs<schema::IntList>(content), path);
        case Content::FloatList:
            return view.copy<double>(FlatView::unionAs<schema::FloatList>(content).values(), path)
                .transform([](std::vector<double> values) { return ArgumentValue(std::move(values)); });
        case Content::BoolList:
            return readBools(FlatView::unionAs<schema::BoolList>(content), path);
        case Content::TensorList:
            return readTensors(FlatView::unionAs<schema::TensorList>(content), path);
        case Content::OptionalTensorList:
            return readOptionalTensors(FlatView::unionAs<schema::OptionalTensorList>(content), path);
        case Content::Subgraph:
            return readSubgraph(FlatView::unionAs<schema::Subgraph>(content), path);
        default:
            return view.fail(
                ErrorCode::Unsupported, path, &argument,
                fmt::format("unknown kind of argument {}", static_cast<int>(argument.content_type())));
    }
}

Result<Argument> ArgumentReader::read(const schema::NamedArgument& argument, const FieldPath& path) {
    Argument read{.name = {}, .isMutated = argument.mutated()};
    ET_ASSIGN(read.name, texts.optional(argument.name(), path));
    if (argument.argument() == nullptr) {
        return texts.view.fail(ErrorCode::Format, path, &argument, "expected an argument, got none");
    }
    ET_ASSIGN(read.value, readContent(*argument.argument(), path));
    return read;
}

}  // namespace et::native::detail

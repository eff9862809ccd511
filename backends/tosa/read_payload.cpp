#include "backends/tosa/read_payload.h"

#include "backends/payload_data.h"
#include "backends/tosa/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

namespace et::backends::tosa {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

using Texts = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

constexpr std::int32_t oldestMajor = 1;
constexpr std::size_t maxBlocks = std::size_t{1} << 16U;

std::string_view viewOf(const flatbuffers::String* text) {
    return text == nullptr ? std::string_view() : text->string_view();
}

/// Reads the fields of an operator by its table, since the schema does not describe them. The bounds of the
/// operator's table are already verified; each field is verified before it is read.
class FieldReader {
  public:
    FieldReader(FlatView& flatView, core::Bytes flatbuffer, const schema::Fields& fields, const FieldPath& at,
                ByteCoverage* to)
        : view(flatView),
          table(reinterpret_cast<const flatbuffers::Table&>(fields)),
          path(at),
          coverage(to),
          verifier(reinterpret_cast<const std::uint8_t*>(flatbuffer.data()), flatbuffer.size()) {}

    Result<Field> read(std::size_t slot, const FieldInfo& info);

  private:
    template <class T>
    Result<Field> number(flatbuffers::voffset_t place, std::string_view name);
    template <class T>
    Result<const flatbuffers::Vector<T>*> list(flatbuffers::voffset_t place, std::string_view name);
    std::unexpected<core::Error> damaged(std::string_view name) const;

    FlatView& view;
    const flatbuffers::Table& table;
    const FieldPath& path;
    ByteCoverage* coverage;
    flatbuffers::Verifier verifier;
};

std::unexpected<core::Error> FieldReader::damaged(std::string_view name) const {
    const FieldPath at = path.field(name);
    return view.fail(ErrorCode::Format, at, &table, "expected a field inside the flatbuffer");
}

template <class T>
Result<Field> FieldReader::number(flatbuffers::voffset_t place, std::string_view name) {
    if (!table.VerifyField<T>(verifier, place, sizeof(T))) {
        return damaged(name);
    }
    return table.CheckField(place) ? Field(std::int64_t{table.GetField<T>(place, T{})}) : Field();
}

template <class T>
Result<const flatbuffers::Vector<T>*> FieldReader::list(flatbuffers::voffset_t place, std::string_view name) {
    using Vector = flatbuffers::Vector<T>;
    if (!table.VerifyOffset(verifier, place) ||
        !verifier.VerifyVector(table.GetPointer<const Vector*>(place))) {
        return damaged(name);
    }
    const auto* vector = table.GetPointer<const Vector*>(place);
    if (coverage != nullptr) {
        coverage->addVector(vector, sizeof(T));
    }
    return vector;
}

Result<Field> FieldReader::read(std::size_t slot, const FieldInfo& info) {
    const auto place = static_cast<flatbuffers::voffset_t>((2U + slot) * sizeof(flatbuffers::voffset_t));
    switch (info.kind) {
        case FieldKind::Int:
            return number<std::int32_t>(place, info.name);
        case FieldKind::Bool:
            return number<std::uint8_t>(place, info.name);
        case FieldKind::Datatype:
        case FieldKind::ResizeMode:
        case FieldKind::NanMode:
        case FieldKind::RoundingMode:
            return number<std::uint32_t>(place, info.name);
        case FieldKind::IntList: {
            ET_ASSIGN(const auto* numbers, list<std::int32_t>(place, info.name));
            const FieldPath at = path.field(info.name);
            ET_ASSIGN(auto copied, view.copy<std::int64_t>(numbers, at));
            return numbers == nullptr ? Field() : Field(std::move(copied));
        }
        case FieldKind::Element:
        case FieldKind::Blob: {
            ET_ASSIGN(const auto* bytes, list<std::uint8_t>(place, info.name));
            return bytes == nullptr ? Field() : Field(FlatView::blob(bytes));
        }
        case FieldKind::Text:
        case FieldKind::Graph:
            break;
    }
    const auto* text =
        table.VerifyOffset(verifier, place) ? table.GetPointer<const flatbuffers::String*>(place) : nullptr;
    if (!table.VerifyOffset(verifier, place) || !verifier.VerifyString(text)) {
        return damaged(info.name);
    }
    if (coverage != nullptr) {
        coverage->addVector(text, sizeof(char));
    }
    return text == nullptr ? Field() : Field(text->string_view());
}

class Reader {
  public:
    Reader(FlatView& flat, const schema::Graph& root, core::Bytes all, ByteCoverage* to)
        : view(flat), graph(root), bytes(all), coverage(to) {}

    Result<Payload> read();

  private:
    using Names = std::unordered_map<std::string_view, TensorIndex>;

    Result<> readVersion();
    Result<> readRegion(const schema::Region& region, const FieldPath& path);
    Result<Block> readBlock(const schema::Block& block, const FieldPath& path);
    Result<> readTensors(const schema::Block& block, const FieldPath& path, Block& made, Names& names);
    Result<Tensor> readTensor(const schema::Tensor& tensor, const FieldPath& path);
    Tensor readShape(const schema::Shape& shape);
    Result<Operator> readOperator(const schema::Operator& table, const FieldPath& path, const Names& names);
    Result<std::vector<TensorIndex>> find(const Texts* list, const FieldPath& path, const Names& names);

    FlatView& view;
    const schema::Graph& graph;
    core::Bytes bytes;
    ByteCoverage* coverage;
    Payload payload;
};

Result<Payload> Reader::read() {
    ET_TRY(readVersion());
    const FieldPath root;
    const FieldPath path = root.field("regions");
    for (flatbuffers::uoffset_t i = 0; graph.regions() != nullptr && i < graph.regions()->size(); ++i) {
        const FieldPath at = path.at(i);
        ET_TRY(readRegion(*graph.regions()->Get(i), at));
    }
    if (payload.blocks.empty()) {
        return view.fail(ErrorCode::Format, path, &graph, "expected a block of operators, got none");
    }
    return std::move(payload);
}

Result<> Reader::readVersion() {
    const schema::Version& version = *graph.version();
    if (version.major() < oldestMajor) {
        const FieldPath root;
        const FieldPath path = root.field("version");
        return view.fail(
            ErrorCode::Unsupported, path, &version,
            fmt::format("expected TOSA 1.0 or later, got {}.{}", version.major(), version.minor()));
    }
    payload.version = fmt::format("{}.{}.{}{}", version.major(), version.minor(), version.patch(),
                                  version.is_draft() ? " draft" : "");
    return {};
}

Result<> Reader::readRegion(const schema::Region& region, const FieldPath& path) {
    const FieldPath blocksPath = path.field("blocks");
    ET_ASSIGN(auto blocks,
              view.map(region.blocks(), blocksPath, [this](const schema::Block* block, const FieldPath& at) {
                  return readBlock(*block, at);
              }));
    if (payload.blocks.size() + blocks.size() > maxBlocks) {
        return view.fail(ErrorCode::Limit, blocksPath, &region,
                         fmt::format("expected at most {} blocks", maxBlocks));
    }
    for (Block& block : blocks) {
        block.region = viewOf(region.name());
        payload.blocks.push_back(std::move(block));
    }
    return {};
}

Result<Block> Reader::readBlock(const schema::Block& block, const FieldPath& path) {
    Block made;
    made.name = viewOf(block.name());
    Names names;
    ET_TRY(readTensors(block, path, made, names));
    const FieldPath operatorsPath = path.field("operators");
    ET_ASSIGN(made.operators, view.map(block.operators(), operatorsPath,
                                       [&](const schema::Operator* each, const FieldPath& at) {
                                           return readOperator(*each, at, names);
                                       }));
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(made.inputs, find(block.inputs(), inputsPath, names));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(made.outputs, find(block.outputs(), outputsPath, names));
    return made;
}

Result<> Reader::readTensors(const schema::Block& block, const FieldPath& path, Block& made, Names& names) {
    const FieldPath tensorsPath = path.field("tensors");
    ET_ASSIGN(made.tensors, view.map(block.tensors(), tensorsPath,
                                     [this](const schema::Tensor* tensor, const FieldPath& at) {
                                         return readTensor(*tensor, at);
                                     }));
    const FieldPath shapesPath = path.field("shapes");
    ET_TRY(view.append(made.tensors, block.shapes(), shapesPath,
                       [this](const schema::Shape* shape, const FieldPath&, Tensor& to) -> Result<> {
                           to = readShape(*shape);
                           return {};
                       }));
    for (TensorIndex i = 0; i < made.tensors.size(); ++i) {
        if (!names.try_emplace(made.tensors[i].name, i).second) {
            return view.fail(ErrorCode::Format, tensorsPath, &block,
                             fmt::format("two tensors are named \"{}\"",
                                         core::printable(made.tensors[i].name.substr(0, 64))));
        }
    }
    return {};
}

Result<Tensor> Reader::readTensor(const schema::Tensor& tensor, const FieldPath& path) {
    const FieldPath sizesPath = path.field("sizes");
    Tensor made;
    ET_ASSIGN(made.sizes, view.copy<std::int64_t>(tensor.sizes(), sizesPath));
    made.name = viewOf(tensor.name());
    made.datatype = tensor.datatype();
    made.data = FlatView::blob(tensor.data());
    made.isVariable = tensor.is_variable();
    made.isUnranked = tensor.is_unranked();
    made.variableName = viewOf(tensor.variable_name());
    // Offsets of 0 and 1 mean that the data are inside the flatbuffer.
    if (tensor.data_offset() > 1) {
        ET_ASSIGN(made.data, payloadPart(bytes, tensor.data_offset(), tensor.data_size(), path.toString()));
    }
    return made;
}

Tensor Reader::readShape(const schema::Shape& shape) {
    Tensor made;
    made.name = viewOf(shape.name());
    made.sizes = {std::int64_t{shape.rank()}};
    made.datatype = shapeDatatype;
    made.data = FlatView::blob(shape.data());
    return made;
}

Result<Operator> Reader::readOperator(const schema::Operator& table, const FieldPath& path,
                                      const Names& names) {
    Operator made;
    made.number = table.kind();
    made.info = operatorInfo(made.number);
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(made.inputs, find(table.inputs(), inputsPath, names));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(made.outputs, find(table.outputs(), outputsPath, names));
    if (const auto* location = table.location()) {
        made.location = viewOf(location->text());
    }
    if (made.info == nullptr) {
        return made;
    }
    made.fields.resize(made.info->fields.size());
    if (table.fields() == nullptr) {
        return made;
    }
    const FieldPath fieldsPath = path.field("fields");
    if (table.fields_kind() != made.number) {
        return view.fail(ErrorCode::Format, fieldsPath, &table,
                         fmt::format("expected the fields of {} (kind {}), got kind {}", made.info->name,
                                     made.number, table.fields_kind()));
    }
    FieldReader reader(view, bytes, *table.fields(), fieldsPath, coverage);
    for (std::size_t i = 0; i < made.fields.size(); ++i) {
        ET_ASSIGN(made.fields[i], reader.read(i, made.info->fields[i]));
    }
    return made;
}

Result<std::vector<TensorIndex>> Reader::find(const Texts* list, const FieldPath& path, const Names& names) {
    return view.map(
        list, path, [&](const flatbuffers::String* name, const FieldPath& at) -> Result<TensorIndex> {
            const auto found = names.find(viewOf(name));
            if (found == names.end()) {
                return view.fail(ErrorCode::Format, at, name,
                                 fmt::format("expected the name of a tensor of the block, got \"{}\"",
                                             core::printable(viewOf(name).substr(0, 64))));
            }
            return found->second;
        });
}

}  // namespace

Result<Payload> readPayload(core::Bytes payload, ByteCoverage* coverage) {
    FlatView view(payload, 0);
    ET_ASSIGN(const schema::Graph* root, view.root<schema::Graph>(schema::GraphIdentifier()));
    if (coverage != nullptr) {
        coverage->addFlatbuffer(payload, schema::GraphIdentifier(), *schema::GraphTypeTable());
    }
    return Reader(view, *root, payload, coverage).read();
}

}  // namespace et::backends::tosa

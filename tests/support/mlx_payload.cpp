#include "tests/support/mlx_payload.h"

#include "backends/mlx/node_kinds.h"
#include "backends/mlx/schema/payload_generated.h"

#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <utility>

namespace et::test {
namespace {

namespace mlx = backends::mlx;
namespace schema = backends::mlx::schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using mlx::FieldKind;

/// Values of a node's fields by name; the others get values that every kind of field has.
struct NodeValues {
    std::map<std::string_view, std::uint32_t> tensors;  ///< also values and chains
    std::vector<std::uint32_t> dims{};
};

class NodeWriter {
  public:
    NodeWriter(FlatBufferBuilder& to, const NodeValues& with) : builder(to), values(with) {}

    Offset<schema::Node> write(std::uint8_t number) {
        const mlx::NodeKindInfo& kind = *mlx::nodeKind(number);
        for (const mlx::FieldInfo& field : kind.fields) {
            prepare(field);
        }
        const auto start = builder.StartTable();
        for (const auto& add : additions) {
            add();
        }
        const Offset<schema::Fields> fields(builder.EndTable(start));
        return schema::CreateNode(builder, number, fields);
    }

  private:
    [[nodiscard]] std::uint32_t number(const mlx::FieldInfo& field, std::uint32_t otherwise) const {
        const auto found = values.tensors.find(field.name);
        return found == values.tensors.end() ? otherwise : found->second;
    }

    template <class T>
    void scalar(const mlx::FieldInfo& field, T value) {
        additions.emplace_back([this, place = placeOf(field), value] {
            builder.ForceDefaults(true);
            builder.AddElement<T>(place, value, T{});
            builder.ForceDefaults(false);
        });
    }
    void reference(const mlx::FieldInfo& field, flatbuffers::uoffset_t offset) {
        additions.emplace_back(
            [this, place = placeOf(field), offset] { builder.AddOffset(place, Offset<void>(offset)); });
    }
    static flatbuffers::voffset_t placeOf(const mlx::FieldInfo& field) {
        return static_cast<flatbuffers::voffset_t>((2U + field.slot) * sizeof(flatbuffers::voffset_t));
    }

    void prepare(const mlx::FieldInfo& field) {
        const schema::Index index(number(field, 0));
        switch (field.kind) {
            case FieldKind::Tensor:
            case FieldKind::OptionalTensor:
                return scalar<std::uint32_t>(field, number(field, 1));
            case FieldKind::Result:
                return scalar<std::uint32_t>(field, number(field, 4));
            case FieldKind::Tensors:
            case FieldKind::Results:
            case FieldKind::StackedResults:
            case FieldKind::Carried:
                return reference(field, builder.CreateVector(std::vector<std::uint32_t>{number(field, 4)}).o);
            case FieldKind::OptionalValue:
            case FieldKind::ValueResult:
            case FieldKind::Chain:
                return scalar<std::uint32_t>(field, number(field, 0));
            case FieldKind::Number:
            case FieldKind::OptionalNumber:
                return reference(field, schema::CreateIntOrValue(builder, 1, &index, true).o);
            case FieldKind::Numbers: {
                const std::vector items{schema::CreateIntOrValue(builder, 2),
                                        schema::CreateIntOrValue(builder, 2)};
                return reference(field, builder.CreateVector(items).o);
            }
            case FieldKind::Real:
                return reference(field, schema::CreateRealOrValue(builder, 0.5).o);
            case FieldKind::ValueOrTensor:
                return reference(field, schema::CreateValueOrTensor(builder, &index, nullptr, true).o);
            case FieldKind::NumberOrTensor:
                return reference(field, schema::CreateIntValueOrTensor(builder, 0, &index, &index, 2).o);
            default:
                return prepareNumber(field);
        }
    }

    void prepareNumber(const mlx::FieldInfo& field) {
        switch (field.kind) {
            case FieldKind::Ints:
                return reference(field, builder.CreateVector(std::vector<std::int32_t>{0, 1}).o);
            case FieldKind::Bytes:
            case FieldKind::Dtypes:
                return reference(field, builder.CreateVector(std::vector<std::int8_t>{6}).o);
            case FieldKind::Offset:
                return scalar<std::uint64_t>(field, 1);
            case FieldKind::Float:
            case FieldKind::OptionalFloat:
                return scalar<float>(field, 0.5F);
            case FieldKind::Bool:
                return scalar<std::uint8_t>(field, 1);
            case FieldKind::Dtype:
            case FieldKind::OptionalDtype:
                return scalar<std::int8_t>(field, 6);
            case FieldKind::Text:
                return reference(field, builder.CreateString("affine").o);
            case FieldKind::Texts:
                return reference(field, builder.CreateVectorOfStrings(std::vector<std::string>{"x", "y"}).o);
            default:
                return scalar<std::int32_t>(field, static_cast<std::int32_t>(number(field, 1)));
        }
    }

    FlatBufferBuilder& builder;
    const NodeValues& values;
    std::vector<std::function<void()>> additions;
};

std::uint8_t numberOf(std::string_view kind) {
    std::uint8_t number = 1;
    while (mlx::nodeKind(number) != nullptr && mlx::nodeKind(number)->name != kind) {
        ++number;
    }
    return number;
}

class PayloadWriter {
  public:
    explicit PayloadWriter(const MlxChanges& with) : changes(with) {}

    Offset<schema::Node> node(std::string_view kind, const NodeValues& values) {
        return NodeWriter(builder, values).write(numberOf(kind));
    }
    Offset<schema::Node> node(std::uint8_t number, const NodeValues& values) {
        return NodeWriter(builder, values).write(number);
    }
    void addChain(const std::vector<Offset<schema::Node>>& nodes) {
        chains.push_back(schema::CreateChain(builder, builder.CreateVector(nodes)));
    }

    std::vector<std::byte> finish() {
        const auto slot = [&](std::uint32_t number) { return schema::CreateSlot(builder, number); };
        std::vector<Offset<schema::TensorMeta>> tensors;
        const std::vector<std::uint8_t> order{0, 1};
        for (std::uint32_t tensor = 0; tensor < 4; ++tensor) {
            const std::vector sizes{schema::CreateDimension(builder, 2), schema::CreateDimension(builder, 2)};
            const auto dtype = tensor == 1 ? changes.dtype : std::int8_t{6};
            tensors.push_back(schema::CreateTensorMeta(builder, builder.CreateVector(sizes), dtype,
                                                       builder.CreateVector(order)));
        }
        const std::vector names{
            schema::CreateNamedSlot(builder, builder.CreateString(changes.constant), slot(0)),
            schema::CreateNamedSlot(builder, builder.CreateString("state"), slot(3))};
        const std::vector inputs{slot(1)};
        const std::vector outputs{slot(2)};
        const std::vector buffers{slot(3)};
        const auto version = builder.CreateString("1");
        const auto chainVector = builder.CreateVector(chains);
        const auto inputVector = builder.CreateVector(inputs);
        const auto outputVector = builder.CreateVector(outputs);
        const auto bufferVector = builder.CreateVector(buffers);
        const auto nameVector = builder.CreateVector(names);
        const auto tensorVector = builder.CreateVector(tensors);
        builder.Finish(schema::CreateGraph(builder, version, 1, 1, 1, 1, changes.temporaries, 1, chainVector,
                                           0, -1, inputVector, outputVector, bufferVector, nameVector,
                                           tensorVector));
        return withHeader();
    }

  private:
    std::vector<std::byte> withHeader() {
        constexpr std::size_t headerSize = 24;
        std::vector<std::byte> all(headerSize);
        const auto raw = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
        all.insert(all.end(), raw.begin(), raw.end());
        all.resize((all.size() + 15) / 16 * 16);
        std::memcpy(all.data() + 4, changes.magic.data(), changes.magic.size());
        const std::uint64_t offset = changes.dataOffset == 0 ? all.size() : changes.dataOffset;
        std::memcpy(all.data() + 8, &offset, sizeof offset);
        return all;
    }

    const MlxChanges& changes;
    FlatBufferBuilder builder;
    std::vector<Offset<schema::Chain>> chains;
};

}  // namespace

std::vector<std::byte> mlxPayload(const MlxChanges& changes) {
    PayloadWriter payload(changes);
    const NodeValues product{.tensors = {{"mat1", 1}, {"mat2", 0}, {"bias", 1}, {"out", changes.result}}};
    const std::uint8_t first = changes.kind == 0 ? numberOf("AddmmNode") : changes.kind;
    payload.addChain(
        {mlx::nodeKind(first) == nullptr ? payload.node("NoopNode", {}) : payload.node(first, product),
         payload.node("SymSizeNode", {.tensors = {{"a", 4}, {"dim", 0}, {"out", 0}}}),
         payload.node("IfNode", {.tensors = {{"then_chain_idx", changes.thenChain}, {"else_chain_idx", 2}}}),
         payload.node("IdCopyNode", {.tensors = {{"x", 4}, {"out", 3}}})});
    const std::string_view branch = changes.branchKind.empty() ? "AddNode" : changes.branchKind;
    payload.addChain(
        {payload.node(branch, {.tensors = {{"a", 4}, {"b", 1}, {"x", 4}, {"out", 2}, {"outputs", 2}}})});
    payload.addChain({payload.node("IdCopyNode", {.tensors = {{"x", 4}, {"out", 2}}})});
    return payload.finish();
}

std::vector<std::byte> mlxPayloadOfAllKinds() {
    const MlxChanges changes;
    PayloadWriter payload(changes);
    std::vector<Offset<schema::Node>> nodes;
    for (std::size_t number = 1; number <= mlx::nodeKindCount(); ++number) {
        nodes.push_back(
            payload.node(static_cast<std::uint8_t>(number),
                         {.tensors = {{"then_chain_idx", 1}, {"else_chain_idx", 2}, {"body_chain_idx", 3}}}));
    }
    payload.addChain(nodes);
    for (int chain = 0; chain < 3; ++chain) {
        payload.addChain({payload.node("IdCopyNode", {.tensors = {{"x", 1}, {"out", 2}}})});
    }
    return payload.finish();
}

std::vector<std::byte> mlxPayloadOfBranches(std::uint32_t count) {
    const MlxChanges changes;
    PayloadWriter payload(changes);
    for (std::uint32_t next = 1; next <= count; ++next) {
        payload.addChain(
            {payload.node("IfNode", {.tensors = {{"then_chain_idx", next}, {"else_chain_idx", next}}})});
    }
    payload.addChain({payload.node("IdCopyNode", {.tensors = {{"x", 1}, {"out", 2}}})});
    return payload.finish();
}

}  // namespace et::test

#include "tests/support/tosa_payload.h"

#include "backends/tosa/operators.h"
#include "backends/tosa/schema/payload_generated.h"

#include <span>
#include <string_view>

namespace et::test {
namespace {

namespace tosa = backends::tosa;
using TensorNames = std::vector<std::string>;

constexpr std::uint32_t boolean = 1;
constexpr std::uint32_t float32 = 7;
constexpr std::uint32_t clampKind = 11;
constexpr std::uint32_t negateKind = 41;
constexpr std::uint32_t constKind = 67;
constexpr std::uint32_t condIfKind = 70;
constexpr std::uint32_t constShapeKind = 75;

/// A field that a test writes: its slot and a number, a list, a text or bytes.
struct WrittenField {
    std::size_t slot = 0;
    tosa::FieldKind kind = tosa::FieldKind::Int;
    std::vector<std::int32_t> numbers{};
    std::string text{};
};

class TosaWriter {
  public:
    flatbuffers::Offset<tosa::schema::Operator> add(std::uint32_t kind, const TensorNames& inputs,
                                                    const TensorNames& outputs,
                                                    const std::vector<WrittenField>& fields = {},
                                                    std::uint8_t fieldsKind = 0,
                                                    const std::string& location = {}) {
        std::vector<flatbuffers::uoffset_t> written;
        for (const WrittenField& field : fields) {
            written.push_back(write(field));
        }
        const auto start = builder.StartTable();
        for (std::size_t i = 0; i < fields.size(); ++i) {
            link(fields[i], written[i]);
        }
        const flatbuffers::Offset<tosa::schema::Fields> table(builder.EndTable(start));
        const auto in = builder.CreateVectorOfStrings(inputs);
        const auto out = builder.CreateVectorOfStrings(outputs);
        const auto text =
            location.empty() ? flatbuffers::Offset<flatbuffers::String>() : builder.CreateString(location);
        const auto place = location.empty() ? flatbuffers::Offset<tosa::schema::Location>()
                                            : tosa::schema::CreateLocation(builder, text);
        return tosa::schema::CreateOperator(builder, kind,
                                            fieldsKind == 0 ? static_cast<std::uint8_t>(kind) : fieldsKind,
                                            table, in, out, place);
    }

    flatbuffers::Offset<tosa::schema::Tensor> tensor(const std::string& name,
                                                     const std::vector<std::int32_t>& sizes,
                                                     const std::vector<float>& elements = {},
                                                     std::uint32_t datatype = float32,
                                                     std::uint64_t offset = 0, std::uint64_t size = 0) {
        const auto text = builder.CreateString(name);
        const auto list = builder.CreateVector(sizes);
        const auto raw = std::as_bytes(std::span(elements));
        const auto data = raw.empty() ? flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>()
                                      : bytes({reinterpret_cast<const char*>(raw.data()), raw.size()});
        return tosa::schema::CreateTensor(builder, text, list, datatype, data, false, false, 0, offset, size);
    }

    flatbuffers::Offset<tosa::schema::Shape> shape(const std::string& name,
                                                   const std::vector<std::int64_t>& sizes) {
        const auto text = builder.CreateString(name);
        const auto raw = std::as_bytes(std::span(sizes));
        const auto data = bytes({reinterpret_cast<const char*>(raw.data()), raw.size()});
        return tosa::schema::CreateShape(builder, text, static_cast<std::uint32_t>(sizes.size()), data);
    }

    flatbuffers::Offset<tosa::schema::Region> region(
        const std::string& name, const std::vector<flatbuffers::Offset<tosa::schema::Operator>>& operators,
        const std::vector<flatbuffers::Offset<tosa::schema::Tensor>>& tensors, const TensorNames& inputs,
        const TensorNames& outputs,
        const std::vector<flatbuffers::Offset<tosa::schema::Shape>>& shapes = {}) {
        const auto text = builder.CreateString(name);
        const auto operatorList = builder.CreateVector(operators);
        const auto tensorList = builder.CreateVector(tensors);
        const auto in = builder.CreateVectorOfStrings(inputs);
        const auto out = builder.CreateVectorOfStrings(outputs);
        const auto shapeList = builder.CreateVector(shapes);
        const std::vector blocks{
            tosa::schema::CreateBlock(builder, text, operatorList, tensorList, in, out, shapeList)};
        return tosa::schema::CreateRegion(builder, text, builder.CreateVector(blocks));
    }

    std::vector<std::byte> finish(std::int32_t major,
                                  const std::vector<flatbuffers::Offset<tosa::schema::Region>>& regions) {
        const auto version = tosa::schema::CreateVersion(builder, major, 0, 0, false);
        builder.Finish(tosa::schema::CreateGraph(builder, version, builder.CreateVector(regions)),
                       tosa::schema::GraphIdentifier());
        const auto raw = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
        return {raw.begin(), raw.end()};
    }

  private:
    flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> bytes(std::string_view data) {
        builder.ForceVectorAlignment(data.size(), 1, 8);
        return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
    }

    /// Writes the content of a field that is not in the table itself; 0: it is.
    flatbuffers::uoffset_t write(const WrittenField& field) {
        switch (field.kind) {
            case tosa::FieldKind::IntList:
                return builder.CreateVector(field.numbers).o;
            case tosa::FieldKind::Element:
            case tosa::FieldKind::Blob:
                return bytes(field.text).o;
            case tosa::FieldKind::Text:
            case tosa::FieldKind::Graph:
                return builder.CreateString(field.text).o;
            default:
                return 0;
        }
    }

    void link(const WrittenField& field, flatbuffers::uoffset_t written) {
        const auto place =
            static_cast<flatbuffers::voffset_t>((2 + field.slot) * sizeof(flatbuffers::voffset_t));
        if (written != 0) {
            builder.AddOffset(place, flatbuffers::Offset<void>(written));
        } else if (field.kind == tosa::FieldKind::Bool) {
            builder.AddElement<std::uint8_t>(place, static_cast<std::uint8_t>(field.numbers.front()), 0);
        } else {
            builder.AddElement<std::int32_t>(place, field.numbers.front(), 0);
        }
    }

    flatbuffers::FlatBufferBuilder builder;
};

std::string floatBytes(float number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

std::vector<std::byte> tosaPayload(const TosaChanges& changes) {
    using enum tosa::FieldKind;
    TosaWriter writer;
    const std::vector operators{
        writer.add(constKind, {}, {"w"}),
        writer.add(constKind, {}, {"b"}),
        writer.add(constKind, {}, {"zx"}),
        writer.add(constKind, {}, {"zw"}),
        writer.add(constShapeKind, {}, {"shape"}),
        writer.add(
            changes.kind, {changes.input, "w", "b", "zx", "zw"}, {"y"},
            {{0, IntList, {0, 0, 0, 0}}, {1, IntList, {1, 1}}, {2, IntList, {1, 1}}, {4, Datatype, {7}}},
            changes.fieldsKind),
        writer.add(clampKind, {"y"}, {"z"},
                   {{0, Element, {}, floatBytes(0)}, {1, Element, {}, floatBytes(6)}, {2, NanMode, {1}}}, 0,
                   changes.location),
        writer.add(condIfKind, {"p", "z"}, {"out"}, {{0, Graph, {}, "then"}, {1, Graph, {}, "then"}})};
    const std::vector tensors{writer.tensor("x", {1, 4, 4, 2}),
                              writer.tensor("p", {1}, {}, boolean),
                              writer.tensor("w", {1, 1, 1, 2}, {0.5F, -2}),
                              writer.tensor("b", {1}, {0.25F}, float32, changes.dataOffset, changes.dataSize),
                              writer.tensor("zx", {1}, {0}),
                              writer.tensor("zw", {1}, {0}),
                              writer.tensor("y", {1, 4, 4, 1}),
                              writer.tensor("z", {1, 4, 4, 1}),
                              writer.tensor("out", {1, 4, 4, 1})};
    const std::vector shapes{writer.shape("shape", {1, 2, -1, 3})};
    const auto main = writer.region("main", operators, tensors, {"x", "p"}, {"out"}, shapes);
    const std::vector inner{writer.add(negateKind, {"then_in"}, {"then_out"})};
    const std::vector innerTensors{writer.tensor(changes.duplicate, {1, 4, 4, 1}),
                                   writer.tensor("then_out", {1, 4, 4, 1})};
    const auto then = writer.region("then", inner, innerTensors, {"then_in"}, {"then_out"});
    return writer.finish(changes.major, {main, then});
}

std::vector<std::byte> tosaPayloadOfAllKinds() {
    TosaWriter writer;
    std::vector<flatbuffers::Offset<tosa::schema::Operator>> operators;
    for (std::uint32_t kind = 1; const tosa::OperatorInfo* info = tosa::operatorInfo(kind); ++kind) {
        std::vector<WrittenField> fields;
        for (std::size_t i = 0; i < info->fields.size(); ++i) {
            fields.push_back({i, info->fields[i].kind, {1, 2}, floatBytes(1)});
        }
        operators.push_back(writer.add(kind, {"x", "x"}, {"y"}, fields));
    }
    const std::vector tensors{writer.tensor("x", {1, 2}), writer.tensor("y", {1, 2})};
    return writer.finish(1, {writer.region("main", operators, tensors, {"x"}, {"y"})});
}

}  // namespace et::test

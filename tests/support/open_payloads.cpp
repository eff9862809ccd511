#include "tests/support/open_payloads.h"

#include "backends/mps/node_kinds.h"
#include "backends/mps/schema/payload_generated.h"
#include "backends/vulkan/schema/payload_generated.h"

#include <cstring>
#include <span>
#include <string_view>

namespace et::test {
namespace {

using flatbuffers::FlatBufferBuilder;
template <class T>
using Offset = flatbuffers::Offset<T>;

constexpr std::size_t alignment = 16;

class Bytes {
  public:
    template <class T>
    void number(T value) {
        const auto raw = std::as_bytes(std::span(&value, 1));
        all.insert(all.end(), raw.begin(), raw.end());
    }
    void text(std::string_view text) {
        const auto raw = std::as_bytes(std::span(text));
        all.insert(all.end(), raw.begin(), raw.end());
    }
    void take(const FlatBufferBuilder& builder) {
        const auto raw = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
        all.insert(all.end(), raw.begin(), raw.end());
    }
    void zeros(std::size_t count) { all.resize(all.size() + count); }
    void pad() { all.resize((all.size() + alignment - 1) / alignment * alignment); }

    PayloadBytes all;
};

std::uint64_t padded(std::uint64_t size) {
    return (size + alignment - 1) / alignment * alignment;
}

namespace vk = backends::vulkan::schema;

class VulkanWriter {
  public:
    explicit VulkanWriter(const VulkanChanges& how) : changes(how) {}

    PayloadBytes write() {
        values = {tensor(5, {1, 3, 4, 4}, -1),
                  tensor(2, {1, 3, 4, 4}, -1),
                  tensor(2, {3, 4}, changes.constant),
                  tensor(5, {3}, 1),
                  real(0.5),
                  integer(3),
                  integers({2, 2}),
                  tensor(5, {1, 3, 2, 2}, -1),
                  tensor(7, {1, 3, 2, 2}, -1),
                  list(),
                  symbolic(8)};
        std::vector<Offset<vk::Call>> calls = {
            call(0, "quantized_decomposed.quantize_per_tensor.default", {0, 4, 5, 1}),
            call(1, "et_vk.q8ta_linear.default", {1, 2, 3, 1})};
        for (std::size_t i = 0; i < changes.poolings; ++i) {
            calls.push_back(call(2, changes.operatorName, {1, 6, changes.lastArgument}));
        }
        const std::vector constants = {
            vk::CreateConstant(builder, changes.constantOffset, 12),
            vk::CreateConstant(builder, UINT64_MAX, 12, builder.CreateString("bias"))};
        const auto version = builder.CreateString("0");
        const auto callList = builder.CreateVector(calls);
        const auto valueList = builder.CreateVector(values);
        const auto inputs = builder.CreateVector(std::vector<std::uint32_t>{0, 10});
        const auto outputs = builder.CreateVector(std::vector<std::uint32_t>{7, 1});
        const auto constantList = builder.CreateVector(constants);
        const auto graph =
            vk::CreateGraph(builder, version, callList, valueList, inputs, outputs, constantList, 0, 1, 255);
        builder.Finish(graph, vk::GraphIdentifier());
        return withHeader();
    }

  private:
    Offset<vk::Value> value(vk::Content kind, Offset<void> content) {
        return vk::CreateValue(builder, kind, content);
    }
    Offset<vk::Value> tensor(std::int8_t datatype, const std::vector<std::uint32_t>& sizes,
                             std::int32_t constant) {
        const auto list = builder.CreateVector(sizes);
        return value(vk::Content::Tensor,
                     vk::CreateTensor(builder, datatype, list, constant, -1, 255, 2).Union());
    }
    Offset<vk::Value> real(double number) {
        return value(vk::Content::Real, vk::CreateReal(builder, number).Union());
    }
    Offset<vk::Value> integer(std::int64_t number) {
        return value(vk::Content::Integer, vk::CreateInteger(builder, number).Union());
    }
    Offset<vk::Value> symbolic(std::int32_t number) {
        return value(vk::Content::SymbolicInteger, vk::CreateSymbolicInteger(builder, number).Union());
    }
    Offset<vk::Value> integers(const std::vector<std::int64_t>& numbers) {
        const auto items = builder.CreateVector(numbers);
        return value(vk::Content::IntegerList, vk::CreateIntegerList(builder, items).Union());
    }
    Offset<vk::Value> list() {
        std::vector<std::int32_t> numbers{changes.listed};
        numbers.resize(changes.listLength, 8);
        const auto items = builder.CreateVector(numbers);
        return value(vk::Content::ValueList, vk::CreateValueList(builder, items).Union());
    }
    Offset<vk::Call> call(std::uint32_t id, const std::string& name,
                          const std::vector<std::int32_t>& arguments) {
        const auto text = builder.CreateSharedString(name);
        const auto list = builder.CreateVector(arguments);
        return vk::CreateCall(builder, id, text, list);
    }

    PayloadBytes withHeader() {
        constexpr std::uint32_t flatAt = 32;
        constexpr std::uint16_t headerSize = 30;
        constexpr std::uint64_t constantBytes = 12;
        Bytes out;
        out.number(std::uint32_t{0});
        out.text("VH00");
        out.number(headerSize);
        out.number(flatAt);
        out.number(static_cast<std::uint32_t>(builder.GetSize()));
        out.number(static_cast<std::uint32_t>(padded(flatAt + builder.GetSize())));
        out.number(constantBytes);
        out.zeros(flatAt - headerSize);
        out.take(builder);
        out.pad();
        out.zeros(constantBytes);
        return std::move(out.all);
    }

    const VulkanChanges& changes;
    FlatBufferBuilder builder;
    std::vector<Offset<vk::Value>> values;
};

namespace mps = backends::mps::schema;
using backends::mps::FieldInfo;
using backends::mps::FieldKind;
using backends::mps::NodeKindInfo;

flatbuffers::voffset_t placeOf(const FieldInfo& field) {
    return static_cast<flatbuffers::voffset_t>(4 + 2 * field.slot);
}

class MpsWriter {
  public:
    PayloadBytes write(const MpsChanges& changes) {
        tensor(1, {1, 3, 4, 4}, 0, 0);
        tensor(1, {4, 3, 1, 1}, changes.constantSize, 0, changes.header ? 0 : 24);
        tensor(1, {4}, changes.header ? 8 : 0, 16, changes.header ? 0 : 8);
        for (int i = 0; i < 4; ++i) {
            tensor(1, {1, 4, 4, 4}, 0, 0);
        }
        node(changes.kind,
             {{"input", {0}},
              {"weight", {1}},
              {"bias", {2}},
              {"output", {changes.output}},
              {"padding top", {1}}},
             true);
        node(74, {{"input", {3}}, {"outputs", {4, 5}}, {"sizes", {2, 2}}, {"dimension", {1}}}, false);
        node(68, {{"inputs", {4, 5}}, {"output", {6}}, {"dimension", {1}}}, false);
        finish({0}, {6}, {1, 2});
        return changes.header ? withHeader() : bare();
    }

    PayloadBytes writeAllKinds() {
        std::int32_t values = 0;
        for (std::uint8_t kind = 1; const NodeKindInfo* info = backends::mps::nodeKind(kind); ++kind) {
            std::vector<Given> given;
            for (const FieldInfo& field : info->fields) {
                const bool isValue = field.kind <= FieldKind::OutputList;
                given.push_back({std::string(field.name), {isValue ? values : 2}});
                values += isValue ? 1 : 0;
            }
            node(kind, given, kind % 2 == 0);
        }
        for (std::int32_t i = 0; i < values; ++i) {
            tensor(2, {2, 3}, 0, 0);
        }
        finish({0}, {values - 1}, {});
        return withHeader();
    }

  private:
    /// Numbers of a field; a single value is the first.
    struct Given {
        std::string name;
        std::vector<std::int32_t> numbers;
    };

    void tensor(std::int16_t datatype, const std::vector<std::int32_t>& sizes, std::uint64_t constantSize,
                std::uint64_t segmentOffset, std::size_t inside = 0) {
        const auto list = builder.CreateVector(sizes);
        const auto bytes = builder.CreateVector(std::vector<std::uint8_t>(inside, 7));
        const auto buffer = mps::CreateBuffer(builder, bytes);
        tensors.push_back(mps::CreateTensor(builder, datatype, static_cast<std::int32_t>(sizes.size()), list,
                                            constantSize, buffer, segmentOffset));
    }

    void node(std::uint8_t kind, const std::vector<Given>& given, bool clamped) {
        const NodeKindInfo* info = backends::mps::nodeKind(kind);
        const std::span<const FieldInfo> fields =
            info == nullptr ? std::span<const FieldInfo>() : info->fields;
        std::vector<Offset<void>> places(given.size());
        for (std::size_t i = 0; i < given.size(); ++i) {
            const FieldInfo* field = find(fields, given[i].name);
            if (field != nullptr &&
                (field->kind == FieldKind::IntList || field->kind == FieldKind::InputList ||
                 field->kind == FieldKind::OutputList)) {
                places[i] = builder.CreateVector(given[i].numbers).Union();
            } else if (field != nullptr && field->kind == FieldKind::Text) {
                places[i] = builder.CreateString("tanh").Union();
            }
        }
        const auto start = builder.StartTable();
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (const FieldInfo* field = find(fields, given[i].name)) {
                add(*field, given[i].numbers.front(), places[i]);
            }
        }
        const Offset<mps::Fields> table(builder.EndTable(start));
        const auto range = clamped ? mps::CreateRange(builder, 0, 6) : 0;
        nodes.push_back(mps::CreateNode(builder, kind, table, range));
    }

    static const FieldInfo* find(std::span<const FieldInfo> fields, std::string_view name) {
        for (const FieldInfo& field : fields) {
            if (field.name == name) {
                return &field;
            }
        }
        return nullptr;
    }

    void add(const FieldInfo& field, std::int32_t number, Offset<void> place) {
        switch (field.kind) {
            case FieldKind::Input:
            case FieldKind::Output:
            case FieldKind::Int:
                builder.AddElement<std::int32_t>(placeOf(field), number, -7);
                break;
            case FieldKind::Long:
                builder.AddElement<std::int64_t>(placeOf(field), number, -7);
                break;
            case FieldKind::Float:
                builder.AddElement<float>(placeOf(field), static_cast<float>(number), -7);
                break;
            case FieldKind::Bool:
                builder.AddElement<std::uint8_t>(placeOf(field), 1, 0);
                break;
            case FieldKind::Datatype:
                builder.AddElement<std::int16_t>(placeOf(field), static_cast<std::int16_t>(number), -7);
                break;
            case FieldKind::InputList:
            case FieldKind::OutputList:
            case FieldKind::Text:
            case FieldKind::IntList:
                builder.AddOffset(placeOf(field), place);
                break;
        }
    }

    void finish(const std::vector<std::int32_t>& inputs, const std::vector<std::int32_t>& outputs,
                const std::vector<std::int32_t>& constants) {
        const auto version = builder.CreateString("0");
        const auto nodeList = builder.CreateVector(nodes);
        const auto tensorList = builder.CreateVector(tensors);
        const auto inputList = builder.CreateVector(inputs);
        const auto outputList = builder.CreateVector(outputs);
        const auto constantList = builder.CreateVector(constants);
        const auto segment = mps::CreateSegment(builder);
        builder.Finish(mps::CreateGraph(builder, version, nodeList, tensorList, inputList, outputList,
                                        constantList, 0, segment),
                       mps::GraphIdentifier());
    }

    PayloadBytes withHeader() {
        constexpr std::uint64_t headerSize = 24;
        constexpr std::uint64_t constantBytes = 24;
        Bytes out;
        out.number(std::uint32_t{0});
        out.text("MP00");
        out.number(padded(headerSize + builder.GetSize()));
        out.number(constantBytes);
        out.take(builder);
        out.pad();
        out.zeros(constantBytes);
        return std::move(out.all);
    }

    PayloadBytes bare() {
        Bytes out;
        out.take(builder);
        return std::move(out.all);
    }

    FlatBufferBuilder builder;
    std::vector<Offset<mps::Tensor>> tensors;
    std::vector<Offset<mps::Node>> nodes;
};

}  // namespace

namespace {

void addBlock(Bytes& out, std::string_view name, const PayloadBytes& data) {
    constexpr std::size_t nameSize = 16;
    constexpr std::size_t paddingSize = 12;
    out.text(name);
    out.zeros(nameSize - name.size());
    out.number(static_cast<std::uint32_t>(data.size()));
    out.zeros(paddingSize);
    out.all.insert(out.all.end(), data.begin(), data.end());
    out.pad();
}

/// The count, then six sizes, element size in bytes, offset and region.
PayloadBytes numbersOf(const std::vector<std::uint32_t>& numbers) {
    Bytes out;
    for (const std::uint32_t number : numbers) {
        out.number(number);
    }
    return std::move(out.all);
}

}  // namespace

namespace {

PayloadBytes bytesOfText(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

}  // namespace

PayloadBytes ethosUPayload(const EthosUChanges& changes) {
    Bytes out;
    addBlock(out, "vela_bin_stream", {});
    addBlock(out, "cmd_data", PayloadBytes(20));
    addBlock(out, "weight_data", PayloadBytes(40));
    addBlock(out, "scratch_size", numbersOf({4096}));
    addBlock(out, "inputs", numbersOf({changes.inputs, 1, 1, 1, 2, 3, 4, 1, 64, 1}));
    addBlock(out, "outputs", numbersOf({1, 1, 1, 1, 1, 1, 2, 1, 96, 1}));
    addBlock(out, "vela_end_stream", {});
    return std::move(out.all);
}

PayloadBytes vulkanPayload(const VulkanChanges& changes) {
    return VulkanWriter(changes).write();
}

PayloadBytes mpsPayload(const MpsChanges& changes) {
    return MpsWriter().write(changes);
}

PayloadBytes mpsPayloadOfAllKinds() {
    return MpsWriter().writeAllKinds();
}

PayloadBytes aotiPayload() {
    return bytesOfText(std::string(64, '1') + "_so_blob\n" + std::string(64, '2') + "_weights_blob");
}

PayloadBytes neutronPayload() {
    using namespace std::string_view_literals;
    return bytesOfText("\2\1\3\1\0\1\2\0\0\7\0\0\0\0\0\0microcode"sv);
}

PayloadBytes tensorrtPayload() {
    constexpr std::string_view bindings =
        R"({"io_bindings":[{"name":"y","dtype":"int64","shape":[2],"is_input":false,"is_shape_tensor":true},)"
        R"({"name":"a","dtype":"float16","shape":[1,-1],"is_input":true},)"
        R"({"name":"b","dtype":"float32","shape":[2,3],"is_input":true,"is_shape_tensor":false}]})";
    constexpr std::string_view engine = "engine";
    constexpr std::uint32_t headerSize = 32;
    const auto engineAt = static_cast<std::uint32_t>((headerSize + bindings.size() + 15) / 16 * 16);
    Bytes out;
    out.text("TR01");
    out.number(headerSize);
    out.number(static_cast<std::uint32_t>(bindings.size()));
    out.number(engineAt);
    out.number(std::uint64_t{engine.size()});
    out.zeros(sizeof(std::uint64_t));
    out.text(bindings);
    out.pad();
    out.text(engine);
    return std::move(out.all);
}

PayloadBytes openvinoPayload(std::string_view xml) {
    constexpr std::string_view layers = R"xml(<?xml version="1.0"?>
<net name="Model0" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,4" element_type="f32"/>
<output><port id="0" precision="FP32" names="x"><dim>1</dim><dim>4</dim></port></output></layer>
<layer id="1" name="scale" type="Const" version="opset1"><data element_type="f32" shape="1,4" offset="0" size="16"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>4</dim></port></output></layer>
<layer id="2" name="mul" type="Multiply" version="opset1"><data auto_broadcast="numpy"/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>4</dim></port><port id="1" precision="FP32"><dim>1</dim><dim>4</dim></port></input>
<output><port id="2" precision="FP32"><dim>1</dim><dim>4</dim></port></output></layer>
<!-- the activation -->
<layer id="3" name="relu" type="ReLU" version="opset1"><input><port id="0"><dim>1</dim></port></input>
<output><port id="1" precision="FP32" names="y"><dim>1</dim><dim>-1</dim></port></output></layer>
<layer id="4" name="y/sink" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/><edge from-layer="3" from-port="1" to-layer="4" to-port="0"/></edges></net>
)xml";
    const std::string_view model = xml.empty() ? layers : xml;
    constexpr std::uint64_t headerSize = 48;
    constexpr std::uint64_t deviceBytes = 4;
    constexpr std::uint64_t constantBytes = 16;
    Bytes out;
    for (const std::uint64_t each : {headerSize, deviceBytes, headerSize + deviceBytes, constantBytes,
                                     headerSize + deviceBytes + constantBytes, std::uint64_t{model.size()}}) {
        out.number(each);
    }
    out.text("data");
    for (const float each : {0.5F, 1.0F, 2.0F, 4.0F}) {
        out.number(each);
    }
    out.text(model);
    return std::move(out.all);
}

PayloadBytes neuropilotPayload() {
    using namespace std::string_view_literals;
    return bytesOfText("\1\2\0\0\0\1\0\0\0\4\0\0\0code\0\0"sv);
}

}  // namespace et::test

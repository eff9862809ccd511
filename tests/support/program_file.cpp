#include "tests/support/program_file.h"

#include "bundled_program/schema/bundled_program_generated.h"
#include "runtime/program/schema/flat_tensor_generated.h"
#include "runtime/program/schema/program_generated.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstring>
#include <ranges>
#include <string_view>

namespace et::test {
namespace {

namespace fb = et::program::schema;
namespace td = et::program::tensor_data_schema;
namespace bp = et::bundled_program::schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<flatbuffers::Vector<std::uint8_t>> createBlob(FlatBufferBuilder& builder, const void* data,
                                                     std::size_t size) {
    return builder.CreateVector(static_cast<const std::uint8_t*>(data), size);
}

/// Writes each element of `specs` with `write` and returns a vector of tables.
template <class Table, class Spec, class Write>
auto createTables(FlatBufferBuilder& builder, const std::vector<Spec>& specs, Write write) {
    std::vector<Offset<Table>> tables;
    for (const Spec& spec : specs) {
        tables.push_back(write(spec));
    }
    return builder.CreateVector(tables);
}

struct ContentWriter {
    FlatBufferBuilder& builder;

    Offset<void> operator()(std::monostate) const { return fb::CreateNull(builder).Union(); }
    Offset<void> operator()(std::int64_t value) const { return fb::CreateInt(builder, value).Union(); }
    Offset<void> operator()(bool value) const { return fb::CreateBool(builder, value).Union(); }
    Offset<void> operator()(double value) const { return fb::CreateDouble(builder, value).Union(); }
    Offset<void> operator()(const std::string& text) const {
        return fb::CreateString(builder, builder.CreateString(text)).Union();
    }
    Offset<void> operator()(const IntListSpec& list) const {
        return fb::CreateIntList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const DoubleListSpec& list) const {
        return fb::CreateDoubleList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const BoolListSpec& list) const {
        return fb::CreateBoolList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const TensorListSpec& list) const {
        return fb::CreateTensorList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const OptionalTensorListSpec& list) const {
        return fb::CreateOptionalTensorList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const UnknownSpec&) const { return fb::CreateNull(builder).Union(); }
    Offset<void> operator()(const TensorSpec& tensor) const {
        const auto sizes = builder.CreateVector(tensor.sizes);
        const auto order = builder.CreateVector(tensor.dimOrder);
        Offset<fb::AllocationDetails> allocation;
        if (tensor.allocation) {
            allocation = fb::CreateAllocationDetails(
                builder, tensor.allocation->arena, static_cast<std::uint32_t>(tensor.allocation->offset),
                static_cast<std::uint32_t>(tensor.allocation->offset >> 32));
        }
        Offset<fb::ExtraTensorInfo> extra;
        if (tensor.extra) {
            const auto name = builder.CreateString(tensor.extra->name);
            extra =
                fb::CreateExtraTensorInfo(builder, tensor.extra->mutableSegment, name, tensor.extra->location,
                                          tensor.extra->deviceType, tensor.extra->deviceIndex);
        }
        return fb::CreateTensor(builder, tensor.scalarType, tensor.storageOffset, sizes, order, false,
                                tensor.dataIndex, allocation, 0, tensor.dynamism, extra)
            .Union();
    }
};

struct InstructionWriter {
    FlatBufferBuilder& builder;

    Offset<void> operator()(const KernelSpec& call) const {
        return fb::CreateKernelCall(builder, call.op, builder.CreateVector(call.args)).Union();
    }
    Offset<void> operator()(const DelegateCallSpec& call) const {
        return fb::CreateDelegateCall(builder, call.delegate, builder.CreateVector(call.args)).Union();
    }
    Offset<void> operator()(const MoveSpec& call) const {
        return fb::CreateMoveCall(builder, call.from, call.to).Union();
    }
    Offset<void> operator()(const JumpSpec& call) const {
        return fb::CreateJumpFalseCall(builder, call.condition, call.destination).Union();
    }
    Offset<void> operator()(const FreeSpec& call) const {
        return fb::CreateFreeCall(builder, call.value).Union();
    }
};

auto createValues(FlatBufferBuilder& builder, const MethodSpec& method) {
    std::vector<Offset<fb::EValue>> tables;
    for (const ValueSpec& value : method.values) {
        const auto content = std::visit(ContentWriter{builder}, value);
        const auto* unknown = std::get_if<UnknownSpec>(&value);
        const auto kind = unknown != nullptr ? unknown->kind : static_cast<std::uint8_t>(value.index() + 1);
        tables.push_back(fb::CreateEValue(builder, static_cast<fb::KernelTypes>(kind), content));
    }
    tables.resize(tables.size() + method.sharedValues, tables.empty() ? Offset<fb::EValue>() : tables.back());
    return builder.CreateVector(tables);
}

auto createChains(FlatBufferBuilder& builder, const MethodSpec& method) {
    const auto instructions =
        createTables<fb::Instruction>(builder, method.instructions, [&](const InstructionSpec& instruction) {
            const auto content = std::visit(InstructionWriter{builder}, instruction);
            return fb::CreateInstruction(
                builder, static_cast<fb::InstructionArguments>(instruction.index() + 1), content);
        });
    Offset<flatbuffers::Vector<Offset<fb::FrameList>>> stacks;
    if (!method.frames.empty()) {
        stacks = createTables<fb::FrameList>(builder, method.frames, [&](const std::string& function) {
            const auto file = builder.CreateString("model.py");
            const auto name = builder.CreateString(function);
            const auto text = builder.CreateString("return x + y");
            const std::vector<Offset<fb::Frame>> frames{fb::CreateFrame(builder, file, 7, name, text)};
            return fb::CreateFrameList(builder, builder.CreateVector(frames));
        });
    }
    const auto inputs = builder.CreateVector(method.inputs);
    const auto outputs = builder.CreateVector(method.outputs);
    return builder.CreateVector(std::vector{fb::CreateChain(builder, inputs, outputs, instructions, stacks)});
}

Offset<fb::BackendDelegate> createDelegate(FlatBufferBuilder& builder, const DelegateSpec& delegate) {
    const auto specs = createTables<fb::CompileSpec>(builder, delegate.compileSpecs, [&](const auto& spec) {
        const auto key = builder.CreateString(spec.first);
        return fb::CreateCompileSpec(builder, key,
                                     createBlob(builder, spec.second.data(), spec.second.size()));
    });
    const auto id = builder.CreateString(delegate.backend);
    const auto reference = fb::CreateBackendDelegateDataReference(builder, delegate.location, delegate.index);
    return fb::CreateBackendDelegate(builder, id, reference, specs);
}

Offset<fb::ExecutionPlan> createPlan(FlatBufferBuilder& builder, const MethodSpec& method) {
    const auto name = builder.CreateString(method.name);
    const auto trees =
        fb::CreateContainerMetadata(builder, builder.CreateString("(*, *)"), builder.CreateString("*"));
    const auto values = createValues(builder, method);
    const auto inputs = builder.CreateVector(method.inputs);
    const auto outputs = builder.CreateVector(method.outputs);
    const auto chains = createChains(builder, method);
    const auto operators = createTables<fb::Operator>(builder, method.operators, [&](const auto& op) {
        const auto opName = builder.CreateString(op.first);
        return fb::CreateOperator(builder, opName, builder.CreateString(op.second));
    });
    const auto delegates = createTables<fb::BackendDelegate>(
        builder, method.delegates,
        [&](const DelegateSpec& delegate) { return createDelegate(builder, delegate); });
    const auto arenas = builder.CreateVector(method.arenas);
    const auto devices =
        createTables<fb::NonConstBufferDevice>(builder, method.devices, [&](const DeviceSpec& device) {
            return fb::CreateNonConstBufferDevice(builder, device.arena, device.type, device.index);
        });
    return fb::CreateExecutionPlan(builder, name, trees, values, inputs, outputs, chains, operators,
                                   delegates, arenas, devices);
}

Offset<fb::SubsegmentOffsets> createOffsets(FlatBufferBuilder& builder, const OffsetsSpec& spec) {
    return fb::CreateSubsegmentOffsets(builder, spec.segment, builder.CreateVector(spec.offsets));
}

std::vector<std::byte> programFlatbuffer(const ProgramSpec& spec) {
    FlatBufferBuilder builder;
    const auto plans = createTables<fb::ExecutionPlan>(
        builder, spec.methods, [&](const MethodSpec& method) { return createPlan(builder, method); });
    const auto constants =
        createTables<fb::Buffer>(builder, spec.inlineConstants, [&](const std::string& data) {
            return fb::CreateBuffer(builder, createBlob(builder, data.data(), data.size()));
        });
    const auto payloads = createTables<fb::BackendDelegateInlineData>(
        builder, spec.inlinePayloads, [&](const std::string& data) {
            return fb::CreateBackendDelegateInlineData(builder,
                                                       createBlob(builder, data.data(), data.size()));
        });
    const auto segments =
        createTables<fb::DataSegment>(builder, spec.segments, [&](const SegmentSpec& segment) {
            return fb::CreateDataSegment(builder, segment.offset, segment.size);
        });
    const auto constantSegment = createOffsets(builder, spec.constants);
    const auto states = createTables<fb::SubsegmentOffsets>(
        builder, spec.mutableState,
        [&](const OffsetsSpec& offsets) { return createOffsets(builder, offsets); });
    const auto named = createTables<fb::NamedData>(builder, spec.namedData, [&](const auto& entry) {
        return fb::CreateNamedData(builder, builder.CreateString(entry.first), entry.second);
    });
    builder.Finish(
        fb::CreateProgram(builder, 0, plans, constants, payloads, segments, constantSegment, states, named),
        fb::ProgramIdentifier());
    const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {first, first + builder.GetSize()};
}

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

constexpr std::size_t headerAt = 8;
constexpr std::size_t headerRoom = 48;  // preserves the alignment of the following data
constexpr std::size_t segmentAlignment = 16;

/// Inserts space for the header at byte 8; all other offsets of a flatbuffer are relative.
void insertHeaderRoom(std::vector<std::byte>& bytes) {
    std::uint32_t root = 0;
    std::memcpy(&root, bytes.data(), sizeof root);
    put(bytes, 0, static_cast<std::uint32_t>(root + headerRoom));
    std::vector<std::byte> roomy(bytes.size() + headerRoom);
    const auto rest = std::ranges::copy(bytes | std::views::take(headerAt), roomy.begin()).out + headerRoom;
    std::ranges::copy(bytes | std::views::drop(headerAt), rest);
    bytes = std::move(roomy);
}

/// Pads the flatbuffer and appends the segments; returns their start offset.
std::uint64_t appendSegments(std::vector<std::byte>& bytes, const std::vector<std::byte>& data) {
    bytes.resize((bytes.size() + segmentAlignment - 1) / segmentAlignment * segmentAlignment);
    const std::uint64_t base = bytes.size();
    bytes.insert(bytes.end(), data.begin(), data.end());
    return base;
}

}  // namespace

MethodSpec addMethod() {
    MethodSpec method;
    for (const std::uint64_t offset : {0U, 32U, 64U}) {
        method.values.emplace_back(TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = offset}});
    }
    method.values.emplace_back(std::int64_t{1});
    method.inputs = {0, 1};
    method.outputs = {2};
    method.operators = {{"aten::add", "out"}};
    method.instructions = {KernelSpec{.op = 0, .args = {0, 1, 3, 2, 2}}};
    return method;
}

ProgramSpec addProgram() {
    return {.methods = {addMethod()}};
}

std::vector<std::byte> writeProgram(const ProgramSpec& spec) {
    std::vector<std::byte> bytes = programFlatbuffer(spec);
    if (spec.header.kind == HeaderKind::None) {
        return bytes;
    }
    insertHeaderRoom(bytes);
    const std::uint64_t size = bytes.size();
    const std::uint64_t base = appendSegments(bytes, spec.segmentData);
    const std::uint32_t length = spec.header.kind == HeaderKind::Full ? 32 : 24;
    std::memcpy(bytes.data() + headerAt, "eh00", 4);
    put(bytes, 12, spec.header.length != 0 ? spec.header.length : length);
    put(bytes, 16, spec.header.programSize.value_or(size));
    put(bytes, 24, spec.header.segmentBase.value_or(base));
    if (spec.header.kind == HeaderKind::Full) {
        put(bytes, 32, spec.header.segmentDataSize.value_or(std::uint64_t{spec.segmentData.size()}));
    }
    return bytes;
}

std::vector<std::byte> writeTensorData(const TensorDataSpec& spec) {
    FlatBufferBuilder builder;
    const auto segments =
        createTables<td::DataSegment>(builder, spec.segments, [&](const SegmentSpec& segment) {
            return td::CreateDataSegment(builder, segment.offset, segment.size);
        });
    const auto entries =
        createTables<td::NamedData>(builder, spec.entries, [&](const TensorDataEntrySpec& entry) {
            const auto key = builder.CreateString(entry.key);
            Offset<td::TensorLayout> layout;
            if (entry.layout) {
                const auto sizes = builder.CreateVector(entry.layout->sizes);
                layout = td::CreateTensorLayout(builder, entry.layout->scalarType, sizes,
                                                builder.CreateVector(entry.layout->dimOrder));
            }
            return td::CreateNamedData(builder, key, entry.segment, layout);
        });
    builder.Finish(td::CreateFlatTensor(builder, 0, segments, entries), td::FlatTensorIdentifier());
    const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    std::vector<std::byte> bytes(first, first + builder.GetSize());
    const std::uint64_t flatbufferSize = bytes.size();
    insertHeaderRoom(bytes);
    const std::uint64_t base = appendSegments(bytes, spec.segmentData);
    std::memcpy(bytes.data() + headerAt, spec.magic.data(), std::min<std::size_t>(spec.magic.size(), 4));
    put(bytes, 12, std::uint32_t{40});
    put(bytes, 16, std::uint64_t{48});
    put(bytes, 24, flatbufferSize);
    put(bytes, 32, spec.segmentBase.value_or(base));
    put(bytes, 40, std::uint64_t{spec.segmentData.size()});
    return bytes;
}

namespace {

struct BundledWriter {
    FlatBufferBuilder& builder;

    Offset<void> operator()(std::monostate) const { return {}; }
    Offset<void> operator()(const BundledTensorSpec& tensor) const {
        const auto sizes = builder.CreateVector(tensor.sizes);
        const auto order = builder.CreateVector(tensor.dimOrder);
        const auto data = createBlob(builder, tensor.data.data(), tensor.data.size());
        return bp::CreateTensor(builder, tensor.scalarType, sizes, data, order).Union();
    }
    Offset<void> operator()(std::int64_t value) const { return bp::CreateInt(builder, value).Union(); }
    Offset<void> operator()(bool value) const { return bp::CreateBool(builder, value).Union(); }
    Offset<void> operator()(double value) const { return bp::CreateDouble(builder, value).Union(); }
};

auto createBundledValues(FlatBufferBuilder& builder, const std::vector<BundledValueSpec>& values) {
    return createTables<bp::Value>(builder, values, [&](const BundledValueSpec& value) {
        const auto content = std::visit(BundledWriter{builder}, value);
        return bp::CreateValue(builder, static_cast<bp::ValueUnion>(value.index()), content);
    });
}

}  // namespace

std::vector<std::byte> writeBundle(const BundleSpec& spec) {
    FlatBufferBuilder builder;
    constexpr std::size_t programAlignment = 32;
    builder.ForceVectorAlignment(spec.program.size(), 1, programAlignment);
    const auto program = createBlob(builder, spec.program.data(), spec.program.size());
    const auto suites =
        createTables<bp::BundledMethodTestSuite>(builder, spec.suites, [&](const auto& suite) {
            const auto name = builder.CreateString(suite.first);
            const auto cases =
                createTables<bp::BundledMethodTestCase>(builder, suite.second, [&](const CaseSpec& test) {
                    const auto inputs = createBundledValues(builder, test.inputs);
                    return bp::CreateBundledMethodTestCase(builder, inputs,
                                                           createBundledValues(builder, test.outputs));
                });
            return bp::CreateBundledMethodTestSuite(builder, name, cases);
        });
    builder.Finish(bp::CreateBundledProgram(builder, 2, suites, program), bp::BundledProgramIdentifier());
    const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {first, first + builder.GetSize()};
}

}  // namespace et::test

#include "runtime/builder/program_writer.h"

#include "runtime/builder/detail/data_pool.h"
#include "runtime/builder/detail/flat_file.h"
#include "runtime/program/schema/program_generated.h"
#include "runtime/program/value.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace et::builder {

using core::Bytes;
using core::ErrorCode;
using core::Result;
using detail::createBlob;
using detail::createTables;
using detail::DataPool;
using detail::SegmentList;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using program::InitialData;
using program::TensorInfo;

namespace schema = program::schema;

namespace {

/// Destinations of a method's data outside its own tables.
struct MethodTargets {
    flatbuffers::FlatBufferBuilder& builder;
    DataPool& constants;
    DataPool& states;
    SegmentList& segments;
    std::vector<core::Bytes>& inlinePayloads;
};

/// The format's vectors of value positions.
using Positions = flatbuffers::Offset<flatbuffers::Vector<std::int32_t>>;

/// Value position in the file format; none is -1.
std::int32_t position(program::ValueId id) {
    return static_cast<std::int32_t>(id.value);
}
std::int32_t position(const std::optional<program::ValueId>& id) {
    return id ? position(*id) : -1;
}

template <class Ids>
Positions positions(FlatBufferBuilder& builder, const Ids& ids) {
    std::vector<std::int32_t> numbers;
    numbers.reserve(ids.size());
    for (const auto& id : ids) {
        numbers.push_back(position(id));
    }
    return builder.CreateVector(numbers);
}

/// Creates the table of one value.
struct ContentWriter {
    FlatBufferBuilder& builder;
    DataPool& constants;
    DataPool& states;

    Offset<void> operator()(std::monostate) const { return schema::CreateNull(builder).Union(); }
    Offset<void> operator()(std::int64_t number) const { return schema::CreateInt(builder, number).Union(); }
    Offset<void> operator()(bool truth) const { return schema::CreateBool(builder, truth).Union(); }
    Offset<void> operator()(double number) const { return schema::CreateDouble(builder, number).Union(); }
    Offset<void> operator()(std::string_view text) const {
        return schema::CreateString(builder, builder.CreateString(text)).Union();
    }
    Offset<void> operator()(const program::IntList& list) const {
        std::vector<std::int64_t> numbers;
        for (const program::ValueId id : list.items) {
            numbers.push_back(std::int64_t{id.value});
        }
        return schema::CreateIntList(builder, builder.CreateVector(numbers)).Union();
    }
    Offset<void> operator()(const program::DoubleList& list) const {
        return schema::CreateDoubleList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const program::BoolList& list) const {
        return schema::CreateBoolList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const program::TensorList& list) const {
        return schema::CreateTensorList(builder, positions(builder, list.items)).Union();
    }
    Offset<void> operator()(const program::OptionalTensorList& list) const {
        return schema::CreateOptionalTensorList(builder, positions(builder, list.items)).Union();
    }
    Offset<void> operator()(const TensorInfo& tensor) const {
        const std::vector<std::int32_t> sizes(tensor.sizes.begin(), tensor.sizes.end());
        const auto sizesVector = builder.CreateVector(sizes);
        const auto order = builder.CreateVector(tensor.dimOrder.data(), tensor.dimOrder.size());
        const Offset<schema::AllocationDetails> place = allocation(tensor);
        const Offset<schema::ExtraTensorInfo> more = extra(tensor);
        constexpr std::int32_t storageOffset = 0;
        return schema::CreateTensor(builder, tensor.scalarType, storageOffset, sizesVector, order,
                                    tensor.requiresGrad, dataIndex(tensor), place, tensor.layout,
                                    static_cast<std::int8_t>(std::to_underlying(tensor.dynamism)), more)
            .Union();
    }

  private:
    [[nodiscard]] std::uint32_t dataIndex(const TensorInfo& tensor) const {
        switch (tensor.initialData) {
            case InitialData::None:
                return 0;
            case InitialData::External:
                return tensor.dataIndex;
            case InitialData::Program:
                break;
        }
        return tensor.allocation ? states.add(tensor.data) : constants.add(tensor.data);
    }

    [[nodiscard]] Offset<schema::AllocationDetails> allocation(const TensorInfo& tensor) const {
        if (!tensor.allocation) {
            return {};
        }
        constexpr int halfBits = 32;
        const std::uint64_t offset = tensor.allocation->offset;
        return schema::CreateAllocationDetails(builder, tensor.allocation->arena.value,
                                               static_cast<std::uint32_t>(offset),
                                               static_cast<std::uint32_t>(offset >> halfBits));
    }

    /// Only few tensors have extra information.
    [[nodiscard]] Offset<schema::ExtraTensorInfo> extra(const TensorInfo& tensor) const {
        const bool external = tensor.initialData == InitialData::External;
        if (!external && tensor.name.empty() && tensor.device == program::Device()) {
            return {};
        }
        constexpr std::uint64_t onlyStateSegment = 0;
        const auto name = builder.CreateString(tensor.name);
        return schema::CreateExtraTensorInfo(builder, onlyStateSegment, name,
                                             static_cast<std::int8_t>(external ? 1 : 0), tensor.device.type,
                                             tensor.device.index);
    }
};

Positions createPositions(FlatBufferBuilder& builder, const std::vector<program::ValueId>& ids) {
    return positions(builder, ids);
}

/// Creates one value of a method; tensor data are added to the pools.
Offset<schema::EValue> createValue(FlatBufferBuilder& builder, DataPool& constants, DataPool& states,
                                   const program::Value& value) {
    const auto content =
        value.visit(ContentWriter{.builder = builder, .constants = constants, .states = states});
    // The union numbers its alternatives from 1, in the same order.
    return schema::CreateEValue(builder, static_cast<schema::KernelTypes>(value.index() + 1), content);
}

/// Creates the table of one instruction.
struct InstructionWriter {
    FlatBufferBuilder& builder;

    Offset<void> operator()(const program::KernelCall& call) const {
        return schema::CreateKernelCall(builder, static_cast<std::int32_t>(call.op.value),
                                        createPositions(builder, call.args))
            .Union();
    }
    Offset<void> operator()(const program::DelegateCall& call) const {
        return schema::CreateDelegateCall(builder, static_cast<std::int32_t>(call.delegate.value),
                                          createPositions(builder, call.args))
            .Union();
    }
    Offset<void> operator()(const program::MoveCall& call) const {
        return schema::CreateMoveCall(builder, static_cast<std::int32_t>(call.from.value),
                                      static_cast<std::int32_t>(call.to.value))
            .Union();
    }
    Offset<void> operator()(const program::JumpFalseCall& call) const {
        return schema::CreateJumpFalseCall(builder, static_cast<std::int32_t>(call.condition.value),
                                           call.destination.value)
            .Union();
    }
    Offset<void> operator()(const program::FreeCall& call) const {
        return schema::CreateFreeCall(builder, static_cast<std::int32_t>(call.value.value)).Union();
    }
};

Offset<schema::FrameList> createStack(FlatBufferBuilder& builder,
                                      const std::vector<program::StackFrame>& stack) {
    const auto frames = createTables<schema::Frame>(builder, stack, [&](const program::StackFrame& frame) {
        const auto file = builder.CreateString(frame.file);
        const auto function = builder.CreateString(frame.function);
        const auto context = builder.CreateString(frame.context);
        return schema::CreateFrame(builder, file, frame.line, function, context);
    });
    return schema::CreateFrameList(builder, frames);
}

Offset<schema::Chain> createChain(FlatBufferBuilder& builder, const program::Chain& chain) {
    const auto inputs = createPositions(builder, chain.inputs);
    const auto outputs = createPositions(builder, chain.outputs);
    const auto instructions = createTables<schema::Instruction>(
        builder, chain.instructions, [&](const program::Instruction& instruction) {
            const auto content = std::visit(InstructionWriter{builder}, instruction);
            // The union numbers its alternatives from 1, in the same order.
            const auto kind = static_cast<schema::InstructionArguments>(instruction.index() + 1);
            return schema::CreateInstruction(builder, kind, content);
        });
    Offset<flatbuffers::Vector<Offset<schema::FrameList>>> stacks;
    if (!chain.stackTraces.empty()) {
        stacks = createTables<schema::FrameList>(
            builder, chain.stackTraces,
            [&](const std::vector<program::StackFrame>& stack) { return createStack(builder, stack); });
    }
    return schema::CreateChain(builder, inputs, outputs, instructions, stacks);
}

Offset<schema::BackendDelegate> createDelegate(MethodTargets& targets, const program::Delegate& delegate) {
    FlatBufferBuilder& builder = targets.builder;
    const auto specs = createTables<schema::CompileSpec>(
        builder, delegate.compileSpecs, [&](const program::CompileSpec& spec) {
            const auto key = builder.CreateString(spec.key);
            return schema::CreateCompileSpec(builder, key, createBlob(builder, spec.value));
        });
    std::int8_t location = 0;
    std::uint32_t index = 0;
    if (delegate.segment) {
        location = 1;
        index = targets.segments.addShared(delegate.payload);
    } else {
        index = static_cast<std::uint32_t>(targets.inlinePayloads.size());
        targets.inlinePayloads.push_back(delegate.payload);
    }
    const auto id = builder.CreateString(delegate.backend);
    const auto payload = schema::CreateBackendDelegateDataReference(builder, location, index);
    return schema::CreateBackendDelegate(builder, id, payload, specs);
}

auto createArenas(FlatBufferBuilder& builder, const program::Method& method) {
    std::vector<std::int64_t> sizes;
    for (const program::Arena& arena : method.arenas) {
        sizes.push_back(static_cast<std::int64_t>(arena.bytes));
    }
    return builder.CreateVector(sizes);
}

/// Arenas without an entry are in CPU memory.
auto createDevices(FlatBufferBuilder& builder, const program::Method& method) {
    std::vector<Offset<schema::NonConstBufferDevice>> rows;
    for (std::size_t i = 0; i < method.arenas.size(); ++i) {
        const program::Device device = method.arenas[i].device;
        if (device != program::Device()) {
            rows.push_back(schema::CreateNonConstBufferDevice(builder, static_cast<std::int32_t>(i),
                                                              device.type, device.index));
        }
    }
    using Devices = Offset<flatbuffers::Vector<Offset<schema::NonConstBufferDevice>>>;
    return rows.empty() ? Devices() : builder.CreateVector(rows);
}

Result<> checkSizes(const program::Method& method) {
    using Limits = std::numeric_limits<std::int32_t>;
    for (std::size_t i = 0; i < method.values.size(); ++i) {
        const auto* tensor = method.values[i].as<program::TensorInfo>();
        if (tensor == nullptr) {
            continue;
        }
        for (const std::int64_t size : tensor->sizes) {
            if (size < Limits::min() || size > Limits::max()) {
                return core::fail(
                    ErrorCode::InvalidArgument,
                    fmt::format("expected sizes that fit 32 bits, got {} in value {} of method {}", size, i,
                                method.name));
            }
        }
    }
    return {};
}

/// Errors: InvalidArgument (a size that does not fit 32 bits).
Result<Offset<schema::ExecutionPlan>> writeMethod(MethodTargets& targets, const program::Method& method) {
    ET_TRY(checkSizes(method));
    FlatBufferBuilder& builder = targets.builder;
    const auto name = builder.CreateString(method.name);
    const auto inputTree = builder.CreateString(method.inputTree);
    const auto trees =
        schema::CreateContainerMetadata(builder, inputTree, builder.CreateString(method.outputTree));
    const auto values =
        createTables<schema::EValue>(builder, method.values, [&](const program::Value& value) {
            return createValue(builder, targets.constants, targets.states, value);
        });
    const auto inputs = createPositions(builder, method.inputs);
    const auto outputs = createPositions(builder, method.outputs);
    const auto chains = createTables<schema::Chain>(
        builder, method.chains, [&](const program::Chain& chain) { return createChain(builder, chain); });
    const auto operators =
        createTables<schema::Operator>(builder, method.operators, [&](const program::Operator& op) {
            const auto opName = builder.CreateString(op.name);
            return schema::CreateOperator(builder, opName, builder.CreateString(op.overload));
        });
    const auto delegates = createTables<schema::BackendDelegate>(
        builder, method.delegates,
        [&](const program::Delegate& delegate) { return createDelegate(targets, delegate); });
    const auto arenas = createArenas(builder, method);
    return schema::CreateExecutionPlan(builder, name, trees, values, inputs, outputs, chains, operators,
                                       delegates, arenas, createDevices(builder, method));
}

/// Limit on constants and payloads inside the flatbuffer, whose offsets have 31 bits.
constexpr std::uint64_t maxInlineBytes = std::uint64_t{1} << 30;
/// Sufficient for all element types and vector instructions.
constexpr std::size_t inlineAlignment = 16;

std::uint64_t totalBytes(const std::vector<Bytes>& blobs) {
    return std::accumulate(blobs.begin(), blobs.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Bytes blob) { return sum + blob.size(); });
}

template <class Table>
using Tables = Offset<flatbuffers::Vector<Offset<Table>>>;

class Writer {
  public:
    explicit Writer(const ProgramContent& what) : content(what) {}

    Result<core::FileContent> write() {
        gatherTensorData();
        if (!inFlatbuffer()) {
            constantSegment = segments.add(constants);
        }
        if (hasState()) {
            stateSegment = segments.add(states);
        }
        ET_ASSIGN(const auto plans, writePlans());
        const auto named = writeNamedData();
        ET_TRY(checkInlineBytes());
        finish(plans, named);
        return file();
    }

  private:
    [[nodiscard]] bool inFlatbuffer() const { return content.constants == ConstantStorage::Flatbuffer; }
    [[nodiscard]] bool hasState() const { return !states.blobs().empty(); }

    /// Tensor segments precede all others, so their data must be collected first.
    void gatherTensorData() {
        for (const program::Method& method : content.methods) {
            for (const program::Value& value : method.values) {
                const auto* tensor = value.as<program::TensorInfo>();
                if (tensor != nullptr && tensor->initialData == program::InitialData::Program) {
                    (tensor->allocation ? states : constants).add(tensor->data);
                }
            }
        }
    }

    Result<Tables<schema::ExecutionPlan>> writePlans() {
        MethodTargets targets{.builder = builder,
                              .constants = constants,
                              .states = states,
                              .segments = segments,
                              .inlinePayloads = inlinePayloads};
        std::vector<Offset<schema::ExecutionPlan>> plans;
        for (const program::Method& method : content.methods) {
            ET_ASSIGN(const auto plan, writeMethod(targets, method));
            plans.push_back(plan);
        }
        return builder.CreateVector(plans);
    }

    Tables<schema::NamedData> writeNamedData() {
        if (content.namedData.empty()) {
            return {};
        }
        return createTables<schema::NamedData>(
            builder, content.namedData, [&](const program::NamedData& entry) {
                const auto key = builder.CreateString(entry.key);
                return schema::CreateNamedData(builder, key, segments.addShared(entry.data));
            });
    }

    [[nodiscard]] Result<> checkInlineBytes() const {
        const std::uint64_t bytes = totalBytes(inlinePayloads) + (inFlatbuffer() ? constants.bytes() : 0);
        if (bytes > maxInlineBytes) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} bytes of data inside the flatbuffer, got {}",
                                          maxInlineBytes, bytes));
        }
        return {};
    }

    Tables<schema::Buffer> writeInlineConstants() {
        std::vector<Offset<schema::Buffer>> buffers;
        if (inFlatbuffer()) {
            buffers.push_back(schema::CreateBuffer(builder, createBlob(builder, {})));
            for (const Bytes blob : constants.blobs()) {
                buffers.push_back(schema::CreateBuffer(builder, createBlob(builder, blob, inlineAlignment)));
            }
        }
        return builder.CreateVector(buffers);
    }

    Offset<schema::SubsegmentOffsets> writeOffsets(std::uint32_t segment, const DataPool& pool) {
        return schema::CreateSubsegmentOffsets(builder, segment, builder.CreateVector(pool.offsets()));
    }

    void finish(Tables<schema::ExecutionPlan> plans, Tables<schema::NamedData> named) {
        const auto buffers = writeInlineConstants();
        const auto payloads =
            createTables<schema::BackendDelegateInlineData>(builder, inlinePayloads, [&](Bytes payload) {
                return schema::CreateBackendDelegateInlineData(builder,
                                                               createBlob(builder, payload, inlineAlignment));
            });
        const auto places = createTables<schema::DataSegment>(
            builder, segments.places(), [&](const SegmentList::Place& place) {
                return schema::CreateDataSegment(builder, place.offset, place.size);
            });
        Offset<schema::SubsegmentOffsets> constantOffsets;
        if (constantSegment) {
            constantOffsets = writeOffsets(*constantSegment, constants);
        }
        Tables<schema::SubsegmentOffsets> stateOffsets;
        if (stateSegment) {
            stateOffsets = builder.CreateVector(std::vector{writeOffsets(*stateSegment, states)});
        }
        builder.Finish(schema::CreateProgram(builder, content.version, plans, buffers, payloads, places,
                                             constantOffsets, stateOffsets, named),
                       schema::ProgramIdentifier());
    }

    /// Returns only the flatbuffer if there are no segment bytes, as exporters do.
    [[nodiscard]] core::FileContent file() {
        flatbuffers::DetachedBuffer flatbuffer = builder.Release();
        if (segments.bytes() == 0) {
            return detail::contentOf(std::move(flatbuffer));
        }
        constexpr std::uint32_t headerBytes = 32;
        detail::Header header("eh00");
        header.add(headerBytes)
            .add(std::uint64_t{flatbuffer.size() + headerBytes})
            .add(detail::segmentBase(flatbuffer.size(), headerBytes))
            .add(segments.bytes());
        return detail::assemble(std::move(flatbuffer), header, segments);
    }

    const ProgramContent& content;
    FlatBufferBuilder builder;
    DataPool constants;
    DataPool states;
    SegmentList segments;
    std::vector<Bytes> inlinePayloads;
    std::optional<std::uint32_t> constantSegment;
    std::optional<std::uint32_t> stateSegment;
};

}  // namespace

Result<core::FileContent> programFile(const ProgramContent& content) {
    return Writer(content).write();
}

Result<std::vector<std::byte>> writeProgram(const ProgramContent& content) {
    return programFile(content).transform([](const core::FileContent& file) { return file.joined(); });
}

}  // namespace et::builder

#include "runtime/builder/detail/write_method.h"

#include "runtime/builder/detail/write_values.h"

#include <fmt/format.h>

#include <limits>

namespace et::builder::detail {
namespace {

namespace schema = program::schema;

using core::ErrorCode;
using core::Result;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

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

}  // namespace

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

}  // namespace et::builder::detail

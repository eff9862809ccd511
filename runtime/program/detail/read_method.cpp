#include "runtime/program/detail/read_method.h"

#include "runtime/program/detail/method_scope.h"
#include "runtime/program/detail/read_values.h"
#include "runtime/program/detail/segment_table.h"
#include "runtime/program/instruction.h"
#include "runtime/program/program.h"
#include "runtime/program/schema/program_generated.h"

#include <utility>
#include <vector>

namespace et::program::detail {

using core::Bytes;
using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::InstructionId;
using core::Result;

namespace {

Result<Instruction> readKernelCall(MethodScope& scope, const schema::KernelCall& row, const FieldPath& path) {
    const FieldPath opPath = path.field("op_index");
    ET_ASSIGN(const auto op, checkedId<OperatorId>(scope.view, row.op_index(), scope.operatorCount,
                                                   "operators", opPath, &row));
    const FieldPath argsPath = path.field("args");
    ET_ASSIGN(auto args, valueIds(scope, row.args(), argsPath));
    return KernelCall{.op = op, .args = std::move(args)};
}

Result<Instruction> readDelegateCall(MethodScope& scope, const schema::DelegateCall& row,
                                     const FieldPath& path) {
    const FieldPath delegatePath = path.field("delegate_index");
    ET_ASSIGN(const auto delegate,
              checkedId<DelegateId>(scope.view, row.delegate_index(), scope.delegateCount, "delegates",
                                    delegatePath, &row));
    const FieldPath argsPath = path.field("args");
    ET_ASSIGN(auto args, valueIds(scope, row.args(), argsPath));
    return DelegateCall{.delegate = delegate, .args = std::move(args)};
}

Result<Instruction> readMoveCall(const MethodScope& scope, const schema::MoveCall& row,
                                 const FieldPath& path) {
    const FieldPath fromPath = path.field("move_from");
    ET_ASSIGN(const ValueId from, valueId(scope, row.move_from(), fromPath, &row));
    const FieldPath toPath = path.field("move_to");
    ET_ASSIGN(const ValueId to, valueId(scope, row.move_to(), toPath, &row));
    return MoveCall{.from = from, .to = to};
}

Result<Instruction> readJumpFalseCall(const MethodScope& scope, const schema::JumpFalseCall& row,
                                      std::size_t length, const FieldPath& path) {
    const FieldPath conditionPath = path.field("cond_value_index");
    ET_ASSIGN(const ValueId condition, valueId(scope, row.cond_value_index(), conditionPath, &row));
    const FieldPath destinationPath = path.field("destination_instruction");
    const std::size_t places = length + 1;  // a jump may target the end of the chain
    ET_ASSIGN(const auto destination,
              checkedId<InstructionId>(scope.view, row.destination_instruction(), places, "jump targets",
                                       destinationPath, &row));
    return JumpFalseCall{.condition = condition, .destination = destination};
}

Result<Instruction> readFreeCall(const MethodScope& scope, const schema::FreeCall& row,
                                 const FieldPath& path) {
    const FieldPath valuePath = path.field("value_index");
    ET_ASSIGN(const ValueId value, valueId(scope, row.value_index(), valuePath, &row));
    return FreeCall{.value = value};
}

Result<Instruction> readInstruction(MethodScope& scope, const schema::Instruction* row, std::size_t length,
                                    const FieldPath& path) {
    const FieldPath typePath = path.field("instr_args_type");
    const auto type = row->instr_args_type();
    const void* content = row->instr_args();
    if (content == nullptr) {
        return scope.view.fail(ErrorCode::Format, path, row, "expected an instruction, got none");
    }
    switch (type) {
        case schema::InstructionArguments::KernelCall:
            return readKernelCall(scope, FlatView::unionAs<schema::KernelCall>(content), path);
        case schema::InstructionArguments::DelegateCall:
            return readDelegateCall(scope, FlatView::unionAs<schema::DelegateCall>(content), path);
        case schema::InstructionArguments::MoveCall:
            return readMoveCall(scope, FlatView::unionAs<schema::MoveCall>(content), path);
        case schema::InstructionArguments::JumpFalseCall:
            return readJumpFalseCall(scope, FlatView::unionAs<schema::JumpFalseCall>(content), length, path);
        case schema::InstructionArguments::FreeCall:
            return readFreeCall(scope, FlatView::unionAs<schema::FreeCall>(content), path);
        case schema::InstructionArguments::NONE:
            break;
    }
    return scope.view.fail(
        ErrorCode::Unsupported, typePath, row,
        fmt::format("expected an instruction kind from 1 to {}, got {}",
                    std::to_underlying(schema::InstructionArguments::MAX), std::to_underlying(type)));
}

Result<std::vector<StackFrame>> readStack(MethodScope& scope, const schema::FrameList* row,
                                          const FieldPath& path) {
    const FieldPath itemsPath = path.field("items");
    return scope.view.map(row->items(), itemsPath,
                          [](const schema::Frame* frame, const FieldPath&) -> Result<StackFrame> {
                              return StackFrame{.file = flatbuffers::GetStringView(frame->filename()),
                                                .line = frame->lineno(),
                                                .function = flatbuffers::GetStringView(frame->name()),
                                                .context = flatbuffers::GetStringView(frame->context())};
                          });
}

Result<> readStacks(MethodScope& scope, const schema::Chain& row, const FieldPath& path, Chain& chain) {
    const FieldPath stackPath = path.field("stacktrace");
    ET_ASSIGN(chain.stackTraces, scope.view.map(row.stacktrace(), stackPath,
                                                [&](const schema::FrameList* frames, const FieldPath& at) {
                                                    return readStack(scope, frames, at);
                                                }));
    const std::size_t wanted = chain.instructions.size();
    if (!chain.stackTraces.empty() && chain.stackTraces.size() != wanted) {
        return scope.view.fail(ErrorCode::Format, stackPath, row.stacktrace(),
                               fmt::format("expected {} stack traces, one per instruction, got {}", wanted,
                                           chain.stackTraces.size()));
    }
    return {};
}

Result<Chain> readChain(MethodScope& scope, const schema::Chain* row, const FieldPath& path) {
    Chain chain;
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(chain.inputs, valueIds(scope, row->inputs(), inputsPath));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(chain.outputs, valueIds(scope, row->outputs(), outputsPath));
    const FieldPath instructionsPath = path.field("instructions");
    const std::size_t length = row->instructions() == nullptr ? 0 : row->instructions()->size();
    ET_ASSIGN(chain.instructions,
              scope.view.map(row->instructions(), instructionsPath,
                             [&](const schema::Instruction* instruction, const FieldPath& at) {
                                 return readInstruction(scope, instruction, length, at);
                             }));
    ET_TRY(readStacks(scope, *row, path, chain));
    return chain;
}

/// Reads all chains of a method; every operator, delegate, value and jump target is in range. Errors: Format,
/// Unsupported (an unknown kind of instruction), Limit.
Result<std::vector<Chain>> readChains(MethodScope& scope, const schema::ExecutionPlan& plan,
                                      const FieldPath& path) {
    const FieldPath chainsPath = path.field("chains");
    return scope.view.map(plan.chains(), chainsPath, [&](const schema::Chain* row, const FieldPath& at) {
        return readChain(scope, row, at);
    });
}

constexpr std::int8_t locationInline = 0;
constexpr std::int8_t locationSegment = 1;

/// State shared by the methods of a program.
struct ProgramScope {
    FlatView& view;
    const schema::Program& program;
    const TensorSource& tensors;
    std::vector<Segment>& segments;
};

Result<> readDevices(const FlatView& view, const schema::ExecutionPlan& plan, const FieldPath& path,
                     std::vector<Arena>& arenas) {
    if (plan.non_const_buffer_device() == nullptr) {
        return {};
    }
    const FieldPath devicesPath = path.field("non_const_buffer_device");
    for (const schema::NonConstBufferDevice* row : *plan.non_const_buffer_device()) {
        ET_ASSIGN(const auto arena,
                  checkedId<ArenaId>(view, row->buffer_idx(), arenas.size(), "arenas", devicesPath, row));
        arenas[arena.value].device = {.type = row->device_type(), .index = row->device_index()};
    }
    return {};
}

Result<std::vector<Arena>> readArenas(FlatView& view, const schema::ExecutionPlan& plan,
                                      const FieldPath& path) {
    const FieldPath sizesPath = path.field("non_const_buffer_sizes");
    const auto* sizes = plan.non_const_buffer_sizes();
    std::uint64_t room = Program::maxPlannedBytes;
    ET_ASSIGN(auto arenas,
              view.map(sizes, sizesPath, [&](std::int64_t size, const FieldPath& at) -> Result<Arena> {
                  if (size < 0) {
                      return view.fail(ErrorCode::Format, at, sizes,
                                       fmt::format("expected a size of at least 0 bytes, got {}", size));
                  }
                  const auto bytes = static_cast<std::uint64_t>(size);
                  if (bytes > room) {
                      return view.fail(
                          ErrorCode::Limit, at, sizes,
                          fmt::format("expected arenas of at most {} bytes in total, got {} in this one",
                                      Program::maxPlannedBytes, size));
                  }
                  room -= bytes;
                  return Arena{.bytes = bytes, .device = {}};
              }));
    ET_TRY(readDevices(view, plan, path, arenas));
    return arenas;
}

Result<std::vector<Operator>> readOperators(FlatView& view, const schema::ExecutionPlan& plan,
                                            const FieldPath& path) {
    const FieldPath operatorsPath = path.field("operators");
    return view.map(plan.operators(), operatorsPath,
                    [&](const schema::Operator* row, const FieldPath& at) -> Result<Operator> {
                        const FieldPath namePath = at.field("name");
                        ET_ASSIGN(const auto name, view.required(row->name(), namePath, row));
                        return Operator{.name = name,
                                        .overload = flatbuffers::GetStringView(row->overload())};
                    });
}

Result<Bytes> inlinePayload(const ProgramScope& scope, std::uint32_t index, const FieldPath& path,
                            const void* place) {
    const auto* blobs = scope.program.backend_delegate_data();
    const std::size_t count = blobs == nullptr ? 0 : blobs->size();
    if (index >= count) {
        return scope.view.fail(ErrorCode::Format, path, place,
                               fmt::format("expected one of {} inline payloads, got {}", count, index));
    }
    return FlatView::blob(blobs->Get(index)->data());
}

/// Finds the payload, in the flatbuffer or in a segment.
Result<> readPayload(ProgramScope& scope, const schema::BackendDelegate& row, const FieldPath& path,
                     Delegate& delegate) {
    const FieldPath processedPath = path.field("processed");
    const schema::BackendDelegateDataReference* reference = row.processed();
    if (reference == nullptr) {
        return scope.view.fail(ErrorCode::Format, processedPath, &row,
                               "expected a reference to the payload, got none");
    }
    const FieldPath indexPath = processedPath.field("index");
    if (reference->location() == locationInline) {
        ET_ASSIGN(delegate.payload, inlinePayload(scope, reference->index(), indexPath, reference));
        return {};
    }
    if (reference->location() != locationSegment) {
        const FieldPath locationPath = processedPath.field("location");
        return scope.view.fail(
            ErrorCode::Unsupported, locationPath, reference,
            fmt::format("expected {} or {}, got {}", locationInline, locationSegment, reference->location()));
    }
    ET_ASSIGN(const SegmentId segment, useSegment(scope.segments, reference->index(), SegmentUse::Delegate,
                                                  scope.view, indexPath, reference));
    delegate.segment = segment;
    delegate.payload = scope.segments[segment.value].data;
    return {};
}

Result<Delegate> readDelegate(ProgramScope& scope, const schema::BackendDelegate* row,
                              const FieldPath& path) {
    Delegate delegate;
    const FieldPath idPath = path.field("id");
    ET_ASSIGN(delegate.backend, scope.view.required(row->id(), idPath, row));
    ET_TRY(readPayload(scope, *row, path, delegate));
    const FieldPath specsPath = path.field("compile_specs");
    ET_ASSIGN(delegate.compileSpecs,
              scope.view.map(row->compile_specs(), specsPath,
                             [](const schema::CompileSpec* spec, const FieldPath&) -> Result<CompileSpec> {
                                 return CompileSpec{.key = flatbuffers::GetStringView(spec->key()),
                                                    .value = FlatView::blob(spec->value())};
                             }));
    return delegate;
}

Result<> readParts(ProgramScope& scope, const schema::ExecutionPlan& plan, const FieldPath& path,
                   Method& method) {
    ET_ASSIGN(method.arenas, readArenas(scope.view, plan, path));
    ET_ASSIGN(method.operators, readOperators(scope.view, plan, path));
    const FieldPath delegatesPath = path.field("delegates");
    ET_ASSIGN(method.delegates, scope.view.map(plan.delegates(), delegatesPath,
                                               [&](const schema::BackendDelegate* row, const FieldPath& at) {
                                                   return readDelegate(scope, row, at);
                                               }));
    return {};
}

Result<> readBody(MethodScope scope, const schema::ExecutionPlan& plan, const FieldPath& path,
                  Method& method) {
    ET_ASSIGN(method.values, readValues(scope, plan, path));
    const FieldPath inputsPath = path.field("inputs");
    ET_ASSIGN(method.inputs, valueIds(scope, plan.inputs(), inputsPath));
    const FieldPath outputsPath = path.field("outputs");
    ET_ASSIGN(method.outputs, valueIds(scope, plan.outputs(), outputsPath));
    ET_ASSIGN(method.chains, readChains(scope, plan, path));
    return {};
}

Result<Method> readMethod(ProgramScope& scope, const schema::ExecutionPlan* plan, const FieldPath& path) {
    Method method;
    const FieldPath namePath = path.field("name");
    ET_ASSIGN(method.name, scope.view.required(plan->name(), namePath, plan));
    if (const schema::ContainerMetadata* trees = plan->container_meta_type()) {
        method.inputTree = flatbuffers::GetStringView(trees->encoded_inp_str());
        method.outputTree = flatbuffers::GetStringView(trees->encoded_out_str());
    }
    ET_TRY(readParts(scope, *plan, path, method));
    ET_TRY(readBody({.view = scope.view,
                     .tensors = scope.tensors,
                     .arenas = method.arenas,
                     .valueCount = plan->values() == nullptr ? 0 : plan->values()->size(),
                     .operatorCount = method.operators.size(),
                     .delegateCount = method.delegates.size()},
                    *plan, path, method));
    return method;
}

}  // namespace

Result<std::vector<Method>> readMethods(FlatView& view, const schema::Program& program,
                                        const TensorSource& tensors, std::vector<Segment>& segments) {
    ProgramScope scope{.view = view, .program = program, .tensors = tensors, .segments = segments};
    const FieldPath root;
    const FieldPath path = root.field("execution_plan");
    return view.map(
        program.execution_plan(), path,
        [&](const schema::ExecutionPlan* plan, const FieldPath& at) { return readMethod(scope, plan, at); });
}

}  // namespace et::program::detail

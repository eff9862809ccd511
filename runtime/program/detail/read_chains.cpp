#include "runtime/program/detail/read_chains.h"

#include "runtime/program/schema/program_generated.h"

#include <utility>

namespace et::program::detail {

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

}  // namespace

Result<std::vector<Chain>> readChains(MethodScope& scope, const schema::ExecutionPlan& plan,
                                      const FieldPath& path) {
    const FieldPath chainsPath = path.field("chains");
    return scope.view.map(plan.chains(), chainsPath, [&](const schema::Chain* row, const FieldPath& at) {
        return readChain(scope, row, at);
    });
}

}  // namespace et::program::detail

#include "tests/support/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

namespace et::test {
namespace {

using program::ValueId;

std::string idText(ValueId id) {
    return fmt::format("%{}", id.value);
}
std::string idText(const std::optional<ValueId>& id) {
    return id ? idText(*id) : "none";
}

template <class Ids>
std::string idsText(const Ids& ids) {
    std::string text = "[";
    for (const auto& id : ids) {
        text += " " + idText(id);
    }
    return text + " ]";
}

std::size_t hashOf(core::Bytes bytes) {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

struct ValueText {
    std::string operator()(std::monostate) const { return "none"; }
    std::string operator()(std::int64_t number) const { return fmt::format("int {}", number); }
    std::string operator()(bool truth) const { return fmt::format("bool {}", truth); }
    std::string operator()(double number) const { return fmt::format("double {}", number); }
    std::string operator()(std::string_view text) const { return fmt::format("string \"{}\"", text); }
    std::string operator()(const program::IntList& list) const { return "ints " + idsText(list.items); }
    std::string operator()(const program::DoubleList& list) const {
        return fmt::format("doubles {}", list.items);
    }
    std::string operator()(const program::BoolList& list) const {
        return fmt::format("bools {}", list.items);
    }
    std::string operator()(const program::TensorList& list) const { return "tensors " + idsText(list.items); }
    std::string operator()(const program::OptionalTensorList& list) const {
        return "optional tensors " + idsText(list.items);
    }
    std::string operator()(const program::TensorInfo& tensor) const {
        std::string text = fmt::format(
            "tensor dtype {} layout {} grad {} dynamism {} data {} device {}/{} sizes {} order {} name "
            "\"{}\"",
            tensor.scalarType, tensor.layout, tensor.requiresGrad, std::to_underlying(tensor.dynamism),
            std::to_underlying(tensor.initialData), tensor.device.type, tensor.device.index, tensor.sizes,
            tensor.dimOrder, tensor.name);
        if (tensor.allocation) {
            text += fmt::format(" at {}:{}", tensor.allocation->arena.value, tensor.allocation->offset);
        }
        if (!tensor.data.empty()) {
            text += fmt::format(" {} bytes {:x}", tensor.data.size(), hashOf(tensor.data));
        }
        return text;
    }
};

struct InstructionText {
    std::string operator()(const program::KernelCall& call) const {
        return fmt::format("op {} {}", call.op.value, idsText(call.args));
    }
    std::string operator()(const program::DelegateCall& call) const {
        return fmt::format("delegate {} {}", call.delegate.value, idsText(call.args));
    }
    std::string operator()(const program::MoveCall& call) const {
        return fmt::format("move {} {}", idText(call.from), idText(call.to));
    }
    std::string operator()(const program::JumpFalseCall& call) const {
        return fmt::format("jump {} {}", idText(call.condition), call.destination.value);
    }
    std::string operator()(const program::FreeCall& call) const { return "free " + idText(call.value); }
};

std::string chainText(const program::Chain& chain) {
    std::string text = fmt::format("chain {} {}\n", idsText(chain.inputs), idsText(chain.outputs));
    for (const program::Instruction& instruction : chain.instructions) {
        text += "  " + std::visit(InstructionText(), instruction) + "\n";
    }
    for (const auto& stack : chain.stackTraces) {
        for (const program::StackFrame& frame : stack) {
            text += fmt::format("  frame {} {} {} {}", frame.file, frame.line, frame.function, frame.context);
        }
        text += "\n";
    }
    return text;
}

std::string delegateText(const program::Delegate& delegate) {
    std::string text = fmt::format("delegate {} {} bytes {:x} {}", delegate.backend, delegate.payload.size(),
                                   hashOf(delegate.payload), delegate.segment ? "segment" : "inline");
    for (const program::CompileSpec& spec : delegate.compileSpecs) {
        text += fmt::format(" {}={:x}", spec.key, hashOf(spec.value));
    }
    return text + "\n";
}

}  // namespace

std::string textOf(const program::Method& method) {
    std::string text =
        fmt::format("method {}\ntrees {} {}\n", method.name, method.inputTree, method.outputTree);
    for (std::size_t i = 0; i < method.values.size(); ++i) {
        text += fmt::format("%{} {}\n", i, method.values[i].visit(ValueText()));
    }
    text += fmt::format("inputs {}\noutputs {}\n", idsText(method.inputs), idsText(method.outputs));
    for (const program::Chain& chain : method.chains) {
        text += chainText(chain);
    }
    for (const program::Operator& op : method.operators) {
        text += fmt::format("operator {} {}\n", op.name, op.overload);
    }
    for (const program::Delegate& delegate : method.delegates) {
        text += delegateText(delegate);
    }
    for (const program::Arena& arena : method.arenas) {
        text += fmt::format("arena {} {}/{}\n", arena.bytes, arena.device.type, arena.device.index);
    }
    return text;
}

std::string textOf(const program::Program& program) {
    std::string text = fmt::format("version {}\n", program.version);
    for (const program::Method& method : program.methods) {
        text += textOf(method);
    }
    for (const program::NamedData& entry : program.namedData) {
        text += fmt::format("named {} {} bytes {:x}\n", entry.key, entry.data.size(), hashOf(entry.data));
    }
    return text;
}

builder::ProgramContent contentOf(const program::Program& program) {
    return {.version = program.version,
            .methods = program.methods,
            .namedData = program.namedData,
            .constants = program.inlineConstants.empty() ? builder::ConstantStorage::Segment
                                                         : builder::ConstantStorage::Flatbuffer};
}

}  // namespace et::test

// Fuzzes the readers of program and tensor data files, and accesses everything that the values point to.
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"
#include "runtime/program/training_method.h"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace {

using et::core::Bytes;

/// Reads both ends, so that spans outside the file are detected; many spans may cover one large segment.
unsigned touch(Bytes bytes) {
    return bytes.empty() ? 0
                         : std::to_integer<unsigned>(bytes.front()) + std::to_integer<unsigned>(bytes.back());
}

unsigned touch(std::string_view text) {
    return touch(Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size()));
}

struct TouchValue {
    const et::program::Method& method;

    unsigned operator()(const et::program::TensorInfo& tensor) const {
        unsigned sum = touch(tensor.data) + touch(tensor.name);
        if (tensor.allocation) {
            sum += static_cast<unsigned>(method.arenas.at(tensor.allocation->arena.value).bytes);
        }
        return sum;
    }
    unsigned operator()(const et::program::IntList& list) const {
        unsigned sum = 0;
        for (const auto id : list.items) {
            sum += static_cast<unsigned>(*method.value(id).as<std::int64_t>());
        }
        return sum;
    }
    unsigned operator()(std::string_view text) const { return touch(text); }
    unsigned operator()(const auto&) const { return 0; }
};

struct TouchInstruction {
    const et::program::Method& method;

    unsigned args(const std::vector<et::program::ValueId>& ids) const {
        unsigned sum = 0;
        for (const auto id : ids) {
            sum += static_cast<unsigned>(method.value(id).index());
        }
        return sum;
    }
    unsigned operator()(const et::program::KernelCall& call) const {
        return touch(method.op(call.op).name) + args(call.args);
    }
    unsigned operator()(const et::program::DelegateCall& call) const {
        return touch(method.delegate(call.delegate).payload) + args(call.args);
    }
    unsigned operator()(const auto&) const { return 0; }
};

unsigned touch(const et::program::Method& method) {
    unsigned sum = touch(method.name) + touch(method.inputTree) + touch(method.outputTree);
    for (const auto& value : method.values) {
        sum += value.visit(TouchValue{method});
    }
    for (const auto& chain : method.chains) {
        for (const auto& instruction : chain.instructions) {
            sum += std::visit(TouchInstruction{method}, instruction);
        }
    }
    for (const auto& delegate : method.delegates) {
        for (const auto& spec : delegate.compileSpecs) {
            sum += touch(spec.key) + touch(spec.value);
        }
    }
    return sum;
}

unsigned touch(const et::program::TrainingMethods& training) {
    unsigned sum = 0;
    for (const auto& method : training.methods) {
        for (const auto& role : method.roles()) {
            sum += touch(std::string_view(et::program::roleText(role)));
        }
        for (const auto& parameter : method.parameters) {
            sum += touch(method.tensorOf(parameter.gradient).data) +
                   touch(method.tensorOf(parameter.parameter).data);
        }
    }
    for (const auto& problem : training.problems) {
        sum += touch(std::string_view(problem.message));
    }
    return sum;
}

unsigned touch(const et::program::Program& program) {
    unsigned sum = touch(et::program::trainingMethods(program));
    for (const auto& method : program.methods) {
        sum += touch(*program.findMethod(method.name));
    }
    for (const auto& data : program.namedData) {
        sum += touch(data.key) + touch(program.findNamedData(data.key)->data);
    }
    return sum;
}

unsigned touch(const et::program::TensorData& data) {
    unsigned sum = 0;
    for (const auto& entry : data.entries) {
        sum += touch(entry.name) + touch(data.find(entry.name)->data);
    }
    return sum;
}

volatile unsigned sink = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    const auto file = et::core::MappedFile::fromMemory({first, first + size});
    if (const auto program = et::program::Program::parse(file)) {
        sink = touch(**program);
    } else {
        sink = touch(std::string_view(program.error().toString()));
    }
    if (const auto tensors = et::program::TensorData::parse(file)) {
        sink = touch(**tensors);
    }
    return 0;
}

#include "app/samples/net_program.h"

#include "runtime/builder/program_builder.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace et::samples {
namespace {

using builder::TensorSpec;
using program::ValueId;

/// Converts the tensors of a net to values of a method.
class Lowering {
  public:
    Lowering(const Net& what, builder::MethodBuilder& into)
        : net(what), method(into), values(what.tensors.size()) {}

    void run() {
        for (const Attribute& attribute : net.attributes) {
            TensorSpec spec = specOf(attribute.tensor);
            spec.requiresGrad = attribute.parameter;
            set(attribute.tensor, net.isTrained(attribute.tensor) ? method.state(spec, attribute.data)
                                                                  : method.constant(spec, attribute.data));
        }
        for (const TensorId input : net.inputs) {
            set(input, method.input(specOf(input)));
        }
        for (const Operation& operation : net.operations) {
            lower(operation);
        }
        for (const TensorId output : net.programOutputs()) {
            method.output(values[output.value]);
        }
    }

    // Converts arguments of an operation to arguments of a call.
    builder::Argument operator()(std::monostate) const { return nullptr; }
    builder::Argument operator()(TensorId id) const { return values[id.value]; }
    builder::Argument operator()(const auto& plain) const { return plain; }

  private:
    void set(TensorId tensor, ValueId value) { values[tensor.value] = value; }

    [[nodiscard]] TensorSpec specOf(TensorId id) const {
        const Tensor& tensor = net.tensor(id);
        return {.dtype = tensor.dtype, .sizes = tensor.sizes};
    }

    void lower(const Operation& operation) {
        if (operation.kernel.empty()) {
            const auto viewed = std::get<TensorId>(operation.arguments.front().value);
            const TensorId view = operation.results.front();
            set(view, method.alias(values[viewed.value], specOf(view)));
            return;
        }
        std::vector<ValueId> outs;
        for (const TensorId result : operation.results) {
            outs.push_back(method.intermediate(specOf(result)));
            set(result, outs.back());
        }
        builder::Arguments arguments;
        for (const OperationArgument& argument : operation.arguments) {
            arguments.push_back(std::visit(*this, argument.value));
        }
        method.call(operation.kernel, arguments, outs);
    }

    const Net& net;
    builder::MethodBuilder& method;
    std::vector<ValueId> values;  ///< by TensorId
};

/// Adds the constant methods that divide the outputs of forward.
void declareTraining(const Net& net, builder::ProgramBuilder& program) {
    const auto addIndex = [&](std::string_view name, std::size_t index) {
        builder::MethodBuilder& method = program.method(name);
        method.output(method.integer(static_cast<std::int64_t>(index)));
    };
    addIndex("__et_training_gradients_index_forward", net.outputs.size());
    builder::MethodBuilder& names = program.method("__et_training_fqn_forward");
    for (const NetGradient& each : net.gradients) {
        names.output(
            names.text(std::ranges::find(net.attributes, each.parameter, &Attribute::tensor)->target));
    }
    addIndex("__et_training_parameters_index_forward", net.graphOutputs().size());
}

}  // namespace

core::Result<std::vector<std::byte>> makeProgram(const Net& net, builder::PlanStrategy strategy) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    method.setPlanStrategy(strategy);
    Lowering(net, method).run();
    if (!net.gradients.empty()) {
        declareTraining(net, program);
    }
    return program.finish();
}

}  // namespace et::samples

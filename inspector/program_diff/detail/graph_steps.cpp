#include "inspector/program_diff/detail/steps.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector::program_diff::detail {
namespace {

using core::GraphValue;

/// Attributes that describe the location of a value rather than its contents.
constexpr std::array<std::string_view, 3> placeAttributes{"argument", "data name", "data"};

std::vector<core::GraphAttribute> properties(const GraphValue& value) {
    std::vector<core::GraphAttribute> out;
    std::ranges::copy_if(value.attributes, std::back_inserter(out), [](const core::GraphAttribute& each) {
        return !std::ranges::contains(placeAttributes, each.name);
    });
    return out;
}

class GraphReader {
  public:
    explicit GraphReader(const core::ModelGraph& from)
        : graph(from), outputs(from.values().size()), inputs(from.values().size()) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < graph.values().size(); ++i) {
            inputs[i] = graph.values()[i].role == GraphValue::Role::Input ? next++ : 0;
        }
        for (const core::GraphNode& node : graph.nodes()) {
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                outputs[node.outputs[i].value] = i;
            }
        }
    }

    StepList read() {
        StepList list;
        for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
            const core::GraphNode& node = graph.nodes()[i];
            Step step{.kind = node.kind,
                      .number = i,
                      .operands = {},
                      .results = {},
                      .attributes = node.attributes,
                      .delegate = {},
                      .inside = {},
                      .inputNames = node.inputNames};
            for (std::size_t at = 0; at < node.inputs.size(); ++at) {
                step.operands.push_back(operand(node.inputs[at], at));
            }
            for (const core::GraphValueId id : node.outputs) {
                step.results.push_back(
                    {.type = graph.value(id).type, .attributes = properties(graph.value(id))});
            }
            list.steps.push_back(std::move(step));
        }
        return list;
    }

  private:
    [[nodiscard]] Operand operand(core::GraphValueId id, std::size_t argument) const {
        const GraphValue& value = graph.value(id);
        Operand out{.argument = argument, .text = value.type};
        if (value.role == GraphValue::Role::Constant) {
            out.kind = Operand::Kind::Constant;
            out.attributes = properties(value);
            out.constant = {.name = {},
                            .dtype = value.type.substr(0, value.type.find(' ')),
                            .bytes = value.data,
                            .known = !value.data.empty() || value.bytes == 0};
        } else if (value.producer) {
            out.kind = Operand::Kind::Step;
            out.index = value.producer->value;
            out.output = outputs[id.value];
        } else if (value.role == GraphValue::Role::Input) {
            out.kind = Operand::Kind::Input;
            out.index = inputs[id.value];
        }
        return out;
    }

    const core::ModelGraph& graph;
    std::vector<std::size_t> outputs;  ///< by value: its index among the outputs of its producer
    std::vector<std::size_t> inputs;   ///< by value: its index among the inputs
};

}  // namespace

StepList stepsOf(const core::ModelGraph& graph) {
    return GraphReader(graph).read();
}

}  // namespace et::inspector::program_diff::detail

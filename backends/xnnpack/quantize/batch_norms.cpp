#include "backends/xnnpack/quantize/batch_norms.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Argument;
using etrecord::Node;
using lowering::EdgeMethod;
using lowering::NodeIndex;
using reference::ReferenceTensor;

constexpr std::array<std::string_view, 4> normParameters{"weight", "bias", "running_mean", "running_var"};

bool isConvolution(const Node& node) {
    return node.op == "aten.convolution.default";
}

bool isBatchNorm(const Node& node) {
    return node.op == "aten._native_batch_norm_legit_no_training.default";
}

/// The batch norm that is the only reader of a convolution, if all parameters are constant.
std::optional<NodeIndex> foldable(const EdgeMethod& method, const Node& convolution) {
    const std::string_view value = lowering::firstResult(convolution);
    const auto users = method.users(value);
    if (users.size() != 1 || method.isOutput(value) || !isBatchNorm(method.node(users.front()))) {
        return std::nullopt;
    }
    const Node& norm = method.node(users.front());
    const auto constant = [&](const Node& node, std::string_view name) {
        const std::string_view own = lowering::valueName(lowering::findArgument(node, name));
        return own.empty() || (method.isConstant(own) && lowering::isFloat(method.graph(), own));
    };
    const std::string_view weight = lowering::valueName(lowering::findArgument(convolution, "weight"));
    const bool known = !weight.empty() && constant(convolution, "weight") && constant(convolution, "bias") &&
                       std::ranges::all_of(normParameters, [&](auto name) { return constant(norm, name); });
    bool others = false;
    for (std::size_t i = 1; i < norm.outputs.size(); ++i) {
        const std::string_view other = lowering::valueName(&norm.outputs[i]);
        others = others || !method.users(other).empty() || method.isOutput(other);
    }
    return known && !others && lowering::valueName(lowering::findArgument(norm, "input")) == value
               ? std::optional(users.front())
               : std::nullopt;
}

class Folding {
  public:
    Folding(EdgeMethod& ofMethod, ModelDraft& ofDraft) : method(ofMethod), draft(ofDraft) {}

    Result<> fold(NodeIndex index, const Node& norm) {
        const Node& node = method.node(index);
        const std::string weightName(lowering::valueName(lowering::findArgument(node, "weight")));
        ET_ASSIGN(const ReferenceTensor weight, method.tensor(weightName));
        const std::size_t axis = lowering::booleanArgument(node, "transposed", false) ? 1 : 0;
        if (weight.view.dim() < 3 || weight.view.numel() == 0) {
            return core::fail(core::ErrorCode::Mismatch,
                              fmt::format("{}: its weight has {} dimensions", core::printable(node.name),
                                          weight.view.dim()));
        }
        const auto groups = lowering::integerArgument(node, "groups").value_or(1);
        if (groups < 1 || groups > weight.view.size(0)) {
            return core::fail(core::ErrorCode::Mismatch,
                              fmt::format("{}: its weight {} cannot be split into {} groups",
                                          core::printable(node.name), core::describe(weight.view), groups));
        }
        const auto channels = static_cast<std::size_t>(weight.view.size(axis)) *
                              static_cast<std::size_t>(axis == 0 ? 1 : groups);
        ET_ASSIGN(const Numbers numbers, numbersOf(node, norm, channels));
        std::vector<float> folded(weight.view.data<float>(), weight.view.data<float>() + weight.view.numel());
        scale(folded, weight.view, axis, numbers);
        replace(index, weightName, weight.view, folded, numbers);
        return {};
    }

  private:
    struct Numbers {
        std::vector<float> factors;
        std::vector<float> bias;
    };

    Result<std::vector<float>> vectorOf(const Node& node, std::string_view name, std::size_t channels,
                                        float otherwise) {
        const std::string_view value = lowering::valueName(lowering::findArgument(node, name));
        if (value.empty()) {
            return std::vector<float>(channels, otherwise);
        }
        ET_ASSIGN(const ReferenceTensor tensor, method.tensor(value));
        if (std::cmp_not_equal(tensor.view.numel(), channels)) {
            return core::fail(
                core::ErrorCode::Mismatch,
                fmt::format("{}: {} has {} numbers, expected {}, one per channel", core::printable(node.name),
                            core::printable(value), tensor.view.numel(), channels));
        }
        const auto* first = tensor.view.data<float>();
        return std::vector<float>(first, first + channels);
    }

    Result<Numbers> numbersOf(const Node& node, const Node& norm, std::size_t channels) {
        ET_ASSIGN(const auto bias, vectorOf(node, "bias", channels, 0));
        ET_ASSIGN(const auto gain, vectorOf(norm, "weight", channels, 1));
        ET_ASSIGN(const auto shift, vectorOf(norm, "bias", channels, 0));
        ET_ASSIGN(const auto mean, vectorOf(norm, "running_mean", channels, 0));
        ET_ASSIGN(const auto variance, vectorOf(norm, "running_var", channels, 1));
        const auto epsilon = static_cast<float>(lowering::numberArgument(norm, "eps").value_or(1e-5));
        Numbers made;
        for (std::size_t i = 0; i < channels; ++i) {
            const float inverse = 1.0F / std::sqrt(variance[i] + epsilon);
            made.factors.push_back(gain[i] * inverse);
            made.bias.push_back((bias[i] - mean[i]) * inverse * gain[i] + shift[i]);
        }
        return made;
    }

    static void scale(std::vector<float>& weight, const core::Tensor& like, std::size_t axis,
                      const Numbers& numbers) {
        std::size_t inner = 1;
        for (std::size_t i = axis + 1; i < like.dim(); ++i) {
            inner *= static_cast<std::size_t>(like.size(i));
        }
        const auto along = static_cast<std::size_t>(like.size(axis));
        // In a transposed convolution with several groups, each row of weights has the outputs of one group.
        const std::size_t groups = numbers.factors.size() / along;
        const std::size_t rows = weight.size() / (inner * along);
        for (std::size_t i = 0; i < weight.size(); ++i) {
            const std::size_t group = groups <= 1 ? 0 : i / (inner * along) * groups / rows;
            weight[i] *= numbers.factors[group * along + i / inner % along];
        }
    }

    void replace(NodeIndex index, const std::string& weightName, const core::Tensor& like,
                 const std::vector<float>& weight, const Numbers& numbers) {
        const std::string target = method.input(weightName)->target;
        const std::vector<std::int64_t> sizes(like.sizes().begin(), like.sizes().end());
        ReferenceTensor made = tensorOf(core::ScalarType::Float, sizes, std::as_bytes(std::span(weight)));
        std::string weightValue = weightName;
        if (method.users(weightName).size() == 1) {
            draft.setTensor(weightName, std::move(made));
        } else {
            weightValue = draft.addTensor("parameter", weightName + "_folded",
                                          fmt::format("{}_folded_{}", target, index), std::move(made));
        }
        const std::array biasSizes{static_cast<std::int64_t>(numbers.bias.size())};
        const std::string bias = draft.addTensor(
            "parameter", weightName + "_bias", newTarget(target),
            tensorOf(core::ScalarType::Float, biasSizes, std::as_bytes(std::span(numbers.bias))));
        for (Argument& argument : draft.graph.nodes[index].inputs) {
            if (argument.name == "weight") {
                argument.value = etrecord::ValueRef{.name = weightValue};
            } else if (argument.name == "bias") {
                argument.kind = "as_tensor";
                argument.value = etrecord::ValueRef{.name = bias};
            }
        }
    }

    /// Returns "conv.weight_bias", like the exporter; a different name if two convolutions share a weight.
    std::string newTarget(const std::string& weight) {
        std::string target = weight + "_bias";
        while (!targets.insert(target).second) {
            target += "_";
        }
        return target;
    }

    EdgeMethod& method;
    ModelDraft& draft;
    std::set<std::string> targets;
};

/// Redirects the readers of a batch norm to its convolution.
void removeNodes(ModelDraft& draft, const std::map<std::string, std::string>& renamed,
                 const std::set<NodeIndex>& removed) {
    const auto rename = [&](std::string& name) {
        if (const auto found = renamed.find(name); found != renamed.end()) {
            name = found->second;
        }
    };
    std::vector<Node> nodes;
    for (NodeIndex i = 0; i < draft.graph.nodes.size(); ++i) {
        if (!removed.contains(i)) {
            nodes.push_back(std::move(draft.graph.nodes[i]));
            std::ranges::for_each(nodes.back().inputs, [&](Argument& each) { renameValues(each, rename); });
        }
    }
    draft.graph.nodes = std::move(nodes);
    std::ranges::for_each(draft.graph.outputs, [&](Argument& each) { renameValues(each, rename); });
    for (etrecord::OutputSpec& output : draft.graph.outputSpecs) {
        rename(output.value);
        renameValues(output.argument, rename);
    }
}

}  // namespace

Result<FoldedNorms> foldBatchNorms(EdgeMethod& method, ModelDraft& draft) {
    FoldedNorms folded;
    std::map<std::string, std::string> renamed;
    std::set<NodeIndex> removed;
    Folding folding(method, draft);
    const auto& nodes = method.graph().nodes;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const auto norm = isConvolution(nodes[i]) ? foldable(method, nodes[i]) : std::nullopt;
        if (!norm) {
            continue;
        }
        ET_TRY(folding.fold(i, nodes[*norm]));
        removed.insert(*norm);
        renamed.emplace(lowering::firstResult(nodes[*norm]), lowering::firstResult(nodes[i]));
        const auto& modules = nodes[*norm].moduleStack;
        folded.emplace(nodes[i].name,
                       FoldedNorm{.node = nodes[*norm].name,
                                  .module = modules.empty() ? std::string() : modules.back().fqn});
        for (const Argument& output : nodes[*norm].outputs) {
            draft.graph.tensors.erase(std::string(lowering::valueName(&output)));
        }
    }
    removeNodes(draft, renamed, removed);
    return folded;
}

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/quantize/removed_quantizers.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/quantizers.h"
#include "backends/xnnpack/quantize/model_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using lowering::EdgeMethod;
using reference::Interpreter;
using reference::ReferenceTensor;

std::string nodeText(const Node& node) {
    return fmt::format("node \"{}\" ({})", core::printable(node.name), core::printable(node.op));
}

Result<> cannotRemove(const Node& node, std::string_view why) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} cannot be removed from the graph: {}", nodeText(node), why));
}

/// Copies the draft's nodes without quantizers, one after the other.
class Removal {
  public:
    Removal(const EdgeMethod& ofMethod, ModelDraft& ofDraft, Interpreter& of, RemovedQuantizers& into)
        : method(ofMethod), draft(ofDraft), interpreter(of), removed(into) {}

    Result<> run() {
        std::vector<Node> kept;
        for (Node& node : std::exchange(draft.graph.nodes, {})) {
            switch (quantizerKind(method, node)) {
                case QuantizerKind::None:
                    ET_TRY(keep(node));
                    kept.push_back(std::move(node));
                    break;
                case QuantizerKind::Quantize:
                    ET_TRY(removeQuantize(node));
                    break;
                case QuantizerKind::Dequantize:
                case QuantizerKind::DequantizeChannels:
                case QuantizerKind::DequantizeBlocks:
                    ET_TRY(removeDequantize(node));
                    break;
                case QuantizerKind::ChooseDynamic:
                case QuantizerKind::QuantizeDynamic:
                case QuantizerKind::DequantizeDynamic:
                    return cannotRemove(node, "its scale is computed at run time");
            }
        }
        draft.graph.nodes = std::move(kept);
        return renameOutputs();
    }

  private:
    struct Integers {
        std::string from;
        QuantizationNumbers numbers;
    };

    Result<> keep(Node& node) {
        for (Argument& argument : node.inputs) {
            std::string_view strange;
            renameValues(argument, [&](std::string& name) {
                strange = integers.contains(name) ? std::string_view(name) : strange;
                rename(name);
            });
            if (!strange.empty()) {
                return cannotRemove(node, "it reads integers");
            }
        }
        return {};
    }

    void rename(std::string& name) const {
        if (const auto found = renamed.find(name); found != renamed.end()) {
            name = found->second;
        }
    }

    Result<> removeQuantize(const Node& node) {
        const auto scale = tensorScale(method, node);
        if (!scale) {
            return cannotRemove(node, "its integers are not int8 with one scale and zero point");
        }
        std::string from(lowering::valueName(lowering::findArgument(node, "input")));
        rename(from);
        const QuantizationNumbers numbers{.scale = scale->scale, .zeroPoint = scale->zeroPoint};
        ET_TRY(note(node, from, numbers));
        integers[std::string(lowering::firstResult(node))] = {.from = std::move(from), .numbers = numbers};
        return {};
    }

    Result<> note(const Node& node, const std::string& value, QuantizationNumbers numbers) {
        if (!(removed.numbers.try_emplace(value, numbers).first->second == numbers)) {
            return cannotRemove(node, "the value that it reads has a different scale elsewhere");
        }
        return {};
    }

    Result<> removeDequantize(const Node& node) {
        const std::string_view input = lowering::valueName(lowering::findArgument(node, "input"));
        const std::string result(lowering::firstResult(node));
        if (const auto found = integers.find(input); found != integers.end()) {
            const auto scale = tensorScale(method, node);
            if (!scale || !(found->second.numbers ==
                            QuantizationNumbers{.scale = scale->scale, .zeroPoint = scale->zeroPoint})) {
                return cannotRemove(node,
                                    "its scale differs from the one that its integers were quantized with");
            }
            renamed[result] = found->second.from;
            return {};
        }
        if (!method.isConstant(input)) {
            return cannotRemove(node, "its input is neither a constant nor quantized in the graph");
        }
        return removeConstant(node, std::string(input), result);
    }

    Result<> removeConstant(const Node& node, const std::string& input, const std::string& result) {
        const std::string key = input + " " + node.op;
        std::string& value = constants[key];
        if (value.empty()) {
            ET_ASSIGN(auto made, interpreter.evaluate(std::vector{result}, {}));
            const auto* tensor = made[result].as<ReferenceTensor>();
            if (tensor == nullptr || tensor->view.dtype() != core::ScalarType::Float) {
                return cannotRemove(node, "it does not produce float32 numbers");
            }
            const auto* spec = method.input(input);
            const std::vector<std::int64_t> sizes(tensor->view.sizes().begin(), tensor->view.sizes().end());
            value = draft.addTensor(
                "parameter", input + "_float", spec->target + ".float",
                tensorOf(core::ScalarType::Float, sizes, {tensor->view.raw(), tensor->view.bytes()}));
            removed.constants.insert(value);
        }
        renamed[result] = value;
        if (const auto scale = tensorScale(method, node)) {
            return note(node, value, {.scale = scale->scale, .zeroPoint = scale->zeroPoint});
        }
        return {};
    }

    Result<> renameOutputs() {
        const auto change = [&](std::string& name) { rename(name); };
        for (etrecord::OutputSpec& output : draft.graph.outputSpecs) {
            if (integers.contains(output.value)) {
                return fail(
                    ErrorCode::Unsupported,
                    fmt::format(
                        "the output \"{}\" is integer: its quantizer cannot be removed from the graph",
                        core::printable(output.value)));
            }
            rename(output.value);
            renameValues(output.argument, change);
        }
        std::ranges::for_each(draft.graph.outputs, [&](Argument& each) { renameValues(each, change); });
        return {};
    }

    const EdgeMethod& method;
    ModelDraft& draft;
    Interpreter& interpreter;
    RemovedQuantizers& removed;
    std::map<std::string, Integers, std::less<>> integers;      ///< by the int8 value
    std::map<std::string, std::string, std::less<>> renamed;    ///< dequantized values -> their replacements
    std::map<std::string, std::string, std::less<>> constants;  ///< by integer value and operator
};

}  // namespace

Result<RemovedQuantizers> removeQuantizers(const etrecord::Record& record, std::string_view name,
                                           const reference::InterpreterOptions& options) {
    RemovedQuantizers removed;
    ET_ASSIGN(EdgeMethod method, EdgeMethod::open(record, name));
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(method));
    ET_ASSIGN(const auto interpreter, Interpreter::edge(record, name, options));
    ET_TRY(Removal(method, draft, *interpreter, removed).run());
    ET_ASSIGN(removed.record, draft.record(record, name));
    return removed;
}

Result<bool> hasQuantizers(const etrecord::Record& record, std::string_view name) {
    ET_ASSIGN(const EdgeMethod method, EdgeMethod::open(record, name));
    return std::ranges::any_of(method.graph().nodes, [&](const Node& node) {
        return quantizerKind(method, node) != QuantizerKind::None;
    });
}

namespace {

using NameMap = RemovedQuantizers::ByValue<std::string>;

/// The nodes of a graph's operators without those that only compute constants, in the order of their first
/// nodes.
std::vector<std::vector<lowering::NodeIndex>> computedOperators(const MatchedGraph& of) {
    std::set<std::string_view> folded;
    std::map<std::size_t, std::vector<lowering::NodeIndex>> byOperator;
    const auto& nodes = of.method.graph().nodes;
    for (lowering::NodeIndex i = 0; i < nodes.size(); ++i) {
        const auto isConstant = [&](const std::string& name) {
            return name.empty() || of.method.isConstant(name) || folded.contains(name);
        };
        if (std::ranges::all_of(reference::namesIn(nodes[i].inputs), isConstant)) {
            for (const Argument& output : nodes[i].outputs) {
                reference::forNames(output, [&](const std::string& name) { folded.insert(name); });
            }
        } else {
            byOperator[of.operators.operatorOf(i)].push_back(i);
        }
    }
    std::vector<std::vector<lowering::NodeIndex>> operators;
    for (auto& [op, indices] : byOperator) {
        operators.push_back(std::move(indices));
    }
    std::ranges::sort(operators, {}, [](const auto& indices) { return indices.front(); });
    return operators;
}

bool matchNames(const std::vector<std::string>& from, const std::vector<std::string>& to, NameMap& matched) {
    if (from.size() != to.size()) {
        return false;
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
        matched.try_emplace(from[i], to[i]);
    }
    return true;
}

/// Values that an operator reads from others, in the order of its nodes, without duplicates.
std::vector<std::string> operandsOf(const MatchedGraph& of, std::size_t op) {
    std::vector<std::string> operands;
    for (const lowering::NodeIndex index : of.operators[op].nodes) {
        for (const std::string& name : reference::namesIn(of.method.node(index).inputs)) {
            const bool isOwn = of.operators.producer(name) == op;
            if (!name.empty() && !isOwn && of.method.meta(name) != nullptr &&
                !std::ranges::contains(operands, name)) {
                operands.push_back(name);
            }
        }
    }
    return operands;
}

/// Matches the nodes of two operators, or the operators as a whole if one is decomposed.
bool matchOperators(const MatchedGraph& from, const MatchedGraph& to,
                    const std::vector<lowering::NodeIndex>& left,
                    const std::vector<lowering::NodeIndex>& right, NameMap& matched) {
    const auto opOf = [](const MatchedGraph& of) {
        return [&of](lowering::NodeIndex node) { return std::string_view(of.method.node(node).op); };
    };
    if (std::ranges::equal(left, right, {}, opOf(from), opOf(to))) {
        bool same = true;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const Node& one = from.method.node(left[i]);
            const Node& other = to.method.node(right[i]);
            same = same &&
                   matchNames(reference::namesIn(one.inputs), reference::namesIn(other.inputs), matched) &&
                   matchNames(reference::namesIn(one.outputs), reference::namesIn(other.outputs), matched);
        }
        return same;
    }
    const std::size_t one = from.operators.operatorOf(left.front());
    const std::size_t other = to.operators.operatorOf(right.front());
    const std::string_view made = from.operators[one].output;
    const std::string_view otherMade = to.operators[other].output;
    return from.operators[one].target == to.operators[other].target && made.empty() == otherMade.empty() &&
           matchNames(operandsOf(from, one), operandsOf(to, other), matched) &&
           matchNames({std::string(made)}, {std::string(otherMade)}, matched);
}

}  // namespace

Result<RemovedQuantizers::ByValue<std::string>> matchingValues(const MatchedGraph& from,
                                                               const MatchedGraph& to) {
    NameMap matched;
    const auto left = computedOperators(from);
    const auto right = computedOperators(to);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const bool both = i < left.size() && i < right.size();
        if (!both || !matchOperators(from, to, left[i], right[i], matched)) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("the records belong to different models: operator {} is {} in the "
                                    "quantized one and {} in the float one",
                                    i, i < left.size() ? nodeText(from.method.node(left[i].front())) : "none",
                                    i < right.size() ? nodeText(to.method.node(right[i].front())) : "none"));
        }
    }
    return matched;
}

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/quantize/half_precision.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/quantizers.h"
#include "backends/xnnpack/quantize/exported_operators.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/half_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using core::ScalarType;
using etrecord::Argument;
using etrecord::Node;
using lowering::EdgeMethod;
using lowering::NodeIndex;
using reference::ReferenceTensor;

constexpr float largestHalf = 65504;
constexpr std::string_view castOperator = "dim_order_ops._to_dim_order_copy.default";

class Halving {
  public:
    Halving(EdgeMethod& of, const HalfRequest& what, ModelDraft& into)
        : method(of), operators(of), wish(what), draft(into), half(of.graph().nodes.size(), false) {}

    Result<OperatorRules> run() {
        ET_TRY(decide());
        std::vector<Node> nodes = std::exchange(draft.graph.nodes, {});
        for (NodeIndex i = 0; i < nodes.size(); ++i) {
            ET_TRY(addNode(i, std::move(nodes[i])));
        }
        readOutputs();
        return std::move(rules);
    }

  private:
    /// Whether the node must not be in half precision.
    [[nodiscard]] bool isOutside(NodeIndex index) const {
        const Node& node = method.node(index);
        if (wish.wanted.contains(node.name)) {
            return false;
        }
        return !wish.elsewhere && !readsOnlyHalves(node);
    }

    /// Whether it reads results in half precision, and no float32 values except constants.
    [[nodiscard]] bool readsOnlyHalves(const Node& node) const {
        bool any = false;
        for (const std::string& name : reference::namesIn(node.inputs)) {
            if (lowering::isFloat(method.graph(), name) && !method.isConstant(name)) {
                any = true;
                if (!isMadeHalf(name)) {
                    return false;
                }
            }
        }
        return any;
    }

    Result<> decide() {
        Constants constants(method, kernels::builtin());
        const lowering::NodeFilter all = [](NodeIndex) { return true; };
        for (NodeIndex i = 0; i < half.size(); ++i) {
            const Node& node = method.node(i);
            const bool isKept = wish.kept.contains(node.name);
            ET_ASSIGN(const OperatorRule unfit, ruleOfNumbers(node, constants));
            std::string rule;
            if (constants.isFolded(node) || quantizerKind(method, node) != QuantizerKind::None ||
                (!isKept && isOutside(i))) {
                continue;
            }
            if (isKept) {
                rule = "its site stays in float";
            } else if (!lowering::isFloat(method.graph(), lowering::firstResult(node))) {
                rule = "it does not compute float32";
            } else {
                rule = whyNot(
                    {.method = method, .constants = constants, .taken = half, .mayTake = all, .node = node});
            }
            const bool isWarning = rule.empty() && unfit.isWarning;
            rule = rule.empty() ? unfit.text : rule;
            half[i] = rule.empty();
            if (!rule.empty() &&
                (isKept ? wish.elsewhere : lowering::isFloat(method.graph(), lowering::firstResult(node)))) {
                const std::string& name = operators[operators.operatorOf(i)].name;
                rules.try_emplace(name, OperatorRule{.text = std::move(rule), .isWarning = isWarning});
            }
        }
        for (NodeIndex i = static_cast<NodeIndex>(half.size()); i-- > 0;) {
            half[i] = half[i] || (constants.isFolded(method.node(i)) && onlyHalvesRead(i));
        }
        return {};
    }

    /// A node that only moves a constant follows its readers.
    [[nodiscard]] bool onlyHalvesRead(NodeIndex node) const {
        const std::string_view result = lowering::firstResult(method.node(node));
        return lowering::isFloat(method.graph(), result) && !method.isOutput(result) &&
               std::ranges::all_of(method.users(result), [&](NodeIndex user) { return bool{half[user]}; });
    }

    /// Why a node needs float32 for its numbers. Follows large numbers from constants to the first node that
    /// bounds its result.
    Result<OperatorRule> ruleOfNumbers(const Node& node, Constants& constants) {
        std::optional<double> own = largeArgument(node);
        bool readsLarge = false;
        for (const std::string& name : reference::namesIn(node.inputs)) {
            readsLarge = readsLarge || large.contains(name);
            if (!own && !name.empty() && constants.has(name)) {
                ET_ASSIGN(own, largeNumber(constants, name));
            }
        }
        if (!own && !readsLarge) {
            return OperatorRule();
        }
        if (!isBounded(node)) {
            for (const Argument& output : node.outputs) {
                reference::forNames(output, [&](const std::string& name) {
                    if (lowering::isFloat(method.graph(), name)) {
                        large.insert(name);
                    }
                });
            }
        }
        return own ? OperatorRule{.text = fmt::format("it uses {:.4g}, which float16 cannot represent", *own),
                                  .isWarning = true}
                   : OperatorRule{.text = "it reads numbers that float16 cannot represent"};
    }

    static bool isLarge(double number) { return std::isfinite(number) && std::fabs(number) > largestHalf; }

    /// A number of a constant that float16 represents as infinity.
    static Result<std::optional<double>> largeNumber(Constants& constants, std::string_view name) {
        ET_ASSIGN(const ReferenceTensor tensor, constants.get(name));
        if (tensor.view.dtype() != ScalarType::Float) {
            return std::nullopt;
        }
        const std::span numbers(tensor.view.data<float>(), static_cast<std::size_t>(tensor.view.numel()));
        const auto found = std::ranges::find_if(numbers, isLarge);
        return found == numbers.end() ? std::nullopt : std::optional(static_cast<double>(*found));
    }

    /// The same for a number among a node's arguments, such as the value of a fill.
    static std::optional<double> largeArgument(const Node& node) {
        for (const std::string_view name : {"fill_value", "value", "other", "self"}) {
            const auto number = lowering::numberArgument(node, name);
            if (number && isLarge(*number)) {
                return number;
            }
        }
        return std::nullopt;
    }

    /// Whether float16 represents the results, whatever the operands are.
    static bool isBounded(const Node& node) {
        constexpr std::array bounded{
            std::string_view("aten._softmax.default"), std::string_view("aten.sigmoid.default"),
            std::string_view("aten.tanh.default"),     std::string_view("aten.erf.default"),
            std::string_view("aten.sin.default"),      std::string_view("aten.cos.default")};
        const auto range = clampRange(node);
        return std::ranges::contains(bounded, node.op) ||
               (range && std::fabs(range->min) <= largestHalf && std::fabs(range->max) <= largestHalf);
    }

    [[nodiscard]] bool isMadeHalf(std::string_view value) const {
        const auto producer = method.producer(value);
        return producer && half[*producer];
    }

    Result<> addNode(NodeIndex index, Node node) {
        std::map<std::string, std::string, std::less<>> renamed;
        for (const std::string& name : reference::namesIn(node.inputs)) {
            if (lowering::isFloat(method.graph(), name) && isMadeHalf(name) != half[index]) {
                ET_ASSIGN(renamed[name], converted(name, half[index], node));
            }
        }
        for (Argument& argument : node.inputs) {
            renameValues(argument, [&](std::string& name) {
                if (const auto found = renamed.find(name); found != renamed.end()) {
                    name = found->second;
                }
            });
        }
        if (half[index]) {
            for (const std::string& name : reference::namesIn(node.outputs)) {
                if (lowering::isFloat(method.graph(), name)) {
                    draft.graph.tensors[name].scalarType = std::to_underlying(ScalarType::Half);
                }
            }
        }
        draft.graph.nodes.push_back(std::move(node));
        return {};
    }

    /// Converts a value to the other dtype, once for all readers.
    Result<std::string> converted(const std::string& value, bool toHalf, const Node& reader) {
        std::string& known = conversions[value];
        if (!known.empty()) {
            return known;
        }
        if (toHalf && method.isConstant(value)) {
            ET_ASSIGN(const ReferenceTensor tensor, method.tensor(value));
            std::vector<core::Half> numbers(static_cast<std::size_t>(tensor.view.numel()));
            kernels::floatsTo(tensor.view.data<float>(), numbers.data(), numbers.size());
            const std::vector<std::int64_t> sizes(tensor.view.sizes().begin(), tensor.view.sizes().end());
            const auto& spec = *method.input(value);
            known = draft.addTensor(spec.kind, value + "_half", spec.target + "_half",
                                    tensorOf(ScalarType::Half, sizes, std::as_bytes(std::span(numbers))));
            return known;
        }
        known = cast(value, toHalf ? ScalarType::Half : ScalarType::Float, reader);
        return known;
    }

    std::string cast(const std::string& value, ScalarType to, const Node& like) {
        std::vector<etrecord::SymInt> order;
        for (const std::uint8_t dim : lowering::dimOrderOf(*method.meta(value))) {
            order.push_back({.value = dim, .expression = {}});
        }
        const std::string made = draft.addValue("dim_order_ops__to_dim_order_copy_default", value, to);
        Node node{
            .name = made,
            .target = "executorch.exir.dialects.edge.ops." + std::string(castOperator),
            .op = std::string(castOperator),
            .inputs = {{.name = "self", .kind = "as_tensor", .value = etrecord::ValueRef{.name = value}},
                       {.name = "dtype",
                        .kind = "as_scalar_type",
                        .value = std::int64_t{std::to_underlying(to)}},
                       {.name = "dim_order", .kind = "as_ints", .value = std::move(order)}},
            .outputs = {{.name = {}, .kind = "as_tensor", .value = etrecord::ValueRef{.name = made}}},
            .stackTrace = like.stackTrace,
            .moduleStack = like.moduleStack,
            .debugHandles = {draft.newHandle()},
            .metadata = {}};
        draft.graph.nodes.push_back(std::move(node));
        return made;
    }

    /// Converts outputs for the caller and for buffers to float32.
    void readOutputs() {
        std::map<std::string, std::string, std::less<>> renamed;
        for (const std::string& name : reference::namesIn(draft.graph.outputs)) {
            if (lowering::isFloat(method.graph(), name) && isMadeHalf(name) && !renamed.contains(name)) {
                const auto known = conversions.find(name);
                renamed[name] = known != conversions.end()
                                    ? known->second
                                    : cast(name, ScalarType::Float, method.node(*method.producer(name)));
            }
        }
        const auto rename = [&](std::string& name) {
            if (const auto found = renamed.find(name); found != renamed.end()) {
                name = found->second;
            }
        };
        std::ranges::for_each(draft.graph.outputs, [&](Argument& each) { renameValues(each, rename); });
        for (etrecord::OutputSpec& output : draft.graph.outputSpecs) {
            rename(output.value);
            renameValues(output.argument, rename);
        }
    }

    EdgeMethod& method;
    ExportedOperators operators;
    const HalfRequest& wish;
    ModelDraft& draft;
    std::vector<bool> half;            ///< by node
    std::set<std::string_view> large;  ///< values with numbers that float16 may not represent
    OperatorRules rules;
    std::map<std::string, std::string, std::less<>> conversions;  ///< to the dtype that the producer does not
                                                                  ///< use
};

}  // namespace

Result<HalvedModel> halved(const etrecord::Record& record, std::string_view name, const HalfRequest& wish) {
    ET_ASSIGN(EdgeMethod method, EdgeMethod::open(record, name));
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(method));
    HalvedModel made;
    ET_ASSIGN(made.inFloat, Halving(method, wish, draft).run());
    ET_ASSIGN(made.record, draft.record(record, name));
    return made;
}

}  // namespace et::backends::xnnpack

#include "inspector/numeric_gap/delegate_sensitivity.h"

#include "inspector/numeric_gap/tensor_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using core::Result;
using core::Tensor;
using etrecord::NodeIndex;

constexpr double disturbance = 0.01;  ///< of the root mean square of a value

/// The first result of real numbers; null if there is none.
const ReferenceTensor* realResult(const GraphWalk& graph, const GraphValues& values, NodeIndex node) {
    const auto* const tensor = tensorIn(values, graph.resultOf(node));
    const bool isReal =
        tensor != nullptr && core::isFloating(tensor->view.dtype()) && tensor->view.numel() > 0;
    return isReal ? tensor : nullptr;
}

/// Adds noise of two values, the same in every run. Nothing if the tensor is zero or not finite.
std::optional<ReferenceTensor> disturbed(const Tensor& tensor) {
    auto numbers = numbersOf(tensor);
    if (!numbers) {
        return std::nullopt;
    }
    double power = 0;
    for (const double each : *numbers) {
        power += each * each;
    }
    const double step = disturbance * std::sqrt(power / static_cast<double>(numbers->size()));
    if (!std::isfinite(step) || step <= 0) {
        return std::nullopt;
    }
    std::uint64_t state = 1;
    for (double& each : *numbers) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        each += (state >> 63U) != 0 ? step : -step;
    }
    const Tensor view =
        Tensor::over(numbers->data(), std::span(tensor.sizes().begin(), tensor.sizes().end()));
    auto made = converted(view, tensor.dtype());
    return made ? std::optional(*std::move(made)) : std::nullopt;
}

class Ranking {
  public:
    Ranking(Interpreter& by, const GraphWalk& walk, const GraphValues& known, const DelegateNodes& of)
        : interpreter(by),
          graph(walk),
          values(known),
          delegate(of),
          inside(of.nodes.begin(), of.nodes.end()) {}

    Result<SensitivityRanking> run(const SensitivityLimits& limits);

  private:
    [[nodiscard]] GraphValues valuesWithout(NodeIndex node) const;
    [[nodiscard]] Result<std::optional<double>> measure(NodeIndex node) const;

    Interpreter& interpreter;
    const GraphWalk& graph;
    const GraphValues& values;
    const DelegateNodes& delegate;
    std::set<NodeIndex> inside;
};

/// The values of the run that do not depend on the node's results.
GraphValues Ranking::valuesWithout(NodeIndex node) const {
    GraphValues left = values;
    std::vector<NodeIndex> waiting{node};
    std::set<NodeIndex> seen{node};
    while (!waiting.empty()) {
        const NodeIndex next = waiting.back();
        waiting.pop_back();
        for (const std::string_view value : graph.resultsOf(next)) {
            if (const auto known = left.find(value); known != left.end()) {
                left.erase(known);
            }
            for (const NodeIndex reader : graph.consumersOf(value)) {
                if (inside.contains(reader) && seen.insert(reader).second) {
                    waiting.push_back(reader);
                }
            }
        }
    }
    // Further results of the node stay as they were.
    for (const std::string_view value : graph.resultsOf(node)) {
        if (const auto known = values.find(value); known != values.end()) {
            left.insert_or_assign(std::string(value), known->second);
        }
    }
    return left;
}

/// Nothing if the node cannot be disturbed, or the outputs cannot be computed from it.
Result<std::optional<double>> Ranking::measure(NodeIndex node) const {
    const auto changed = disturbed(realResult(graph, values, node)->view);
    if (!changed) {
        return std::nullopt;
    }
    GraphValues given = valuesWithout(node);
    given.insert_or_assign(std::string(graph.resultOf(node)), backends::reference::ReferenceValue{*changed});
    const auto outputs = interpreter.evaluate(delegate.outputs, given);
    if (!outputs) {
        return outputs.error().code == core::ErrorCode::Cancelled
                   ? Result<std::optional<double>>(std::unexpected(outputs.error()))
                   : std::nullopt;
    }
    double most = 0;
    for (const std::string& name : delegate.outputs) {
        const auto* const before = tensorIn(values, name);
        const auto* const after = tensorIn(*outputs, name);
        if (before != nullptr && after != nullptr && sameSizes(before->view, after->view)) {
            most = std::max(most, std::sqrt(computeDistance(after->view, before->view)));
        }
    }
    return std::isfinite(most) ? std::optional(most / disturbance) : std::nullopt;
}

/// Positions from 0 in an order whose beginnings are spread evenly: 0, 1/2, 1/4, 3/4, …
std::vector<std::size_t> spreadOrder(std::size_t count) {
    std::vector<std::size_t> order;
    std::vector<bool> isTaken(count, false);
    for (std::size_t parts = 1; order.size() < count; parts *= 2) {
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t at = i * count / parts;
            if (!isTaken[at]) {
                isTaken[at] = true;
                order.push_back(at);
            }
        }
    }
    return order;
}

Result<SensitivityRanking> Ranking::run(const SensitivityLimits& limits) {
    std::vector<NodeIndex> candidates;
    std::ranges::copy_if(delegate.nodes, std::back_inserter(candidates), [&](NodeIndex node) {
        return !graph.isConstant(node) && realResult(graph, values, node) != nullptr;
    });
    SensitivityRanking ranking{.nodes = {}, .candidates = candidates.size()};
    const auto end = std::chrono::steady_clock::now() + limits.time;
    std::size_t done = 0;
    for (const std::size_t at : spreadOrder(candidates.size())) {
        if (std::chrono::steady_clock::now() >= end) {
            break;
        }
        ET_ASSIGN(const auto factor, measure(candidates[at]));
        if (factor) {
            ranking.nodes.push_back({.node = candidates[at], .factor = *factor});
        }
        if (limits.progress) {
            limits.progress(++done, candidates.size());
        }
    }
    std::ranges::sort(ranking.nodes, [](const NodeSensitivity& left, const NodeSensitivity& right) {
        return left.factor != right.factor ? left.factor > right.factor : left.node < right.node;
    });
    return ranking;
}

}  // namespace

Result<SensitivityRanking> rankNodes(Interpreter& interpreter, const GraphWalk& graph,
                                     const GraphValues& values, const DelegateNodes& delegate,
                                     const SensitivityLimits& limits) {
    return Ranking(interpreter, graph, values, delegate).run(limits);
}

}  // namespace et::inspector

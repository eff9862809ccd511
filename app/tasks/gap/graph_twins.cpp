#include "app/tasks/gap/graph_twins.h"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace et::tasks {
namespace {

using Value = PairedGraph::Value;

constexpr std::size_t maxRegion = 96;  ///< operators without a twin between a value and its twins

struct Kind {
    std::string_view name;
    std::string_view kind;
};

/// Names of one kind of operator.
constexpr std::array kinds{
    Kind{"linear", "product"},
    Kind{"addmm", "product"},
    Kind{"mm", "product"},
    Kind{"bmm", "product"},
    Kind{"matmul", "product"},
    Kind{"baddbmm", "product"},
    Kind{"scaled_dot_product_attention", "product"},
    Kind{"clone", "copy"},
    Kind{"_clone_dim_order", "copy"},
    Kind{"_to_copy", "copy"},
    Kind{"_to_dim_order_copy", "copy"},
    Kind{"alias_copy", "copy"},
    Kind{"lift_fresh_copy", "copy"},
    Kind{"max_pool2d_with_indices", "max_pool2d"},
    Kind{"start_step", "arange"},
    Kind{"_softmax", "softmax"},
    Kind{"_safe_softmax", "softmax"},
    Kind{"_native_batch_norm_legit_no_training", "batch_norm"},
};

/// "add" for "aten.add.Tensor" and "aten::add.out".
std::string_view kindOf(std::string_view name) {
    if (const std::size_t space = name.find("::"); space != std::string_view::npos) {
        name.remove_prefix(space + 2);
    } else if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
        name.remove_prefix(dot + 1);
    }
    name = name.substr(0, name.find('.'));
    const auto* const known = std::ranges::find(kinds, name, &Kind::name);
    return known == kinds.end() ? name : known->kind;
}

/// Computation of an operator in terms of pairs.
struct Signature {
    std::string_view kind;
    std::vector<std::size_t> inputs;
    std::vector<double> numbers;

    auto operator<=>(const Signature&) const = default;
};

/// One of the two graphs while its values are paired.
struct Side {
    explicit Side(const PairedGraph& of)
        : graph(of),
          producer(of.values.size()),
          readers(of.values.size()),
          pair(of.values.size()),
          hasTwin(of.operators.size(), false) {
        for (std::size_t i = 0; i < of.operators.size(); ++i) {
            for (const Value value : of.operators[i].outputs) {
                producer[value] = i;
            }
            for (const Value value : of.operators[i].inputs) {
                readers[value].push_back(i);
            }
        }
    }

    /// Numbers of the pairs that an operator is computed from, directly or through operators without a twin.
    [[nodiscard]] std::set<std::size_t> sources(std::size_t operation) const {
        std::set<std::size_t> found;
        std::set<std::size_t> seen{operation};
        std::vector<std::size_t> open{operation};
        while (!open.empty() && seen.size() <= maxRegion) {
            const std::size_t next = open.back();
            open.pop_back();
            for (const Value value : graph.operators[next].inputs) {
                if (pair[value] && graph.values[value].isTensor) {
                    found.insert(*pair[value]);
                } else if (producer[value] && graph.values[value].isTensor &&
                           seen.insert(*producer[value]).second) {
                    open.push_back(*producer[value]);
                }
            }
        }
        return found;
    }

    [[nodiscard]] bool readsTensors(std::size_t operation) const {
        return std::ranges::any_of(graph.operators[operation].inputs,
                                   [&](Value value) { return graph.values[value].isTensor; });
    }

    /// Equal for operators that compute the same; nothing if an input has no pair.
    [[nodiscard]] std::optional<Signature> signature(std::size_t operation) const {
        const PairedGraph::Operator& op = graph.operators[operation];
        Signature made{.kind = kindOf(op.name), .inputs = {}, .numbers = op.numbers};
        for (const Value value : op.inputs) {
            if (!pair[value]) {
                return std::nullopt;
            }
            made.inputs.push_back(*pair[value]);
        }
        return made;
    }

    const PairedGraph& graph;
    std::vector<std::optional<std::size_t>> producer;
    std::vector<std::vector<std::size_t>> readers;
    std::vector<std::optional<std::size_t>> pair;  ///< by value: the number of its pair
    std::vector<bool> hasTwin;
};

class Pairing {
  public:
    Pairing(const PairedGraph& first, const PairedGraph& second) : left(first), right(second) {}

    /// Values with equal content, such as constants, have one number.
    void know(Value first, Value second) {
        std::optional<std::size_t>& own = left.pair[first];
        std::optional<std::size_t>& other = right.pair[second];
        const std::size_t number = own ? *own : other ? *other : pairs.size();
        if (number == pairs.size()) {
            pairs.emplace_back();
        }
        if (!other) {
            pairs[number].push_back(second);
        }
        own = own ? own : number;
        other = other ? other : number;
    }
    std::vector<OperatorPair> run();

  private:
    [[nodiscard]] std::optional<std::size_t> twinOf(std::size_t operation) const;
    [[nodiscard]] std::vector<std::size_t> candidates(const std::set<std::size_t>& sources) const;
    [[nodiscard]] bool fits(std::size_t operation, std::size_t candidate) const;
    void knowOutputs(std::size_t operation, std::size_t twin);
    void knowEqual(std::size_t operation, std::size_t twin);

    Side left;
    Side right;
    std::vector<std::vector<Value>> pairs;  ///< values of the second graph, by number
};

/// Operators of the second graph without a twin that may be computed from these pairs, in graph order.
std::vector<std::size_t> Pairing::candidates(const std::set<std::size_t>& sources) const {
    std::set<std::size_t> found;
    if (sources.empty()) {
        for (std::size_t i = 0; i < right.graph.operators.size(); ++i) {
            if (!right.hasTwin[i] && !right.readsTensors(i)) {
                found.insert(i);
            }
        }
        return {found.begin(), found.end()};
    }
    // The values that were paired last have the fewest readers without a twin.
    std::vector<Value> open = pairs[*sources.rbegin()];
    for (std::size_t next = 0; next < open.size() && found.size() < maxRegion; ++next) {
        for (const std::size_t reader : right.readers[open[next]]) {
            if (!right.hasTwin[reader] && found.insert(reader).second) {
                const auto& outputs = right.graph.operators[reader].outputs;
                open.insert(open.end(), outputs.begin(), outputs.end());
            }
        }
    }
    return {found.begin(), found.end()};
}

bool Pairing::fits(std::size_t operation, std::size_t candidate) const {
    const PairedGraph::Operator& a = left.graph.operators[operation];
    const PairedGraph::Operator& b = right.graph.operators[candidate];
    constexpr std::string_view product = "product";
    constexpr std::string_view addition = "add";
    const bool isKind = kindOf(a.name) == kindOf(b.name) ||
                        (kindOf(a.name) == product && kindOf(b.name) == addition);  // of its bias
    if (!isKind || a.outputs.empty() || b.outputs.empty()) {
        return false;
    }
    const PairedGraph::Shape& x = left.graph.values[a.outputs.front()];
    const PairedGraph::Shape& y = right.graph.values[b.outputs.front()];
    return x.isTensor == y.isTensor && (x.isDynamic || y.isDynamic || x.elements == y.elements);
}

/// The first operator that fits; one with the same numbers is preferred.
std::optional<std::size_t> Pairing::twinOf(std::size_t operation) const {
    const std::set<std::size_t> sources = left.sources(operation);
    std::optional<std::size_t> found;
    for (const std::size_t candidate : candidates(sources)) {
        if (!fits(operation, candidate) || right.sources(candidate) != sources) {
            continue;
        }
        if (right.graph.operators[candidate].numbers == left.graph.operators[operation].numbers) {
            return candidate;
        }
        found = found ? found : candidate;
    }
    return found;
}

void Pairing::knowOutputs(std::size_t operation, std::size_t twin) {
    const auto& outputs = left.graph.operators[operation].outputs;
    const auto& others = right.graph.operators[twin].outputs;
    for (std::size_t i = 0; i < std::min(outputs.size(), others.size()); ++i) {
        know(outputs[i], others[i]);
    }
}

/// Exporters merge equal operators or keep them: those that equal the twin have the same pairs.
void Pairing::knowEqual(std::size_t operation, std::size_t twin) {
    const auto wanted = right.signature(twin);
    if (!wanted) {
        return;
    }
    const auto& inputs = right.graph.operators[twin].inputs;
    std::vector<std::size_t> others;
    if (inputs.empty()) {
        others.resize(right.graph.operators.size());
        std::ranges::iota(others, std::size_t{0});
    } else {
        for (const Value value : pairs[*right.pair[inputs.front()]]) {
            others.insert(others.end(), right.readers[value].begin(), right.readers[value].end());
        }
    }
    for (const std::size_t other : others) {
        if (!right.hasTwin[other] && right.signature(other) == wanted) {
            right.hasTwin[other] = true;
            knowOutputs(operation, other);
        }
    }
}

std::vector<OperatorPair> Pairing::run() {
    std::vector<OperatorPair> twins;
    std::map<Signature, std::size_t> done;  ///< the twin of an operator that equals others
    for (std::size_t i = 0; i < left.graph.operators.size(); ++i) {
        const auto signature = left.signature(i);
        const auto equal = signature ? done.find(*signature) : done.end();
        const auto twin = equal != done.end() ? std::optional(equal->second) : twinOf(i);
        if (!twin) {
            continue;
        }
        right.hasTwin[*twin] = true;
        knowOutputs(i, *twin);
        if (equal == done.end()) {
            twins.push_back({.first = i, .second = *twin});
            knowEqual(i, *twin);
        }
        if (signature) {
            done.emplace(*signature, *twin);
        }
    }
    return twins;
}

}  // namespace

std::vector<OperatorPair> pairOperators(const PairedGraph& first, const PairedGraph& second,
                                        std::span<const std::pair<Value, Value>> known) {
    Pairing pairing(first, second);
    for (const auto& [left, right] : known) {
        pairing.know(left, right);
    }
    return pairing.run();
}

}  // namespace et::tasks

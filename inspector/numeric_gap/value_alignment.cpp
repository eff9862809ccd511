#include "inspector/numeric_gap/value_alignment.h"

#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace et::inspector {
namespace {

using core::Tensor;
using etrecord::NodeIndex;

/// A relative squared distance at which two values are the same, apart from rounding: 17 dB.
constexpr double nearDistance = 0.02;
constexpr double equalDistance = 1e-9;
/// A prime, so that samples do not fall into one column.
constexpr std::size_t sampleCount = 251;
/// Bound of the table of pairs, in bytes and steps; longer lists are compared along its diagonal only.
constexpr std::size_t maxPairs = std::size_t{1} << 24U;

/// A value reduced to what pairing compares.
struct Sampled {
    std::int64_t elements = -1;  ///< negative: unknown numbers
    std::vector<std::int64_t> sizes;
    std::vector<double> numbers;
};

Sampled sampled(const Tensor* tensor) {
    const auto numbers = tensor == nullptr ? core::Result<std::vector<double>>() : numbersOf(*tensor);
    if (tensor == nullptr || !numbers || numbers->empty()) {
        return {};
    }
    Sampled made{.elements = tensor->numel(), .sizes = {}, .numbers = {}};
    made.sizes.assign(tensor->sizes().begin(), tensor->sizes().end());
    const std::size_t count = std::min(sampleCount, numbers->size());
    for (std::size_t i = 0; i < count; ++i) {
        made.numbers.push_back((*numbers)[i * numbers->size() / count]);
    }
    return made;
}

double distanceOf(const Sampled& given, const Sampled& expected) {
    double noise = 0;
    double signal = 0;
    for (std::size_t i = 0; i < given.numbers.size(); ++i) {
        const double left = given.numbers[i];
        const double right = expected.numbers[i];
        if (std::isfinite(left) != std::isfinite(right)) {
            return std::numeric_limits<double>::infinity();
        }
        if (std::isfinite(left)) {
            noise += (left - right) * (left - right);
            signal += right * right;
        }
    }
    return noise / (signal + std::numeric_limits<double>::min());
}

/// A result of a node.
struct Candidate {
    NodeIndex node{};
    std::string_view value;
    std::string_view op;  ///< name of its operator without library and overload
    Sampled sample;
};

/// Computes the assignment with the most evidence that keeps the order of both lists.
class Alignment {
  public:
    Alignment(std::span<const UnnamedValue> values, std::span<const Candidate> candidates)
        : columns(candidates),
          width(std::min(candidates.size(), maxPairs / std::max<std::size_t>(1, values.size()) + 1)) {
        for (const UnnamedValue& each : values) {
            if (each.owner && each.owner->readsParameters) {
                lastReader[each.owner->node] = rows.size();
            }
            rows.push_back({each.kind, each.owner, sampled(each.tensor)});
        }
    }

    /// The candidate of each value, if any.
    std::vector<std::optional<std::size_t>> run();

  private:
    struct Row {
        std::string_view kind;
        std::optional<ParameterOwner> owner;
        Sampled sample;
    };
    enum class Step : std::uint8_t { SkipColumn, SkipRow, Pair };

    /// First column that is compared with a row.
    [[nodiscard]] std::size_t startOf(std::size_t row) const {
        const std::size_t centre = rows.size() < 2 ? 0 : row * columns.size() / rows.size();
        const std::size_t half = width / 2;
        return std::min(centre > half ? centre - half : 0, columns.size() - width);
    }
    [[nodiscard]] double evidence(std::size_t row, const Candidate& column) const;
    [[nodiscard]] static bool areNear(const Row& row, const Candidate& column) {
        return row.sample.elements == column.sample.elements &&
               distanceOf(row.sample, column.sample) <= nearDistance;
    }
    void addOutOfOrder(std::vector<std::optional<std::size_t>>& pairs) const;

    std::vector<Row> rows;
    std::span<const Candidate> columns;
    std::size_t width;
    std::map<NodeIndex, std::size_t> lastReader;  ///< the last row that reads parameters of the node
};

/// 0: no pair.
double Alignment::evidence(std::size_t number, const Candidate& column) const {
    constexpr double equal = 12;
    constexpr double near = 10;
    constexpr double sameKind = 4;
    constexpr double sameSizes = 2;
    constexpr double sameParameters = 6;
    const Row& row = rows[number];
    const auto reader = lastReader.find(column.node);
    const bool isEarly = reader != lastReader.end() && number < reader->second;
    if (row.sample.elements < 0 || row.sample.elements != column.sample.elements || isEarly) {
        return 0;
    }
    const bool isOwner = row.owner && row.owner->node == column.node;
    const double distance = distanceOf(row.sample, column.sample);
    const bool isKind = names::detail::doesDelegate(row.kind, column.op);
    const bool hasSizes = row.sample.sizes == column.sample.sizes;
    if (distance > nearDistance && !((isKind || isOwner) && hasSizes)) {
        return 0;
    }
    return (distance <= equalDistance  ? equal
            : distance <= nearDistance ? near
                                       : 0) +
           (isKind ? sameKind : 0) + (isOwner ? sameParameters : 0) + (hasSizes ? sameSizes : 0);
}

std::vector<std::optional<std::size_t>> Alignment::run() {
    std::vector<std::optional<std::size_t>> pairs(rows.size());
    if (rows.empty() || columns.empty()) {
        return pairs;
    }
    std::vector<Step> steps(rows.size() * width);
    // best[c]: evidence of the first rows with the first c columns.
    std::vector<double> best(columns.size() + 1, 0);
    std::vector<double> next;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t start = startOf(r);
        next = best;
        for (std::size_t c = start; c < start + width; ++c) {
            const double own = evidence(r, columns[c]);
            Step step = best[c + 1] >= next[c] ? Step::SkipRow : Step::SkipColumn;
            double most = std::max(best[c + 1], next[c]);
            if (own > 0 && best[c] + own > most) {
                step = Step::Pair;
                most = best[c] + own;
            }
            next[c + 1] = most;
            steps[r * width + (c - start)] = step;
        }
        for (std::size_t c = start + width; c < columns.size(); ++c) {
            next[c + 1] = std::max(next[c + 1], next[c]);
        }
        std::swap(best, next);
    }
    std::size_t column = columns.size();
    for (std::size_t r = rows.size(); r-- > 0;) {
        const std::size_t start = startOf(r);
        column = std::min(column, start + width);
        while (column > start && steps[r * width + (column - 1 - start)] == Step::SkipColumn) {
            --column;
        }
        if (column > start && steps[r * width + (column - 1 - start)] == Step::Pair) {
            pairs[r] = --column;
        }
    }
    addOutOfOrder(pairs);
    return pairs;
}

void Alignment::addOutOfOrder(std::vector<std::optional<std::size_t>>& pairs) const {
    std::vector<bool> isUsed(columns.size(), false);
    for (const auto& each : pairs) {
        if (each) {
            isUsed[*each] = true;
        }
    }
    std::size_t compared = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        double most = 0;
        std::optional<std::size_t> found;
        for (std::size_t c = 0; c < columns.size() && !pairs[r] && compared < maxPairs; ++c) {
            ++compared;
            const double own = isUsed[c] || !areNear(rows[r], columns[c]) ? 0 : evidence(r, columns[c]);
            if (own > most) {
                most = own;
                found = c;
            }
        }
        if (found) {
            pairs[r] = found;
            isUsed[*found] = true;
        }
    }
}

}  // namespace

std::vector<std::optional<MappedValue>> alignValues(const GraphWalk& graph, const GraphValues& reference,
                                                    std::span<const UnnamedValue> values,
                                                    std::span<const NodeIndex> nodes) {
    std::vector<Candidate> candidates;
    for (const NodeIndex node : nodes) {
        for (const std::string_view value : graph.resultsOf(node)) {
            const auto* const tensor = tensorIn(reference, value);
            const bool isRead = graph.isGraphOutput(value) || !graph.consumersOf(value).empty();
            if (tensor != nullptr && isRead) {
                candidates.push_back({.node = node,
                                      .value = value,
                                      .op = names::detail::nodeOperator(graph.node(node).op),
                                      .sample = sampled(&tensor->view)});
            }
        }
    }
    const auto pairs = Alignment(values, candidates).run();
    std::vector<std::optional<MappedValue>> places(values.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs[i]) {
            const Candidate& found = candidates[*pairs[i]];
            places[i] = placeAt(graph, {found.node});
            places[i]->value = found.value;
        }
    }
    return places;
}

}  // namespace et::inspector

#include "app/tasks/shapes/output_distance.h"

#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/element_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using core::ScalarType;

/// A few of 127 quantization steps.
constexpr double quantizedTolerance = 0.05;
/// Long sums round many times: some thousands of units in the last place.
constexpr std::array toleranceByType{
    std::pair{ScalarType::Double, 1e-9},
    std::pair{ScalarType::Float, 1e-4},
    std::pair{ScalarType::Half, 2e-2},
    std::pair{ScalarType::BFloat16, 1e-1},
};

bool quantizes(const etrecord::ExportedGraph& graph) {
    return std::ranges::any_of(graph.nodes, [](const etrecord::Node& node) {
        return node.op.contains("quantize") || node.op.contains("quantized");
    });
}

/// Index of an element of a row-major tensor.
std::vector<std::int64_t> indexOf(std::uint64_t element, const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> index(sizes.size());
    for (std::size_t i = sizes.size(); i > 0; --i) {
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(sizes[i - 1], 1));
        index[i - 1] = static_cast<std::int64_t>(element % size);
        element /= size;
    }
    return index;
}

void addBeyond(ShapeOutput& out, std::uint64_t element) {
    if (out.beyond++ == 0) {
        out.first = indexOf(element, out.sizes);
    }
}

void compareNumbers(const std::vector<double>& given, const std::vector<double>& wanted, ShapeOutput& out) {
    for (const double number : wanted) {
        out.magnitude = std::isfinite(number) ? std::max(out.magnitude, std::abs(number)) : out.magnitude;
    }
    const double allowed = out.tolerance * out.magnitude;
    for (std::uint64_t i = 0; i < wanted.size(); ++i) {
        const bool areSame = given[i] == wanted[i] || (std::isnan(given[i]) && std::isnan(wanted[i]));
        if (areSame) {
            continue;
        }
        if (!std::isfinite(given[i]) || !std::isfinite(wanted[i])) {
            ++out.nonFinite;
            addBeyond(out, i);
            continue;
        }
        const double error = std::abs(given[i] - wanted[i]);
        out.maxError = std::max(out.maxError, error);
        if (error > allowed) {
            addBeyond(out, i);
        }
    }
}

/// Numeric value of a scalar; nothing for other values.
std::optional<double> numberOf(const backends::reference::ReferenceValue& value) {
    if (const auto* const whole = value.as<std::int64_t>()) {
        return static_cast<double>(*whole);
    }
    if (const auto* const truth = value.as<bool>()) {
        return *truth ? 1.0 : 0.0;
    }
    const auto* const real = value.as<double>();
    return real == nullptr ? std::nullopt : std::optional(*real);
}

}  // namespace

double relativeTolerance(const etrecord::ExportedGraph& graph) {
    double tolerance = quantizes(graph) ? quantizedTolerance : 0;
    for (const auto& [name, meta] : graph.tensors) {
        const auto* const found = std::ranges::find(toleranceByType, static_cast<ScalarType>(meta.scalarType),
                                                    &decltype(toleranceByType)::value_type::first);
        tolerance = found == toleranceByType.end() ? tolerance : std::max(tolerance, found->second);
    }
    return tolerance;
}

ShapeOutput outputDistance(const core::Value& output, const backends::reference::ReferenceValue& reference,
                           double tolerance) {
    ShapeOutput out{.tolerance = tolerance};
    const auto* const given = output.as<core::Tensor>();
    const auto* const wanted = reference.as<ReferenceTensor>();
    if (given == nullptr || wanted == nullptr) {
        const auto number = numberOf(reference);
        const auto scalar = output.scalar();
        const bool isNone = reference.as<std::monostate>() != nullptr;
        out.elements = isNone ? 0 : 1;
        out.magnitude = number ? std::abs(*number) : 0;
        out.beyond = isNone || (number && scalar && scalar->to<double>() == *number) ? 0 : 1;
        return out;
    }
    out.sizes = {given->sizes().begin(), given->sizes().end()};
    out.referenceSizes = {wanted->view.sizes().begin(), wanted->view.sizes().end()};
    out.elements = given->numel();
    if (!out.sameSizes()) {
        return out;
    }
    const bool isExact = !core::isFloating(given->dtype()) && tolerance < quantizedTolerance;
    out.tolerance = isExact ? 0 : tolerance;
    const auto left = inspector::numbersOf(*given);
    const auto right = inspector::numbersOf(wanted->view);
    if (left && right) {
        compareNumbers(*left, *right, out);
    }
    return out;
}

}  // namespace et::tasks

#include "app/tasks/probe/probe_axis.h"

#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/element_types.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::Result;
using etrecord::Argument;
using etrecord::SymInt;

/// Maximum elements of a graph whose axes are searched, and of each trial.
constexpr std::int64_t maxTrialElements = std::int64_t{16} << 20U;
/// Smallest number among the arguments that may be a size.
constexpr std::int64_t leastNumber = 4;
/// Other dimensions and numbers of the same size that are considered.
constexpr std::size_t maxOthers = 7;
constexpr std::size_t maxTogether = 3;

/// A dimension or a number.
using AxisPlace = std::variant<ProbeDimension, ProbeNumber>;

std::int64_t sizeAt(const ProbeGraph& probe, const ProbeDimension& place) {
    const ReferenceTensor* const tensor = inspector::tensorIn(probe.given, place.value);
    return tensor == nullptr ? 0 : tensor->view.sizes()[place.dimension];
}

/// Repeats the elements of a row-major tensor along a dimension, or leaves some out.
Result<ReferenceTensor> resizedTensor(const ReferenceTensor& tensor, std::size_t dimension,
                                      std::int64_t size) {
    std::vector<std::int64_t> sizes(tensor.view.sizes().begin(), tensor.view.sizes().end());
    const std::int64_t before = sizes[dimension];
    std::size_t outer = 1;
    std::size_t inner = tensor.view.elementSize();
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        (d < dimension ? outer : inner) *= d == dimension ? 1U : static_cast<std::size_t>(sizes[d]);
    }
    sizes[dimension] = size;
    const std::size_t rowBefore = inner * static_cast<std::size_t>(before);
    const std::size_t row = inner * static_cast<std::size_t>(size);
    auto bytes = std::make_shared<std::vector<std::byte>>(std::max<std::size_t>(outer * row, 1));
    for (std::size_t o = 0; o < outer; ++o) {
        for (std::int64_t i = 0; before > 0 && i < size; ++i) {
            std::memcpy(bytes->data() + o * row + inner * static_cast<std::size_t>(i),
                        tensor.view.raw() + o * rowBefore + inner * static_cast<std::size_t>(i % before),
                        inner);
        }
    }
    ReferenceTensor made;
    ET_ASSIGN(made.view, core::Tensor::make(tensor.view.dtype(), sizes, bytes->data()));
    made.owner = std::move(bytes);
    return made;
}

void setNumberAt(etrecord::ExportedGraph& graph, const ProbeNumber& place, std::int64_t number) {
    Argument::Value& value = graph.nodes[place.node].inputs[place.argument].value;
    if (place.item) {
        std::get<std::vector<SymInt>>(value)[*place.item].value = number;
    } else {
        value = number;
    }
}

/// Finds the dimensions and numbers that only change together.
class AxisSearch {
  public:
    explicit AxisSearch(const ProbeGraph& searched) : probe(searched) {}

    std::vector<ProbeAxis> run() {
        const std::vector<std::string> inputs = inputNames(probe);
        for (const std::string& name : inputs) {
            const std::size_t dims = inspector::tensorIn(probe.given, name)->view.dim();
            for (std::size_t d = 0; d < dims; ++d) {
                search({.value = name, .dimension = d}, inputs);
            }
        }
        for (const auto& [name, value] : probe.given) {
            const auto* const tensor = value.as<ReferenceTensor>();
            if (tensor == nullptr || std::ranges::contains(inputs, name)) {
                continue;
            }
            // Further dimensions of weights are those of kernels.
            for (std::size_t d = 0; d < std::min<std::size_t>(tensor->view.dim(), 2); ++d) {
                search({.value = name, .dimension = d}, inputs);
            }
        }
        return std::move(axes);
    }

  private:
    void search(const ProbeDimension& first, const std::vector<std::string>& inputs) {
        const std::int64_t size = sizeAt(probe, first);
        const bool isKnown = std::ranges::any_of(
            axes, [&](const ProbeAxis& axis) { return std::ranges::contains(axis.dimensions, first); });
        if (isKnown || size < 1) {
            return;
        }
        if (size == 1) {
            searchBatch(first, inputs);
            return;
        }
        const std::vector<AxisPlace> others = othersOf(first, size);
        for (std::size_t count = 0; count <= std::min(others.size(), maxTogether); ++count) {
            if (tryTogether(first, others, 0, count, {})) {
                return;
            }
        }
        if (others.size() > maxTogether) {
            accept(first, others);
        }
    }

    /// A dimension of size 1 is only of interest if it is that of batches.
    void searchBatch(const ProbeDimension& first, const std::vector<std::string>& inputs) {
        const std::size_t rank = inspector::tensorIn(probe.given, first.value)->view.dim();
        if (first.dimension != 0 || rank < 2 || !std::ranges::contains(inputs, first.value)) {
            return;
        }
        std::vector<AxisPlace> others;
        for (const std::string& name : inputs) {
            const ProbeDimension other{.value = name, .dimension = 0};
            if (name != first.value && inspector::tensorIn(probe.given, name)->view.dim() == rank &&
                sizeAt(probe, other) == 1) {
                others.emplace_back(other);
            }
        }
        accept(first, others);
    }

    [[nodiscard]] std::vector<AxisPlace> othersOf(const ProbeDimension& first, std::int64_t size) const {
        std::vector<AxisPlace> others;
        for (const auto& [name, value] : probe.given) {
            const auto* const tensor = value.as<ReferenceTensor>();
            for (std::size_t d = 0; tensor != nullptr && d < tensor->view.dim(); ++d) {
                const ProbeDimension other{.value = name, .dimension = d};
                if (tensor->view.sizes()[d] == size && other != first) {
                    others.emplace_back(other);
                }
            }
        }
        for (std::size_t n = 0; size >= leastNumber && n < probe.graph.nodes.size(); ++n) {
            addNumbers(n, size, others);
        }
        others.resize(std::min(others.size(), maxOthers));
        return others;
    }

    void addNumbers(std::size_t node, std::int64_t size, std::vector<AxisPlace>& others) const {
        const std::vector<Argument>& arguments = probe.graph.nodes[node].inputs;
        for (std::size_t a = 0; a < arguments.size(); ++a) {
            const auto* const number = std::get_if<std::int64_t>(&arguments[a].value);
            if (number != nullptr && *number == size && arguments[a].kind.ends_with("int")) {
                others.emplace_back(ProbeNumber{.node = node, .argument = a});
            }
            const auto* const list = std::get_if<std::vector<SymInt>>(&arguments[a].value);
            for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
                if ((*list)[i].value == size) {
                    others.emplace_back(ProbeNumber{.node = node, .argument = a, .item = i});
                }
            }
        }
    }

    /// Tries all choices of `count` of the others from `from` on.
    bool tryTogether(const ProbeDimension& first, const std::vector<AxisPlace>& others, std::size_t from,
                     std::size_t count, const std::vector<AxisPlace>& chosen) {
        if (count == 0) {
            return accept(first, chosen);
        }
        for (std::size_t i = from; i + count <= others.size(); ++i) {
            std::vector<AxisPlace> more = chosen;
            more.push_back(others[i]);
            if (tryTogether(first, others, i + 1, count - 1, more)) {
                return true;
            }
        }
        return false;
    }

    /// Adds the axis if the graph runs with other sizes of it.
    bool accept(const ProbeDimension& first, const std::vector<AxisPlace>& others) {
        ProbeAxis axis{.name = nameOf(first), .size = sizeAt(probe, first), .dimensions = {first}};
        for (const AxisPlace& other : others) {
            if (const auto* const dimension = std::get_if<ProbeDimension>(&other)) {
                axis.dimensions.push_back(*dimension);
            } else {
                axis.numbers.push_back(std::get<ProbeNumber>(other));
            }
        }
        if (!resizedProbe(probe, axis, axis.size + 1, maxTrialElements) &&
            !resizedProbe(probe, axis, 2 * axis.size, maxTrialElements)) {
            return false;
        }
        axes.push_back(std::move(axis));
        return true;
    }

    /// Name of the argument that reads a value, with the dimension.
    [[nodiscard]] std::string nameOf(const ProbeDimension& place) const {
        std::string_view name = place.value;
        for (const etrecord::Node& node : probe.graph.nodes) {
            for (const Argument& argument : node.inputs) {
                if (!argument.name.empty() &&
                    std::ranges::contains(inspector::valueNames(argument), place.value)) {
                    return fmt::format("{} dim {}", argument.name, place.dimension);
                }
            }
        }
        return fmt::format("{} dim {}", name, place.dimension);
    }

    const ProbeGraph& probe;
    std::vector<ProbeAxis> axes;
};

}  // namespace

std::vector<ProbeAxis> axesOf(const ProbeGraph& probe) {
    return elementsOf(probe) > maxTrialElements ? std::vector<ProbeAxis>() : AxisSearch(probe).run();
}

Result<ProbeGraph> resizedProbe(const ProbeGraph& probe, const ProbeAxis& axis, std::int64_t size,
                                std::int64_t maxElements) {
    const double growth = std::max(1.0, static_cast<double>(size) / static_cast<double>(axis.size));
    if (static_cast<double>(elementsOf(probe)) * growth > static_cast<double>(maxElements)) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("{} = {} needs more than {} elements", axis.name, size, maxElements));
    }
    ProbeGraph made{.graph = probe.graph, .given = probe.given, .computed = {}};
    for (const ProbeDimension& place : axis.dimensions) {
        ReferenceValue& value = made.given.find(place.value)->second;
        ET_ASSIGN(ReferenceTensor changed,
                  resizedTensor(*value.as<ReferenceTensor>(), place.dimension, size));
        value = ReferenceValue{std::move(changed)};
    }
    for (const ProbeNumber& place : axis.numbers) {
        setNumberAt(made.graph, place, size);
    }
    ET_TRY(computeProbe(made));
    return made;
}

Result<std::optional<ProbeGraph>> probeWithNan(const ProbeGraph& probe) {
    ProbeGraph made{.graph = probe.graph, .given = probe.given, .computed = {}};
    bool isChanged = false;
    for (const std::string& name : inputNames(probe)) {
        ReferenceValue& value = made.given.find(name)->second;
        const core::Tensor& tensor = value.as<ReferenceTensor>()->view;
        if (!core::isFloating(tensor.dtype()) || tensor.numel() == 0) {
            continue;
        }
        ET_ASSIGN(std::vector<double> numbers, inspector::numbersOf(tensor));
        numbers[numbers.size() / 2] = std::numeric_limits<double>::quiet_NaN();
        const std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
        ET_ASSIGN(ReferenceTensor changed,
                  inspector::converted(core::Tensor::over(numbers.data(), sizes), tensor.dtype()));
        value = ReferenceValue{std::move(changed)};
        isChanged = true;
    }
    if (!isChanged) {
        return std::optional<ProbeGraph>();
    }
    ET_TRY(computeProbe(made));
    return std::optional(std::move(made));
}

}  // namespace et::tasks

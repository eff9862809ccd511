#include "backends/lowering/tensor_specs.h"

#include "runtime/core/dim_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::SymInt;

namespace {

using Symbols = etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>;
using Range = std::optional<NumberRange>;

constexpr std::int64_t huge = std::numeric_limits<std::int32_t>::max();

std::int64_t capped(std::int64_t number) {
    return std::clamp(number, -huge, huge);
}

/// Drops bounds beyond all possible sizes.
NumberRange made(std::int64_t min, std::optional<std::int64_t> max) {
    return {.min = capped(min), .max = max && *max < huge ? std::optional(capped(*max)) : std::nullopt};
}

std::int64_t highest(const NumberRange& range) {
    return range.max.value_or(huge);
}

NumberRange sum(const NumberRange& left, const NumberRange& right) {
    return made(left.min + right.min, highest(left) + highest(right));
}

NumberRange negative(const NumberRange& range) {
    return made(-highest(range), -range.min);
}

NumberRange product(const NumberRange& left, const NumberRange& right) {
    const std::array corners{left.min * right.min, left.min * highest(right), highest(left) * right.min,
                             highest(left) * highest(right)};
    const auto [low, high] = std::ranges::minmax(corners);
    return made(low, high);
}

std::int64_t floorDivided(std::int64_t number, std::int64_t by) {
    return number / by - (number % by < 0 ? 1 : 0);
}

Range quotient(const NumberRange& left, const NumberRange& right) {
    if (right.min <= 0) {
        return std::nullopt;
    }
    const std::array corners{floorDivided(left.min, right.min), floorDivided(left.min, highest(right)),
                             floorDivided(highest(left), right.min),
                             floorDivided(highest(left), highest(right))};
    const auto [low, high] = std::ranges::minmax(corners);
    return made(low, high);
}

/// Recursive descent parser with a depth limit above that of real size expressions.
class ExpressionReader {
  public:
    ExpressionReader(std::string_view expression, const Symbols& ranges)
        : text(expression), symbols(ranges) {}

    Range read() {
        Range range = terms();
        skipBlanks();
        return text.empty() ? range : std::nullopt;
    }

  private:
    static constexpr int maxDepth = 64;

    void skipBlanks() {
        while (!text.empty() && text.front() == ' ') {
            text.remove_prefix(1);
        }
    }
    bool take(std::string_view word) {
        skipBlanks();
        if (!text.starts_with(word)) {
            return false;
        }
        text.remove_prefix(word.size());
        return true;
    }

    Range terms() {
        Range left = factors();
        while (left) {
            const bool plus = take("+");
            if (!plus && !take("-")) {
                break;
            }
            const Range right = factors();
            left = right ? Range(sum(*left, plus ? *right : negative(*right))) : std::nullopt;
        }
        return left;
    }

    Range factors() {
        Range left = atom();
        while (left && !text.starts_with("**")) {
            if (take("//")) {
                const Range right = atom();
                left = right ? quotient(*left, *right) : std::nullopt;
            } else if (take("*")) {
                const Range right = atom();
                left = right ? Range(product(*left, *right)) : std::nullopt;
            } else {
                break;
            }
        }
        return left;
    }

    Range atom() {
        if (++depth > maxDepth) {
            return std::nullopt;
        }
        Range range;
        if (take("-")) {
            range = atom();
            range = range ? Range(negative(*range)) : std::nullopt;
        } else if (take("(")) {
            range = terms();
            range = take(")") ? range : std::nullopt;
        } else {
            skipBlanks();
            range = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 ? number()
                                                                                                 : symbol();
        }
        --depth;
        return range;
    }

    Range number() {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc()) {
            return std::nullopt;
        }
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return made(value, value);
    }

    Range symbol() {
        const auto* const end = std::ranges::find_if_not(
            text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
        const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(name.size());
        if (take("(")) {
            return call(name);
        }
        const auto known = symbols.find(name);
        if (name.empty() || known == symbols.end()) {
            return std::nullopt;
        }
        return made(known->second.minimum.value_or(0), known->second.maximum);
    }

    Range call(std::string_view name) {
        std::vector<NumberRange> arguments;
        do {
            const Range argument = terms();
            if (!argument) {
                return std::nullopt;
            }
            arguments.push_back(*argument);
        } while (take(","));
        if (!take(")")) {
            return std::nullopt;
        }
        if (arguments.size() == 2 && (name == "FloorDiv" || name == "CleanDiv")) {
            return quotient(arguments[0], arguments[1]);
        }
        if (arguments.size() == 2 && (name == "Max" || name == "Min")) {
            const auto pick = [&](std::int64_t a, std::int64_t b) {
                return name == "Max" ? std::max(a, b) : std::min(a, b);
            };
            return made(pick(arguments[0].min, arguments[1].min),
                        pick(highest(arguments[0]), highest(arguments[1])));
        }
        if (arguments.size() == 2 && (name == "Mod" || name == "PythonMod") && arguments[1].max) {
            return made(0, *arguments[1].max - 1);
        }
        return std::nullopt;
    }

    std::string_view text;
    const Symbols& symbols;
    int depth = 0;
};

}  // namespace

std::optional<NumberRange> rangeOf(std::string_view expression, const Symbols& symbols) {
    return ExpressionReader(expression, symbols).read();
}

std::vector<std::uint8_t> dimOrderOf(const etrecord::TensorMeta& meta) {
    std::vector<std::uint8_t> order = core::rowMajorOrder(meta.sizes.size());
    if (meta.strides.size() != order.size()) {
        return order;
    }
    const bool known = std::ranges::all_of(
        meta.strides, [](const SymInt& stride) { return stride.expression.empty() || stride.value > 0; });
    if (known) {
        std::ranges::stable_sort(order, [&](std::uint8_t left, std::uint8_t right) {
            return meta.strides[left].value > meta.strides[right].value;
        });
    }
    // The stride of a dimension of size 1 is arbitrary, so row-major order matches too.
    std::vector<std::uint8_t> counting;
    std::ranges::copy_if(order, std::back_inserter(counting), [&](std::uint8_t dim) {
        return !meta.sizes[dim].expression.empty() || meta.sizes[dim].value != 1;
    });
    if (std::ranges::is_sorted(counting)) {
        std::ranges::sort(order);
    }
    return order;
}

bool isFloat(const etrecord::ExportedGraph& graph, std::string_view value) {
    const auto found = graph.tensors.find(value);
    return found != graph.tensors.end() &&
           found->second.scalarType == std::to_underlying(core::ScalarType::Float);
}

bool isRowMajor(const std::vector<std::uint8_t>& dimOrder) {
    return std::ranges::is_sorted(dimOrder);
}

Result<builder::TensorSpec> specOf(const etrecord::ExportedGraph& graph, std::string_view value) {
    const auto found = graph.tensors.find(value);
    if (found == graph.tensors.end() || !core::scalarType(found->second.scalarType)) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the graph has no metadata for tensor \"{}\"", core::printable(value)));
    }
    const etrecord::TensorMeta& meta = found->second;
    builder::TensorSpec spec{.dtype = static_cast<core::ScalarType>(meta.scalarType),
                             .sizes = {},
                             .dimOrder = dimOrderOf(meta),
                             .requiresGrad = false};
    for (const SymInt& size : meta.sizes) {
        if (size.expression.empty()) {
            if (size.value < 0) {
                return fail(ErrorCode::InvalidArgument, fmt::format("tensor \"{}\" has a size of {}",
                                                                    core::printable(value), size.value));
            }
            spec.sizes.push_back(size.value);
            continue;
        }
        const auto range = rangeOf(size.expression, graph.rangeConstraints);
        const bool bounded = range && range->max && *range->max >= 0;
        spec.sizes.push_back(bounded ? *range->max : std::max<std::int64_t>(size.value, 1));
        if (!bounded) {
            spec.dynamism = program::ShapeDynamism::Unbounded;
        } else if (spec.dynamism == program::ShapeDynamism::Static) {
            spec.dynamism = program::ShapeDynamism::Bounded;
        }
    }
    return spec;
}

}  // namespace et::backends::lowering

#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

// einsum() and products equivalent to it: https://docs.pytorch.org/docs/stable/generated/torch.einsum.html
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using Sizes = std::vector<std::int64_t>;

/// A tensor with a letter per dimension. Dimensions of an ellipsis have digits, counted from the last one.
struct Labelled {
    ReferenceTensor tensor;
    std::string labels;
};

bool isIn(std::string_view labels, char label) {
    return labels.contains(label);
}

std::unexpected<core::Error> refused(std::string_view equation, std::string_view why) {
    return core::fail(ErrorCode::Unsupported,
                      fmt::format("einsum \"{}\": {}", core::printable(equation), why));
}

/// Labels of a term: "...ij" with rank 4 becomes "10ij".
Result<std::string> labelsOf(std::string_view term, std::size_t rank, std::string_view equation) {
    constexpr std::string_view ellipsis = "...";
    std::string labels(term);
    std::erase(labels, ' ');
    const std::size_t at = labels.find(ellipsis);
    if (at != std::string::npos) {
        const std::size_t named = labels.size() - ellipsis.size();
        if (rank < named || rank - named > 9) {
            return refused(equation, "a tensor has fewer dimensions than letters, or too many more");
        }
        std::string others;
        for (std::size_t left = rank - named; left-- > 0;) {
            others += static_cast<char>('0' + left);
        }
        labels.replace(at, ellipsis.size(), others);
    }
    std::string once = labels;
    std::ranges::sort(once);
    if (labels.size() != rank || std::ranges::adjacent_find(once) != once.end() ||
        std::ranges::any_of(labels,
                            [](char each) { return std::isalnum(static_cast<unsigned char>(each)) == 0; })) {
        return refused(equation, "expected one letter per dimension, each at most once in a term");
    }
    return labels;
}

/// Output of an equation without an arrow: the ellipsis, then the letters that occur once, in order.
std::string impliedOutput(const std::vector<Labelled>& terms) {
    std::string all;
    std::string digits;
    for (const Labelled& each : terms) {
        for (const char label : each.labels) {
            std::string& to = std::isdigit(static_cast<unsigned char>(label)) != 0 ? digits : all;
            if (&to == &all || !isIn(digits, label)) {
                to += label;
            }
        }
    }
    std::ranges::sort(digits, std::ranges::greater());
    std::string once;
    for (const char label : all) {
        if (std::ranges::count(all, label) == 1) {
            once += label;
        }
    }
    std::ranges::sort(once);
    return digits + once;
}

/// Sums over dimensions that are not needed.
Result<Labelled> summed(Calls& calls, Labelled term, std::string_view needed, ScalarType dtype) {
    Sizes dims;
    std::string left;
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
        if (isIn(needed, term.labels[i])) {
            left += term.labels[i];
        } else {
            dims.push_back(static_cast<std::int64_t>(i));
        }
    }
    if (dims.empty()) {
        return term;
    }
    ET_ASSIGN(term.tensor, calls.tensor("aten.sum.dim_IntList", {{term.tensor}, listOf(dims)}, dtype));
    term.labels = left;
    return term;
}

/// Permutes the dimensions to the order of `labels`, all of which the term has.
Result<ReferenceTensor> ordered(Calls& calls, const Labelled& term, std::string_view labels,
                                ScalarType dtype) {
    Sizes order;
    for (const char label : labels) {
        order.push_back(static_cast<std::int64_t>(term.labels.find(label)));
    }
    return calls.tensor("aten.permute_copy.default", {{term.tensor}, listOf(order)}, dtype);
}

/// A pair of terms as a batched matrix product.
class Pair {
  public:
    Pair(Calls& with, Labelled first, Labelled second, std::string_view kept, ScalarType type)
        : calls(with), left(std::move(first)), right(std::move(second)), dtype(type) {
        for (const char label : left.labels) {
            if (!isIn(right.labels, label)) {
                rows += label;
            } else {
                (isIn(kept, label) ? batch : contracted) += label;
            }
        }
        std::ranges::copy_if(right.labels, std::back_inserter(columns),
                             [&](char label) { return !isIn(left.labels, label); });
    }

    Result<Labelled> product() {
        ET_TRY(broadcast(left, right));
        ET_TRY(broadcast(right, left));
        ET_ASSIGN(auto a, matrices(left, rows, contracted));
        ET_ASSIGN(auto b, matrices(right, contracted, columns));
        ET_ASSIGN(auto made, calls.tensor("aten.bmm.default", {{a}, {b}}, dtype));
        Sizes sizes = sizesOfLabels(left, batch + rows);
        std::ranges::copy(sizesOfLabels(right, columns), std::back_inserter(sizes));
        ET_ASSIGN(made, calls.tensor("aten.view_copy.default", {{made}, listOf(sizes)}, dtype));
        return Labelled{.tensor = std::move(made), .labels = batch + rows + columns};
    }

  private:
    static Sizes sizesOfLabels(const Labelled& of, std::string_view labels) {
        Sizes sizes;
        for (const char label : labels) {
            sizes.push_back(of.tensor.view.size(of.labels.find(label)));
        }
        return sizes;
    }
    static std::int64_t countOf(const Sizes& sizes) {
        std::int64_t count = 1;
        std::ranges::for_each(sizes, [&](std::int64_t size) { count *= size; });
        return count;
    }
    /// Expands dimensions of size 1 to the size of the other term.
    Result<> broadcast(Labelled& term, const Labelled& other) {
        Sizes sizes = sizesOf(term.tensor);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::size_t at = other.labels.find(term.labels[i]);
            if (at != std::string::npos && sizes[i] == 1) {
                sizes[i] = other.tensor.view.size(at);
            }
        }
        if (!std::ranges::equal(sizes, term.tensor.view.sizes())) {
            ET_ASSIGN(term.tensor,
                      calls.tensor("aten.expand_copy.default", {{term.tensor}, listOf(sizes)}, dtype));
        }
        return {};
    }
    Result<ReferenceTensor> matrices(const Labelled& term, const std::string& first,
                                     const std::string& second) {
        ET_ASSIGN(const auto turned, ordered(calls, term, batch + first + second, dtype));
        const Sizes sizes{countOf(sizesOfLabels(term, batch)), countOf(sizesOfLabels(term, first)),
                          countOf(sizesOfLabels(term, second))};
        return calls.tensor("aten.view_copy.default", {{turned}, listOf(sizes)}, dtype);
    }

    Calls& calls;
    Labelled left;
    Labelled right;
    ScalarType dtype;
    std::string batch;
    std::string rows;
    std::string contracted;
    std::string columns;
};

/// The terms left of the arrow, and the output right of it.
struct Equation {
    std::vector<Labelled> terms;
    std::string output;
};

Result<Equation> parsed(std::string_view equation, const ReferenceValue::List& tensors) {
    const std::size_t arrow = equation.find("->");
    std::string_view left = equation.substr(0, arrow);
    Equation made;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::size_t comma = left.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == tensors.size())) {
            return refused(equation, "expected one term per tensor");
        }
        ET_ASSIGN(auto tensor, tensorOf(tensors[i]));
        ET_ASSIGN(auto labels, labelsOf(left.substr(0, comma), tensor.view.dim(), equation));
        made.terms.push_back({.tensor = std::move(tensor), .labels = std::move(labels)});
        left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
    }
    if (arrow == std::string_view::npos) {
        made.output = impliedOutput(made.terms);
        return made;
    }
    std::string output(equation.substr(arrow + 2));
    std::erase(output, ' ');
    const std::size_t named = output.size() - (output.contains("...") ? 3 : 0);
    std::size_t others = 0;
    for (const Labelled& each : made.terms) {
        const auto digits =
            std::ranges::count_if(each.labels, [](char label) { return label >= '0' && label <= '9'; });
        others = std::max(others, static_cast<std::size_t>(digits));
    }
    ET_ASSIGN(made.output, labelsOf(output, named + (named == output.size() ? 0 : others), equation));
    return made;
}

/// equation tensors: contracts two terms at a time, from the left.
Composed einsum(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments[1].as<ReferenceValue::List>() == nullptr
                                                       ? arguments
                                                       : Arguments(*arguments[1].as<ReferenceValue::List>()));
    const auto* equation = arguments[0].as<std::string>();
    const auto* tensors = arguments[1].as<ReferenceValue::List>();
    if (equation == nullptr || tensors == nullptr || tensors->empty()) {
        return core::fail(ErrorCode::InvalidArgument, "expected an equation and its tensors");
    }
    ET_ASSIGN(Equation parts, parsed(*equation, *tensors));
    // Labels needed after a term: those of the output and of later terms.
    const auto neededAfter = [&](std::size_t term) {
        std::string needed = parts.output;
        for (std::size_t i = term + 1; i < parts.terms.size(); ++i) {
            needed += parts.terms[i].labels;
        }
        return needed;
    };
    ET_ASSIGN(Labelled made, summed(calls, parts.terms.front(), neededAfter(0), dtype));
    for (std::size_t i = 1; i < parts.terms.size(); ++i) {
        const std::string needed = neededAfter(i);
        ET_ASSIGN(Labelled next, summed(calls, parts.terms[i], needed + made.labels, dtype));
        ET_ASSIGN(made, Pair(calls, std::move(made), std::move(next), needed, dtype).product());
        ET_ASSIGN(made, summed(calls, std::move(made), needed, dtype));
    }
    if (!std::ranges::all_of(parts.output, [&](char label) { return isIn(made.labels, label); })) {
        return refused(*equation, "its result has a letter that is in no term");
    }
    return gives(ordered(calls, made, parts.output, dtype));
}

Composed product(Calls& calls, Kinds results, std::string_view equation, ReferenceValue::List tensors) {
    const std::vector<ReferenceValue> inner{{std::string(equation)}, {std::move(tensors)}, {}};
    return einsum(calls, inner, results);
}

Composed outer(Calls& calls, Arguments arguments, Kinds results) {
    return product(calls, results, "i,j->ij", {arguments[0], arguments[1]});
}

/// Inner product over the last dimensions.
Composed innerProduct(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto left, tensorOf(arguments[0]));
    ET_ASSIGN(const auto right, tensorOf(arguments[1]));
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
    const std::size_t a = left.view.dim();
    const std::size_t b = right.view.dim();
    if (a == 0 || b == 0 || a + b > letters.size()) {
        return core::fail(ErrorCode::Unsupported,
                          "expected tensors with at least one and not too many dimensions");
    }
    const std::string first(letters.substr(0, a - 1));
    const std::string second(letters.substr(a - 1, b - 1));
    return product(calls, results, fmt::format("{}z,{}z->{}{}", first, second, first, second),
                   {arguments[0], arguments[1]});
}

/// input1 input2 weight bias: x1 W x2 + b
Composed bilinear(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto made,
              product(calls, results, "...i,oij,...j->...o", {arguments[0], arguments[2], arguments[1]}));
    if (isNone(arguments[3])) {
        return made;
    }
    return gives(
        calls.tensor("aten.add.Tensor", {made.front(), arguments[3]}, resultTypeOf(results, arguments)));
}

/// beta * self + alpha * product
Composed added(Calls& calls, Arguments arguments, Kinds results, std::string_view equation) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const auto made, product(calls, results, equation, {arguments[1], arguments[2]}));
    ET_ASSIGN(auto scaled, calls.tensor("aten.mul.Scalar", {arguments[0], arguments[3]}, dtype));
    return gives(calls.tensor("aten.add.Tensor", {{scaled}, made.front(), arguments[4]}, dtype));
}

Composed addmv(Calls& calls, Arguments arguments, Kinds results) {
    return added(calls, arguments, results, "ij,j->i");
}

Composed addr(Calls& calls, Arguments arguments, Kinds results) {
    return added(calls, arguments, results, "i,j->ij");
}

Composed addbmm(Calls& calls, Arguments arguments, Kinds results) {
    return added(calls, arguments, results, "bij,bjk->ik");
}

constexpr Operator composedEinsumRows[] = {
    {"aten.einsum.default", "equation tensors path=None", "", einsum},
    {"aten.outer.default", "self vec2", "", outer},
    {"aten.ger.default", "self vec2", "", outer},
    {"aten.inner.default", "self other", "", innerProduct},
    {"aten.bilinear.default", "input1 input2 weight bias=None", "", bilinear},
    {"aten.addmv.default", "self mat vec beta=1 alpha=1", "", addmv},
    {"aten.addr.default", "self vec1 vec2 beta=1 alpha=1", "", addr},
    {"aten.addbmm.default", "self batch1 batch2 beta=1 alpha=1", "", addbmm},
};

}  // namespace

std::span<const Operator> composedEinsum() {
    return composedEinsumRows;
}

}  // namespace et::backends::reference

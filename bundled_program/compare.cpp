#include "bundled_program/compare.h"

#include "bundled_program/element_errors.h"
#include "bundled_program/tolerance.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace et::bundled_program {
namespace {

using core::ScalarType;
using core::Tensor;

/// Offsets in elements of the rows of a tensor, in index order.
class Rows {
  public:
    explicit Rows(const Tensor& of) : tensor(of) {}

    [[nodiscard]] std::int64_t count() const { return tensor.numel() / length(); }
    [[nodiscard]] std::int64_t length() const { return tensor.sizes().back(); }
    [[nodiscard]] std::int64_t stride() const { return tensor.stride(tensor.dim() - 1); }
    [[nodiscard]] std::int64_t start(std::int64_t row) const {
        std::int64_t place = 0;
        for (std::size_t dim = tensor.dim() - 1; dim-- > 0;) {
            place += row % tensor.sizes()[dim] * tensor.stride(dim);
            row /= tensor.sizes()[dim];
        }
        return place;
    }

  private:
    const Tensor& tensor;
};

template <class T>
class Row {
  public:
    Row(const Tensor& of, std::int64_t row)
        : data(of.raw()), start(Rows(of).start(row)), stride(Rows(of).stride()), length(Rows(of).length()) {}

    [[nodiscard]] double operator[](std::int64_t i) const {
        T value;
        std::memcpy(&value, data + static_cast<std::size_t>(start + i * stride) * sizeof(T), sizeof(T));
        return static_cast<double>(value);
    }
    /// Index of the largest element; empty if there is a NaN.
    [[nodiscard]] std::optional<std::int64_t> largest() const {
        std::int64_t best = 0;
        for (std::int64_t i = 0; i < length; ++i) {
            if (std::isnan((*this)[i])) {
                return std::nullopt;
            }
            best = (*this)[i] > (*this)[best] ? i : best;
        }
        return best;
    }

  private:
    const std::byte* data;
    std::int64_t start;
    std::int64_t stride;
    std::int64_t length;
};

template <class T>
bool rowAgrees(const Row<T>& given, const Row<T>& expected, const Tolerance& slack) {
    const auto chosen = given.largest();
    const auto best = expected.largest();
    if (!chosen || !best) {
        return false;
    }
    const double largest = expected[*best];
    const double other = expected[*chosen];
    return largest == other || largest - other <= slack.absolute + slack.relative * std::abs(largest);
}

template <class T>
double agreement(const Tensor& given, const Tensor& expected, const Tolerance& slack) {
    const std::int64_t rows = Rows(given).count();
    std::int64_t agreeing = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        agreeing += rowAgrees(Row<T>(given, row), Row<T>(expected, row), slack) ? 1 : 0;
    }
    return static_cast<double>(agreeing) / static_cast<double>(rows);
}

/// Share of rows, along the last dimension, whose largest element is at the expected index, or that have one
/// as large within `slack`. Both tensors have the same real dtype and sizes. Empty if it is not defined (rows
/// of fewer than two elements, another dtype). A row with a NaN never agrees.
std::optional<double> top1Agreement(const Tensor& given, const Tensor& expected, const Tolerance& slack) {
    if (given.dim() == 0 || given.numel() == 0 || given.sizes().back() < 2) {
        return std::nullopt;
    }
    return core::visitRealType(
        given.dtype(),
        [&]<class T>(std::type_identity<T>) -> std::optional<double> {
            if constexpr (std::is_same_v<T, bool>) {
                return std::nullopt;
            } else {
                return agreement<T>(given, expected, slack);
            }
        },
        [] { return std::optional<double>(); });
}

/// Allows for rounding of products of steps and integers on both sides.
constexpr double roundingOfSteps = 1 + 1e-4;

/// -inf: noise where the expected output is zero; inf: no noise.
double signalToNoise(const Metrics& metrics) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return metrics.signalToNoiseDecibels.value_or(metrics.maxAbsoluteError.value_or(0) == 0 ? infinity
                                                                                            : -infinity);
}

double cosine(const Metrics& metrics) {
    if (metrics.nonFinite > 0) {
        return 0;
    }
    return metrics.cosineSimilarity.value_or(metrics.maxAbsoluteError.value_or(0) == 0 ? 1 : 0);
}

/// Tolerance for each element: the default, or its replacement by the limits.
Tolerance elementTolerance(const Comparison& comparison) {
    const OutputLimits& limits = comparison.limits;
    if (!limits.any() || !limits.replaceTolerance) {
        return comparison.tolerance;
    }
    if (limits.step && limits.maxSteps) {
        return {.relative = 1e-6, .absolute = *limits.step * *limits.maxSteps * roundingOfSteps};
    }
    return {.relative = 0, .absolute = std::numeric_limits<double>::infinity()};
}

/// Describes, in one line, the first limit broken by an output whose elements all agree; empty if all hold.
std::string brokenLimit(const Comparison& comparison) {
    const OutputLimits& limits = comparison.limits;
    const Metrics& metrics = comparison.metrics;
    if (limits.maxSteps && metrics.maxSteps.value_or(0) > *limits.maxSteps * roundingOfSteps &&
        !limits.replaceTolerance) {
        return fmt::format("{}: expected at most {:.4g} quantization steps of {:.4g}, got {:.4g}",
                           comparison.type, *limits.maxSteps, *limits.step, *metrics.maxSteps);
    }
    if (limits.minSnr && signalToNoise(metrics) < *limits.minSnr) {
        return fmt::format("{}: expected an SNR of at least {:.4g} dB, got {:.4g}", comparison.type,
                           *limits.minSnr, signalToNoise(metrics));
    }
    if (limits.minCosine && cosine(metrics) < *limits.minCosine) {
        return fmt::format("{}: expected a cosine of at least {:.8g}, got {:.8g}", comparison.type,
                           *limits.minCosine, cosine(metrics));
    }
    if (limits.sameTop1 && metrics.top1Agreement.value_or(1) < 1) {
        return fmt::format(
            "{}: expected the same largest element in every row, got it in {:.4g} % of the rows",
            comparison.type, 100 * *metrics.top1Agreement);
    }
    return {};
}

/// Reads an element that may be unaligned, because the file decides the offset of its data.
template <class T>
T load(const std::byte* place) {
    T value;
    std::memcpy(&value, place, sizeof(T));
    return value;
}

/// Element type in memory: a bool may have any byte value in a file.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
constexpr bool isComplexNumber = requires(T number) { number.imag(); };

/// The shortest text that reads back as the same number.
template <class T>
std::string text(T number) {
    if constexpr (isComplexNumber<T>) {
        return fmt::format("{}{:+}i", number.real(), number.imag());
    } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>) {
        return fmt::format("{}", number);
    } else {
        return fmt::format("{}", static_cast<float>(number));
    }
}

/// Index of an element in the tensor, from its offset in memory in elements.
std::vector<std::int64_t> coordinate(const Tensor& tensor, std::size_t place) {
    std::vector<std::int64_t> index(tensor.dim());
    auto rest = static_cast<std::int64_t>(place);
    for (const std::uint8_t dim : tensor.dimOrder()) {
        index[dim] = rest / tensor.stride(dim);
        rest %= tensor.stride(dim);
    }
    return index;
}

class TensorComparison {
  public:
    TensorComparison(const Tensor& givenTensor, const Tensor& expectedTensor, Comparison& into)
        : given(givenTensor), expected(expectedTensor), result(into), errors(elementTolerance(into)) {}

    /// Returns false if the dtype cannot be compared.
    bool run() {
        switch (given.dtype()) {
            case ScalarType::ComplexFloat:
                return walk<std::complex<float>>();
            case ScalarType::ComplexDouble:
                return walk<std::complex<double>>();
            default:
                break;
        }
        return core::visitRealType(
            given.dtype(), [&]<class T>(std::type_identity<T>) { return walk<Stored<T>>(); },
            [] { return false; });
    }

  private:
    template <class T>
    bool walk() {
        std::size_t worstGiven = 0;
        std::size_t worstExpected = 0;
        const kernels::StridedWalk<2> rows(given.sizes(), {given.strides(), expected.strides()});
        rows.forRows(0, rows.rows(), [&](const std::array<std::int64_t, 2>& start) {
            for (std::int64_t i = 0; i < rows.rowLength(); ++i) {
                const auto left = static_cast<std::size_t>(start[0] + i * rows.rowStrides()[0]);
                const auto right = static_cast<std::size_t>(start[1] + i * rows.rowStrides()[1]);
                const T got = load<T>(given.raw() + left * sizeof(T));
                const T wanted = load<T>(expected.raw() + right * sizeof(T));
                result.mismatches += agree(got, wanted, left) ? 0 : 1;
                if (errors.worstPlace() == left && worstGiven != left + 1) {
                    worstGiven = left + 1;  // index + 1; 0 means none
                    worstExpected = right;
                }
            }
        });
        result.elements = static_cast<std::uint64_t>(given.numel());
        result.metrics = errors.metrics(core::isFloating(given.dtype()) || core::isComplex(given.dtype()));
        measureLimits();
        if (worstGiven > 0) {
            const std::size_t place = worstGiven - 1;
            result.worst = WorstElement{
                .index = coordinate(given, place),
                .expected = text(load<T>(expected.raw() + worstExpected * sizeof(T))),
                .given = text(load<T>(given.raw() + place * sizeof(T))),
            };
        }
        return true;
    }

    void measureLimits() {
        const OutputLimits& limits = result.limits;
        if (limits.step && result.metrics.maxAbsoluteError) {
            result.metrics.maxSteps = *result.metrics.maxAbsoluteError / *limits.step;
        }
        if (limits.sameTop1) {
            const Tolerance slack =
                limits.step ? Tolerance{.relative = 0, .absolute = *limits.step} : result.tolerance;
            result.metrics.top1Agreement = top1Agreement(given, expected, slack);
        }
    }

    template <class T>
    bool agree(T got, T wanted, std::size_t place) {
        if constexpr (isComplexNumber<T>) {
            const bool real = errors.add(got.real(), wanted.real(), place);
            return errors.add(got.imag(), wanted.imag(), place) && real;
        } else {
            return errors.add(got, wanted, place);
        }
    }

    const Tensor& given;
    const Tensor& expected;
    Comparison& result;
    detail::ElementErrors errors;
};

void describeDifference(Comparison& result) {
    const std::string which = result.worst->index.empty()
                                  ? std::string("the element")
                                  : fmt::format("element {}", core::sizesText(result.worst->index));
    result.difference = fmt::format("{} of {}: expected {}, got {}", which, result.type,
                                    result.worst->expected, result.worst->given);
    const OutputLimits& limits = result.limits;
    if (limits.replaceTolerance && limits.step && limits.maxSteps) {
        result.difference +=
            fmt::format(", more than {:.4g} quantization {} of {:.4g} apart", *limits.maxSteps,
                        *limits.maxSteps == 1 ? "step" : "steps", *limits.step);
    }
    if (result.mismatches > 1) {
        result.difference += fmt::format(" ({} of {} differ)", result.mismatches, result.elements);
    }
}

void compareTensors(const Tensor& given, const BundledTensor& bundled, Comparison& result) {
    const auto expected = tensorOver(bundled);
    if (!expected) {
        result.difference = expected.error().message;
    } else if (expected->dtype() != given.dtype() || !std::ranges::equal(expected->sizes(), given.sizes())) {
        result.difference = fmt::format("expected {}, got {}", describe(*expected), result.type);
    } else if (!TensorComparison(given, *expected, result).run()) {
        result.difference = fmt::format("{} cannot be compared", core::scalarTypeName(given.dtype()));
    } else if (result.mismatches > 0) {
        describeDifference(result);
    } else {
        result.difference = brokenLimit(result);
    }
}

template <class T>
void compareNumbers(const core::Value& given, T expected, Comparison& result) {
    const T* number = given.as<T>();
    if (number == nullptr) {
        result.difference = fmt::format("expected {}, got {}", expected, given.kindName());
        return;
    }
    detail::ElementErrors errors(result.tolerance);
    result.elements = 1;
    result.mismatches =
        errors.add(static_cast<Stored<T>>(*number), static_cast<Stored<T>>(expected), 0) ? 0 : 1;
    result.metrics = errors.metrics(std::is_floating_point_v<T>);
    if (errors.worstPlace()) {
        result.worst = WorstElement{
            .index = {}, .expected = fmt::format("{}", expected), .given = fmt::format("{}", *number)};
    }
    if (result.mismatches > 0) {
        result.difference = fmt::format("expected {}, got {}", expected, *number);
    }
}

/// The dtype that selects the tolerance, including for values that are not tensors.
ScalarType dtypeOf(const BundledValue& value) {
    const auto* tensor = std::get_if<BundledTensor>(&value);
    return tensor != nullptr                       ? static_cast<ScalarType>(tensor->scalarType)
           : std::holds_alternative<double>(value) ? ScalarType::Double
           : std::holds_alternative<bool>(value)   ? ScalarType::Bool
                                                   : ScalarType::Long;
}

}  // namespace

Comparison compare(core::Value& given, const BundledValue& expected, const Tolerances& tolerances,
                   const OutputLimits& limits) {
    Comparison result;
    const ScalarType dtype = dtypeOf(expected);
    result.tolerance = tolerances.of(dtype);
    if (std::holds_alternative<BundledTensor>(expected) && dtype != ScalarType::Bool) {
        result.limits = limits;
    }
    const auto* tensor = given.as<Tensor>();
    result.type = tensor == nullptr ? std::string(given.kindName()) : describe(*tensor);
    if (const auto* bundled = std::get_if<BundledTensor>(&expected)) {
        if (tensor != nullptr) {
            compareTensors(*tensor, *bundled, result);
        } else {
            result.difference = fmt::format("expected Tensor, got {}", given.kindName());
        }
    } else if (const auto* number = std::get_if<std::int64_t>(&expected)) {
        compareNumbers(given, *number, result);
    } else if (const auto* truth = std::get_if<bool>(&expected)) {
        compareNumbers(given, *truth, result);
    } else if (const auto* real = std::get_if<double>(&expected)) {
        compareNumbers(given, *real, result);
    } else if (!given.isNone()) {
        result.difference = fmt::format("expected None, got {}", given.kindName());
    }
    return result;
}

core::Result<Tensor> tensorOver(const BundledTensor& bundled) {
    // Tensor has no const data pointer; nothing writes to this memory.
    ET_ASSIGN(const Tensor tensor,
              Tensor::make(static_cast<ScalarType>(bundled.scalarType), bundled.sizes,
                           // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): see above
                           const_cast<std::byte*>(bundled.data.data()), bundled.dimOrder));
    if (tensor.bytes() != bundled.data.size()) {
        return core::fail(core::ErrorCode::Format,
                          fmt::format("expected {} bytes of data for {}, got {}", tensor.bytes(),
                                      describe(tensor), bundled.data.size()));
    }
    return tensor;
}

core::Result<> setInputs(executor::Method& method, const TestCase& testCase) {
    std::vector<executor::InputValue> inputs;
    for (const BundledValue& value : testCase.inputs) {
        inputs.push_back(std::visit(
            []<class T>(const T& content) -> executor::InputValue {
                if constexpr (std::is_same_v<T, BundledTensor>) {
                    return executor::TensorInput{.dtype = static_cast<ScalarType>(content.scalarType),
                                                 .sizes = content.sizes,
                                                 .dimOrder = content.dimOrder,
                                                 .data = content.data};
                } else {
                    return content;
                }
            },
            value));
    }
    return method.setInputs(inputs);
}

}  // namespace et::bundled_program

#include "bundled_program/top1.h"

#include "runtime/core/scalar_type.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace et::bundled_program::detail {
namespace {

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

}  // namespace

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

}  // namespace et::bundled_program::detail

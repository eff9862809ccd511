#include "runtime/kernels/gradient/operators.h"
#include "runtime/kernels/gradient/row_major.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace et::kernels::gradient {
namespace {

/// PyTorch's numbers of a loss's reduction.
enum class LossReduction : std::uint8_t { None, Mean, Sum };

Result<LossReduction> lossReduction(std::int64_t number) {
    if (number < 0 || number > 2) {
        return invalid(fmt::format("reduction: expected 0, 1 or 2, got {}", number));
    }
    return static_cast<LossReduction>(number);
}

Result<> mseLoss(KernelContext& context, const Tensor& self, const Tensor& target, std::int64_t number,
                 Tensor& out) {
    ET_ASSIGN(const LossReduction reduction, lossReduction(number));
    const auto square = [](double t, double x) { return (x - t) * (x - t); };
    if (reduction == LossReduction::None) {
        return mapElements(context, target, self, out, square);
    }
    ET_TRY(expectAlike(self, {&target}));
    ET_TRY(out.dtype() == self.dtype()
               ? out.resize(core::Sizes{})
               : invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(self.dtype()),
                                     core::scalarTypeName(out.dtype()))));
    return visitFloatingType(self.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* inputs, dense::rowMajor<T>(context, self));
        ET_ASSIGN(const T* targets, dense::rowMajor<T>(context, target));
        double sum = 0;
        for (std::int64_t i = 0; i < self.numel(); ++i) {
            sum += square(static_cast<double>(targets[i]), static_cast<double>(inputs[i]));
        }
        sum /= reduction == LossReduction::Mean ? static_cast<double>(self.numel()) : 1;
        return fillResult<T>(context, out, [sum](T* to) -> Result<> {
            *to = static_cast<T>(sum);
            return {};
        });
    });
}

Result<> mseLossBackward(KernelContext& context, const Tensor& gradient, const Tensor& self,
                         const Tensor& target, std::int64_t number, Tensor& out) {
    ET_ASSIGN(const LossReduction reduction, lossReduction(number));
    ET_TRY(expectAlike(self, {&target}));
    const bool isWhole = gradient.numel() == 1;
    if (gradient.dtype() != self.dtype() || (!isWhole && gradient.sizes() != self.sizes())) {
        return invalid(fmt::format("expected a gradient with one element or the sizes {}, got {}",
                                   core::sizesText(self.sizes()), core::sizesText(gradient.sizes())));
    }
    ET_TRY(resizeLike(out, self));
    const double factor = reduction == LossReduction::Mean ? 2 / static_cast<double>(self.numel()) : 2;
    return visitFloatingType(self.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* gradients, dense::rowMajor<T>(context, gradient));
        ET_ASSIGN(const T* inputs, dense::rowMajor<T>(context, self));
        ET_ASSIGN(const T* targets, dense::rowMajor<T>(context, target));
        return fillResult<T>(context, out, [&](T* results) -> Result<> {
            for (std::int64_t i = 0; i < self.numel(); ++i) {
                const double difference = static_cast<double>(inputs[i]) - static_cast<double>(targets[i]);
                results[i] =
                    static_cast<T>(factor * difference * static_cast<double>(gradients[isWhole ? 0 : i]));
            }
            return {};
        });
    });
}

/// Log-probabilities [rows, classes], a class for each row, and weights of the classes (null: 1).
struct Classes {
    const Tensor& input;
    const Tensor& target;
    const Tensor* weight = nullptr;
    std::int64_t ignored = -100;
    std::int64_t rows = 1;
    std::int64_t classes = 1;
    std::span<const std::int64_t> targets{};

    /// Checks sizes and classes. Errors: InvalidArgument.
    [[nodiscard]] Result<> read(KernelContext& context) {
        if (input.dim() == 0 || input.dim() > 2) {
            return invalid(fmt::format("expected an input of 1 or 2 dimensions, got {}",
                                       core::sizesText(input.sizes())));
        }
        rows = input.dim() == 2 ? input.sizes()[0] : 1;
        classes = input.sizes()[input.dim() - 1];
        const bool isOne = input.dim() == 1 && target.dim() <= 1 && target.numel() == 1;
        if (target.dtype() != ScalarType::Long ||
            !(isOne || (target.dim() == 1 && target.sizes()[0] == rows && input.dim() == 2))) {
            return invalid(fmt::format("expected {} int64 targets, got {} {}", rows,
                                       core::scalarTypeName(target.dtype()),
                                       core::sizesText(target.sizes())));
        }
        if (weight != nullptr && (weight->dtype() != input.dtype() || weight->numel() != classes)) {
            return invalid(fmt::format("expected {} weights, got {}", classes, weight->numel()));
        }
        ET_ASSIGN(const std::int64_t* numbers, dense::rowMajor<std::int64_t>(context, target));
        targets = std::span(numbers, static_cast<std::size_t>(rows));
        for (const std::int64_t each : targets) {
            if (each != ignored && (each < 0 || each >= classes)) {
                return invalid(fmt::format("expected targets from 0 to {}, got {}", classes - 1, each));
            }
        }
        return {};
    }

    /// The weight of a row's class; 0 if it is ignored.
    template <class T>
    [[nodiscard]] double weightOf(std::int64_t row, const T* weights) const {
        const std::int64_t each = targets[static_cast<std::size_t>(row)];
        if (each == ignored) {
            return 0;
        }
        return weights == nullptr ? 1 : static_cast<double>(weights[each]);
    }
    /// The element of a row's class, for a row that is not ignored.
    [[nodiscard]] std::int64_t elementOf(std::int64_t row) const {
        return row * classes + targets[static_cast<std::size_t>(row)];
    }
};

template <class T>
Result<const T*> elementsOrNull(KernelContext& context, const Tensor* tensor) {
    if (tensor == nullptr) {
        return nullptr;
    }
    return dense::rowMajor<T>(context, *tensor);
}

template <class T>
Result<> storeNumber(KernelContext& context, Tensor& out, double number) {
    return fillResult<T>(context, out, [number](T* to) -> Result<> {
        *to = static_cast<T>(number);
        return {};
    });
}

template <class T>
Result<> negativeLikelihood(KernelContext& context, const Classes& given, LossReduction reduction, bool byRow,
                            Tensor& out, Tensor& totalWeight) {
    ET_ASSIGN(const T* inputs, dense::rowMajor<T>(context, given.input));
    ET_ASSIGN(const T* weights, elementsOrNull<T>(context, given.weight));
    const auto lossOf = [&](std::int64_t row) {
        const double weight = given.weightOf(row, weights);
        const bool isIgnored = given.targets[static_cast<std::size_t>(row)] == given.ignored;
        return isIgnored ? 0 : -weight * static_cast<double>(inputs[given.elementOf(row)]);
    };
    if (byRow) {
        ET_TRY(fillResult<T>(context, out, [&](T* to) -> Result<> {
            for (std::int64_t row = 0; row < given.rows; ++row) {
                to[row] = static_cast<T>(lossOf(row));
            }
            return {};
        }));
        return storeNumber<T>(context, totalWeight, 0);
    }
    double sum = 0;
    double total = 0;
    for (std::int64_t row = 0; row < given.rows; ++row) {
        sum += lossOf(row);
        total += given.weightOf(row, weights);
    }
    if (reduction == LossReduction::Mean) {
        sum = total == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / total;
    }
    ET_TRY(storeNumber<T>(context, out, sum));
    return storeNumber<T>(context, totalWeight, total);
}

Result<> nllLossForward(KernelContext& context, const Tensor& self, const Tensor& target,
                        const Tensor* weight, std::int64_t number, std::int64_t ignored, Tensor& out,
                        Tensor& totalWeight) {
    ET_ASSIGN(const LossReduction reduction, lossReduction(number));
    Classes given{.input = self, .target = target, .weight = weight, .ignored = ignored};
    ET_TRY(given.read(context));
    const bool byRow = reduction == LossReduction::None && self.dim() == 2;
    ET_TRY(out.resize(byRow ? core::Sizes{given.rows} : core::Sizes{}));
    ET_TRY(totalWeight.resize(core::Sizes{}));
    if (out.dtype() != self.dtype() || totalWeight.dtype() != self.dtype()) {
        return invalid(fmt::format("expected results of {}", core::scalarTypeName(self.dtype())));
    }
    return visitFloatingType(self.dtype(), [&]<class T>(std::type_identity<T>) {
        return negativeLikelihood<T>(context, given, reduction, byRow, out, totalWeight);
    });
}

Result<> nllLossBackward(KernelContext& context, const Tensor& gradient, const Tensor& self,
                         const Tensor& target, const Tensor* weight, std::int64_t number,
                         std::int64_t ignored, const Tensor& totalWeight, Tensor& out) {
    ET_ASSIGN(const LossReduction reduction, lossReduction(number));
    Classes given{.input = self, .target = target, .weight = weight, .ignored = ignored};
    ET_TRY(given.read(context));
    const bool byRow = reduction == LossReduction::None && self.dim() == 2;
    if (gradient.dtype() != self.dtype() || totalWeight.dtype() != self.dtype() ||
        gradient.numel() != (byRow ? given.rows : 1) || totalWeight.numel() != 1) {
        return invalid(
            fmt::format("expected a gradient with {} elements and a total weight of {}, got {} and {}",
                        byRow ? given.rows : 1, core::scalarTypeName(self.dtype()),
                        core::sizesText(gradient.sizes()), core::sizesText(totalWeight.sizes())));
    }
    ET_TRY(resizeLike(out, self));
    return visitFloatingType(self.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* gradients, dense::rowMajor<T>(context, gradient));
        ET_ASSIGN(const T* total, dense::rowMajor<T>(context, totalWeight));
        ET_ASSIGN(const T* weights, elementsOrNull<T>(context, given.weight));
        const double divisor = reduction == LossReduction::Mean ? static_cast<double>(*total) : 1;
        return fillResult<T>(context, out, [&](T* results) -> Result<> {
            std::fill_n(results, out.numel(), T{});
            for (std::int64_t row = 0; row < given.rows; ++row) {
                if (given.targets[static_cast<std::size_t>(row)] != ignored) {
                    const auto g = static_cast<double>(gradients[byRow ? row : 0]);
                    results[given.elementOf(row)] =
                        static_cast<T>(-given.weightOf(row, weights) * g / divisor);
                }
            }
            return {};
        });
    });
}

constexpr std::array lossKernels{
    KernelEntry{"aten::mse_loss.out", box<&mseLoss>},
    KernelEntry{"aten::mse_loss_backward.grad_input", box<&mseLossBackward>},
    KernelEntry{"aten::nll_loss_forward.output", box<&nllLossForward>},
    KernelEntry{"aten::nll_loss_backward.grad_input", box<&nllLossBackward>},
};

}  // namespace

std::span<const KernelEntry> lossEntries() {
    return lossKernels;
}

}  // namespace et::kernels::gradient

#include "app/tasks/train/gradient_check.h"

#include "app/tasks/train/train_run.h"
#include "runtime/core/scalar_type.h"
#include "runtime/kernels/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using core::ScalarType;

/// Distance between 1 and the next number.
double epsilonOf(ScalarType dtype) {
    switch (dtype) {
        case ScalarType::Double:
            return std::ldexp(1.0, -52);
        case ScalarType::Half:
            return std::ldexp(1.0, -10);
        case ScalarType::BFloat16:
            return std::ldexp(1.0, -7);
        default:
            return std::ldexp(1.0, -23);
    }
}

/// One element of a parameter, converted from and to its dtype.
class ElementOf {
  public:
    ElementOf(core::Tensor& tensor, std::size_t index)
        : load(kernels::elementLoader<double>(tensor.dtype())),
          store(kernels::elementStorer<double>(tensor.dtype())),
          memory(tensor.raw() + (index * tensor.elementSize())) {}

    [[nodiscard]] double get() const {
        double number = 0;
        load(memory, 1, &number, 1);
        return number;
    }
    void set(double number) const { store(&number, memory, 1, 1); }

  private:
    kernels::LoadElements<double> load;
    kernels::StoreElements<double> store;
    std::byte* memory;
};

double elementAt(const core::Tensor& tensor, std::size_t index) {
    double number = 0;
    kernels::elementLoader<double>(tensor.dtype())(tensor.raw() + (index * tensor.elementSize()), 1, &number,
                                                   1);
    return number;
}

/// Root mean square.
double magnitudeOf(const core::Tensor& tensor) {
    double squares = 0;
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        const double number = elementAt(tensor, static_cast<std::size_t>(i));
        squares += number * number;
    }
    return std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(1, tensor.numel())));
}

/// Elements at even distances, and the one with the largest gradient.
std::vector<std::size_t> chosenElements(const std::vector<double>& gradient, std::size_t most) {
    std::vector<std::size_t> chosen;
    const std::size_t count = std::min(most, gradient.size());
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(i * gradient.size() / count);
    }
    const auto largest =
        std::ranges::max_element(gradient, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const auto at = static_cast<std::size_t>(largest - gradient.begin());
    if (!gradient.empty() && !std::ranges::contains(chosen, at)) {
        chosen.back() = at;
    }
    return chosen;
}

/// Estimates elements of the gradients of one loaded program with fixed inputs.
class GradientChecker {
  public:
    GradientChecker(TrainingModel& trained, const InputSet& given, const GradientCheckSettings& how)
        : opened(trained), inputs(given), settings(how) {}

    Result<GradientCheck> run(ProgressReporter& watch) {
        const program::Method& method = *opened.training.method;
        GradientCheck check{.method = std::string(method.name)};
        ET_ASSIGN(check.loss, lossNow());
        loss = check.loss;
        ET_ASSIGN(const double again, lossNow());
        check.tolerance = tolerance();
        if (check.loss != again || !std::isfinite(again)) {
            check.problem = std::isfinite(again)
                                ? fmt::format(
                                      "the loss differs between two executions on the same inputs, {} and "
                                      "{}: the program draws random numbers or keeps state",
                                      check.loss, again)
                                : fmt::format("the loss is {}", again);
            return check;
        }
        ET_ASSIGN(const std::vector<std::vector<double>> gradients, readGradients());
        watch.begin("check gradients", opened.parameters.size());
        for (std::size_t i = 0; i < opened.parameters.size(); ++i) {
            ET_ASSIGN(ParameterCheck made, checkParameter(i, gradients[i]));
            check.parameters.push_back(std::move(made));
            watch.step();
        }
        return check;
    }

  private:
    Result<double> lossNow() {
        ET_TRY(opened.model->execute(inputs));
        return lossOf(opened);
    }

    /// Copies the gradients of the last execution; later ones overwrite them.
    [[nodiscard]] Result<std::vector<std::vector<double>>> readGradients() const {
        std::vector<std::vector<double>> all;
        for (std::size_t i = 0; i < opened.parameters.size(); ++i) {
            const program::TrainedParameter& each = opened.training.parameters[i];
            const auto* const tensor = opened.model->method->output(each.gradient).as<core::Tensor>();
            const core::Tensor& parameter = *opened.parameters[i];
            if (tensor == nullptr || tensor->dtype() != parameter.dtype() ||
                tensor->sizes() != parameter.sizes() || !tensor->sameLayout(parameter)) {
                return core::fail(
                    core::ErrorCode::Unsupported,
                    fmt::format("gradient of \"{}\": expected the sizes and the dim order of the "
                                "parameter",
                                core::printable(each.name)));
            }
            std::vector<double>& numbers = all.emplace_back();
            for (std::int64_t at = 0; at < tensor->numel(); ++at) {
                numbers.push_back(elementAt(*tensor, static_cast<std::size_t>(at)));
            }
        }
        return all;
    }

    [[nodiscard]] double tolerance() const {
        constexpr double usual = 0.01;
        constexpr double ofShortTypes = 0.1;
        return settings.tolerance.value_or(epsilon() > std::ldexp(1.0, -20) ? ofShortTypes : usual);
    }

    /// Of the least precise dtype.
    [[nodiscard]] double epsilon() const {
        double largest =
            epsilonOf(static_cast<ScalarType>(opened.training.tensorOf(*opened.training.loss).scalarType));
        for (const core::Tensor* const each : opened.parameters) {
            largest = std::max(largest, epsilonOf(each->dtype()));
        }
        return largest;
    }

    Result<ParameterCheck> checkParameter(std::size_t at, const std::vector<double>& gradient) {
        core::Tensor& parameter = *opened.parameters[at];
        ParameterCheck check{.name = std::string(opened.training.parameters[at].name),
                             .type = fmt::format("{} {}", core::scalarTypeName(parameter.dtype()),
                                                 core::sizesText(parameter.sizes()))};
        const double magnitude = magnitudeOf(parameter);
        double worst = -1;
        for (const std::size_t index : chosenElements(gradient, settings.elements)) {
            ET_ASSIGN(const GradientElement made, estimate(parameter, index, magnitude, gradient[index]));
            ++check.checked;
            const double size = std::max(std::abs(made.gradient), std::abs(made.difference));
            const bool isUnsure = made.allowed > std::max(size / 2, 2 * tolerance() * size) && size > 0;
            check.failed += made.error() > made.allowed ? 1 : 0;
            check.unsure += isUnsure && made.error() <= made.allowed ? 1 : 0;
            const double relative = made.allowed > 0 ? made.error() / made.allowed : made.error();
            if (relative > worst) {
                worst = relative;
                check.worst = made;
            }
        }
        return check;
    }

    Result<GradientElement> estimate(core::Tensor& parameter, std::size_t index, double magnitude,
                                     double gradient) {
        const ElementOf element(parameter, index);
        const double value = element.get();
        // Balances the rounding of the loss with the error of the formula.
        constexpr double leastMagnitude = 1e-3;
        const double step = std::cbrt(epsilon()) * std::max({std::abs(value), magnitude, leastMagnitude});
        auto near = slope(element, value, step);
        auto far = near ? slope(element, value, 2 * step) : near;
        element.set(value);
        ET_TRY(near);
        ET_TRY(far);
        constexpr double roundings = 8;
        const double noise = roundings * epsilon() * std::abs(loss) / step;
        const double difference = (4 * *near - *far) / 3;  // Richardson's extrapolation
        return GradientElement{.index = index,
                               .gradient = gradient,
                               .difference = difference,
                               .allowed = (tolerance() * std::max(std::abs(gradient), std::abs(difference))) +
                                          noise + std::abs(*near - *far)};
    }

    /// Central difference with the distance of the stored values.
    Result<double> slope(const ElementOf& element, double value, double step) {
        element.set(value + step);
        const double above = element.get();
        ET_ASSIGN(const double aboveLoss, lossNow());
        element.set(value - step);
        const double below = element.get();
        ET_ASSIGN(const double belowLoss, lossNow());
        return (aboveLoss - belowLoss) / (above - below);
    }

    TrainingModel& opened;
    const InputSet& inputs;
    const GradientCheckSettings& settings;
    double loss = 0;
};

}  // namespace

double GradientElement::error() const {
    return std::abs(gradient - difference);
}

bool GradientCheck::passed() const {
    return problem.empty() &&
           std::ranges::all_of(parameters, [](const ParameterCheck& each) { return each.failed == 0; });
}

Result<GradientCheck> checkGradients(const GradientCheckSettings& settings, ProgressReporter& watch,
                                     const std::function<void(std::string_view)>& note) {
    ET_ASSIGN(TrainingModel opened, openTraining(settings.program, settings.model));
    for (const core::Tensor* const each : opened.parameters) {
        if (!core::isFloating(each->dtype())) {
            return core::fail(core::ErrorCode::Unsupported,
                              fmt::format("expected floating-point parameters, got {}",
                                          core::scalarTypeName(each->dtype())));
        }
    }
    ET_ASSIGN(const InputSet inputs, opened.model->inputs(settings.model, note));
    return GradientChecker(opened, inputs, settings).run(watch);
}

}  // namespace et::tasks

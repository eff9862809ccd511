#include "app/tasks/train/optimizer.h"

#include "runtime/core/scalar_type.h"
#include "runtime/kernels/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::size_t blockElements = 512;

}  // namespace

std::string_view optimizerName(OptimizerKind kind) {
    constexpr std::array<std::string_view, 3> names{"sgd", "adam", "adamw"};
    return names[static_cast<std::size_t>(kind)];
}

double usualLearningRate(OptimizerKind kind) {
    return kind == OptimizerKind::Sgd ? 0.01 : 0.001;
}

double Optimizer::sgd(double parameter, double gradient, State& state, std::size_t at, bool isFirst) const {
    const auto rounded = [this](double number) {
        return isDouble ? number : static_cast<double>(static_cast<float>(number));
    };
    double direction = gradient;
    if (settings.weightDecay != 0) {
        direction = rounded(direction + (parameter * settings.weightDecay));
    }
    if (settings.momentum != 0) {
        double& average = state.first[at];
        average =
            isFirst ? direction
                    : rounded(rounded(average * settings.momentum) + (direction * (1 - settings.dampening)));
        direction = settings.nesterov ? rounded(direction + (average * settings.momentum)) : average;
    }
    return parameter - (direction * settings.learningRate);
}

double Optimizer::adam(double parameter, double gradient, State& state, std::size_t at) const {
    if (settings.kind == OptimizerKind::AdamW) {
        parameter *= 1 - (settings.learningRate * settings.weightDecay);
    } else {
        gradient += parameter * settings.weightDecay;
    }
    double& first = state.first[at];
    double& second = state.second[at];
    first = (settings.beta1 * first) + ((1 - settings.beta1) * gradient);
    second = (settings.beta2 * second) + ((1 - settings.beta2) * gradient * gradient);
    const auto steps = static_cast<double>(step);
    const double mean = first / (1 - std::pow(settings.beta1, steps));
    const double square = second / (1 - std::pow(settings.beta2, steps));
    return parameter - (settings.learningRate * mean / (std::sqrt(square) + settings.epsilon));
}

Result<double> Optimizer::update(std::size_t index, core::Tensor& parameter, const core::Tensor& gradient) {
    const auto load = kernels::elementLoader<double>(parameter.dtype());
    const auto store = kernels::elementStorer<double>(parameter.dtype());
    if (load == nullptr || store == nullptr || !core::isFloating(parameter.dtype())) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("expected a floating-point parameter, got {}",
                                      core::scalarTypeName(parameter.dtype())));
    }
    if (gradient.dtype() != parameter.dtype() || gradient.sizes() != parameter.sizes() ||
        !gradient.sameLayout(parameter)) {
        return core::fail(
            core::ErrorCode::Unsupported,
            fmt::format("expected a gradient with the dtype, sizes and dim order of its "
                        "parameter, {} {}, got {} {}",
                        core::scalarTypeName(parameter.dtype()), core::sizesText(parameter.sizes()),
                        core::scalarTypeName(gradient.dtype()), core::sizesText(gradient.sizes())));
    }
    isDouble = parameter.dtype() == core::ScalarType::Double;
    states.resize(std::max(states.size(), index + 1));
    State& state = states[index];
    const auto count = static_cast<std::size_t>(parameter.numel());
    const bool isFirst = state.first.empty();
    const bool isSgd = settings.kind == OptimizerKind::Sgd;
    state.first.resize(isSgd && settings.momentum == 0 ? 0 : count);
    state.second.resize(isSgd ? 0 : count);
    std::array<double, blockElements> numbers{};
    std::array<double, blockElements> gradients{};
    double squares = 0;
    for (std::size_t at = 0; at < count; at += blockElements) {
        const std::size_t block = std::min(blockElements, count - at);
        std::byte* const memory = parameter.raw() + (at * parameter.elementSize());
        load(memory, 1, numbers.data(), block);
        load(gradient.raw() + (at * gradient.elementSize()), 1, gradients.data(), block);
        for (std::size_t i = 0; i < block; ++i) {
            squares += gradients[i] * gradients[i];
            numbers[i] = isSgd ? sgd(numbers[i], gradients[i], state, at + i, isFirst)
                               : adam(numbers[i], gradients[i], state, at + i);
        }
        store(numbers.data(), memory, 1, block);
    }
    return squares;
}

}  // namespace et::tasks

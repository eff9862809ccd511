#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace et::tasks {

enum class OptimizerKind : std::uint8_t { Sgd, Adam, AdamW };
/// "sgd", "adam", "adamw".
[[nodiscard]] std::string_view optimizerName(OptimizerKind kind);
/// 0.01 for SGD, 0.001 for the others, as in PyTorch.
[[nodiscard]] double usualLearningRate(OptimizerKind kind);

/// Named as in torch.optim.
struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::Sgd;
    double learningRate = 0.01;
    double weightDecay = 0;
    // SGD.
    double momentum = 0;
    double dampening = 0;
    bool nesterov = false;
    // Adam and AdamW.
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
};

/// Updates parameters from their gradients. SGD computes what ExecuTorch's optimizer computes: each operation
/// in double precision, rounded to the parameter's dtype. Adam and AdamW are those of torch.optim.
class Optimizer {
  public:
    explicit Optimizer(const OptimizerSettings& how) : settings(how) {}

    /// Call before the updates of each step.
    void beginStep() { ++step; }
    /// Updates parameter number `index`. Returns the sum of the squares of the gradient. Errors: Unsupported
    /// (a dtype that is no floating-point one; tensors with different dim orders).
    [[nodiscard]] core::Result<double> update(std::size_t index, core::Tensor& parameter,
                                              const core::Tensor& gradient);

  private:
    /// Moving averages of one parameter, one number per element; empty before its first update.
    struct State {
        std::vector<double> first;   ///< momentum
        std::vector<double> second;  ///< of squares
    };

    [[nodiscard]] double sgd(double parameter, double gradient, State& state, std::size_t at,
                             bool isFirst) const;
    [[nodiscard]] double adam(double parameter, double gradient, State& state, std::size_t at) const;

    OptimizerSettings settings;
    std::size_t step = 0;
    bool isDouble = false;  ///< dtype of the current parameter
    std::vector<State> states;
};

}  // namespace et::tasks

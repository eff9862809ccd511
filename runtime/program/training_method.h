#pragma once

#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::program {

/// A parameter and its gradient: outputs of the same method, as indices into Method::outputs.
struct TrainedParameter {
    std::string_view name;  ///< fully qualified: "layer1.weight"
    std::size_t gradient = 0;
    std::size_t parameter = 0;
};

enum class TrainingRole : std::uint8_t { Loss, Gradient, Parameter };

/// The outputs of a method that computes a loss and its gradients: user outputs, then gradients, then the
/// parameters themselves, as three constant methods of the program declare
/// (`__et_training_gradients_index_NAME`, `__et_training_parameters_index_NAME`, `__et_training_fqn_NAME`).
/// Gradients and parameters are in the same order, that of the names.
struct TrainingMethod {
    const Method* method = nullptr;
    std::size_t userOutputs = 0;        ///< number of outputs before the gradients
    std::optional<std::size_t> loss{};  ///< the first user output with one floating-point element
    std::vector<TrainedParameter> parameters{};

    /// The value of an output; `output` must be in range.
    [[nodiscard]] ValueId valueOf(std::size_t output) const { return method->outputs[output]; }
    /// The tensor of a gradient or parameter.
    [[nodiscard]] const TensorInfo& tensorOf(std::size_t output) const;

    /// The role of a value and, for gradients and parameters, their name.
    struct ValueRole {
        ValueId value;
        TrainingRole role = TrainingRole::Loss;
        std::string_view name;
    };
    /// Of the loss, all gradients and all parameters.
    [[nodiscard]] std::vector<ValueRole> roles() const;
};

/// "loss", "gradient of layer1.weight", "parameter layer1.weight".
[[nodiscard]] std::string roleText(const TrainingMethod::ValueRole& role);

/// Whether a constant method declares the outputs of another.
[[nodiscard]] bool isTrainingDeclaration(const Method& method);

/// Nothing if no constant method refers to `method`, or if the program has more than 4096 methods. `program`
/// must outlive the result. Errors: Format (a constant method is missing, has another type, or declares
/// outputs that the method does not have, that overlap, or whose sizes differ; the message names it).
[[nodiscard]] core::Result<std::optional<TrainingMethod>> trainingMethod(const Program& program,
                                                                         const Method& method);

/// All training methods of a program.
struct TrainingMethods {
    std::vector<TrainingMethod> methods;
    std::vector<core::Error> problems;  ///< of invalid declarations
};
[[nodiscard]] TrainingMethods trainingMethods(const Program& program);

}  // namespace et::program

#include "runtime/program/training_method.h"

#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"
#include "runtime/program/constant_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace et::program {
namespace {

using core::Result;

constexpr std::string_view gradientsPrefix = "__et_training_gradients_index_";
constexpr std::string_view parametersPrefix = "__et_training_parameters_index_";
constexpr std::string_view namesPrefix = "__et_training_fqn_";
constexpr std::array trainingPrefixes{gradientsPrefix, parametersPrefix, namesPrefix};

/// Methods are searched by name for each method; hostile programs have many.
constexpr std::size_t maxMethods = 4096;

std::unexpected<core::Error> badDeclaration(const Program& program, const std::string& declaration,
                                            std::string message) {
    return core::fail(core::ErrorCode::Format, std::move(message),
                      {.file = program.file == nullptr ? std::string() : program.file->name(),
                       .field = core::printable(declaration),
                       .offset = {}});
}

bool isReal(std::int8_t scalarType) {
    return core::scalarKind(static_cast<core::ScalarType>(scalarType)) == core::ScalarKind::Float;
}

std::string tensorText(const TensorInfo& tensor) {
    return fmt::format("{} {}", core::scalarTypeName(tensor.scalarType), core::sizesText(tensor.sizes));
}

/// Reads the three constant methods of one method.
class TrainingReader {
  public:
    TrainingReader(const Program& in, const Method& of) : program(in), method(of) {}

    [[nodiscard]] bool isDeclared() const {
        return program.methods.size() <= maxMethods &&
               std::ranges::any_of(trainingPrefixes, [this](std::string_view prefix) {
                   return program.findMethod(named(prefix)) != nullptr;
               });
    }

    Result<TrainingMethod> read() {
        ET_ASSIGN(const std::size_t gradients, readIndex(gradientsPrefix));
        ET_ASSIGN(const std::size_t parameters, readIndex(parametersPrefix));
        ET_ASSIGN(const Method* const names, declaration(namesPrefix));
        ET_TRY(checkCounts(gradients, parameters, names->outputs.size()));
        TrainingMethod made{.method = &method, .userOutputs = gradients};
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < names->outputs.size(); ++i) {
            const auto* const name = names->value(names->outputs[i]).as<std::string_view>();
            if (name == nullptr || name->empty() || !seen.insert(*name).second) {
                return badDeclaration(
                    program, named(namesPrefix),
                    fmt::format("expected different names, got {} as output {}",
                                name == nullptr ? "no text" : fmt::format("\"{}\"", core::printable(*name)),
                                i));
            }
            made.parameters.push_back(
                {.name = *name, .gradient = gradients + i, .parameter = parameters + i});
            ET_TRY(checkPair(made.parameters.back()));
        }
        made.loss = findLoss(gradients);
        return made;
    }

  private:
    [[nodiscard]] std::string named(std::string_view prefix) const {
        return fmt::format("{}{}", prefix, method.name);
    }

    Result<const Method*> declaration(std::string_view prefix) const {
        const Method* const found = program.findMethod(named(prefix));
        if (found == nullptr || !isConstantMethod(*found)) {
            return badDeclaration(
                program, named(prefix),
                found == nullptr
                    ? "expected this method, because the program has others that declare gradients"
                    : "expected a method without inputs and instructions");
        }
        return found;
    }

    Result<std::size_t> readIndex(std::string_view prefix) const {
        ET_ASSIGN(const Method* const found, declaration(prefix));
        const auto* const index = found->value(found->outputs.front()).as<std::int64_t>();
        if (index == nullptr) {
            return badDeclaration(
                program, named(prefix),
                fmt::format("expected an Int, got {}", valueTypeName(found->value(found->outputs.front()))));
        }
        if (*index < 0 || std::cmp_greater(*index, method.outputs.size())) {
            return badDeclaration(
                program, named(prefix),
                fmt::format("expected an index of the {} outputs, got {}", method.outputs.size(), *index));
        }
        return static_cast<std::size_t>(*index);
    }

    Result<> checkCounts(std::size_t gradients, std::size_t parameters, std::size_t names) const {
        if (parameters < gradients) {
            return badDeclaration(
                program, named(parametersPrefix),
                fmt::format("expected the parameters behind the gradients, which begin at {}, "
                            "got {}",
                            gradients, parameters));
        }
        const std::size_t count = parameters - gradients;
        if (count != names || method.outputs.size() - parameters != names) {
            return badDeclaration(program, named(namesPrefix),
                                  fmt::format("expected as many names as gradients and parameters, got {} "
                                              "names, {} gradients and {} parameters",
                                              names, count, method.outputs.size() - parameters));
        }
        return {};
    }

    [[nodiscard]] const TensorInfo* outputTensor(std::size_t output) const {
        return method.value(method.outputs[output]).as<TensorInfo>();
    }

    Result<> checkPair(const TrainedParameter& pair) const {
        const TensorInfo* const gradient = outputTensor(pair.gradient);
        const TensorInfo* const parameter = outputTensor(pair.parameter);
        if (gradient == nullptr || parameter == nullptr) {
            return badDeclaration(
                program, std::string(method.name),
                fmt::format("expected tensors as outputs {} and {}, gradient and parameter \"{}\"",
                            pair.gradient, pair.parameter, core::printable(pair.name)));
        }
        if (gradient->sizes != parameter->sizes || gradient->scalarType != parameter->scalarType) {
            return badDeclaration(
                program, std::string(method.name),
                fmt::format("\"{}\": expected a gradient like the parameter, {}, got {}",
                            core::printable(pair.name), tensorText(*parameter), tensorText(*gradient)));
        }
        return {};
    }

    [[nodiscard]] std::optional<std::size_t> findLoss(std::size_t userOutputs) const {
        for (std::size_t i = 0; i < userOutputs; ++i) {
            const TensorInfo* const tensor = outputTensor(i);
            if (tensor != nullptr && isReal(tensor->scalarType) &&
                std::ranges::all_of(tensor->sizes, [](std::int64_t size) { return size == 1; })) {
                return i;
            }
        }
        return std::nullopt;
    }

    const Program& program;
    const Method& method;
};

}  // namespace

const TensorInfo& TrainingMethod::tensorOf(std::size_t output) const {
    return *method->value(valueOf(output)).as<TensorInfo>();
}

std::vector<TrainingMethod::ValueRole> TrainingMethod::roles() const {
    std::vector<ValueRole> found;
    if (loss) {
        found.push_back({.value = valueOf(*loss), .role = TrainingRole::Loss, .name = {}});
    }
    for (const TrainedParameter& each : parameters) {
        found.push_back({.value = valueOf(each.gradient), .role = TrainingRole::Gradient, .name = each.name});
        found.push_back(
            {.value = valueOf(each.parameter), .role = TrainingRole::Parameter, .name = each.name});
    }
    return found;
}

std::string roleText(const TrainingMethod::ValueRole& role) {
    switch (role.role) {
        case TrainingRole::Loss:
            return "loss";
        case TrainingRole::Gradient:
            return fmt::format("gradient of {}", role.name);
        case TrainingRole::Parameter:
            return fmt::format("parameter {}", role.name);
    }
    return {};
}

bool isTrainingDeclaration(const Method& method) {
    return std::ranges::any_of(trainingPrefixes,
                               [&](std::string_view prefix) { return method.name.starts_with(prefix); });
}

Result<std::optional<TrainingMethod>> trainingMethod(const Program& program, const Method& method) {
    TrainingReader reader(program, method);
    if (!reader.isDeclared()) {
        return std::nullopt;
    }
    return reader.read();
}

TrainingMethods trainingMethods(const Program& program) {
    TrainingMethods found;
    if (program.methods.size() > maxMethods) {
        return found;
    }
    for (const Method& method : program.methods) {
        if (auto one = trainingMethod(program, method); !one) {
            found.problems.push_back(std::move(one).error());
        } else if (*one) {
            found.methods.push_back(**std::move(one));
        }
    }
    for (const Method& method : program.methods) {
        for (const std::string_view prefix : trainingPrefixes) {
            if (method.name.starts_with(prefix) &&
                program.findMethod(method.name.substr(prefix.size())) == nullptr) {
                found.problems.push_back(badDeclaration(program, std::string(method.name),
                                                        "the method whose outputs it declares does not exist")
                                             .error());
            }
        }
    }
    return found;
}

}  // namespace et::program

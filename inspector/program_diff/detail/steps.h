#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Methods and the graphs inside of delegates in one form, in which they can be compared.
namespace et::inspector::detail {

/// Elements that a program comes with.
struct ConstantData {
    std::string name{};   ///< its own; often empty
    std::string dtype{};  ///< "float32", or a backend's own word
    core::Bytes bytes{};  ///< empty where they are missing
    bool known = true;    ///< the bytes are missing
};

/// What a step reads, or what a method gives back.
struct Operand {
    enum class Kind : std::uint8_t {
        Literal,   ///< a number, text, list or None: `text` says all
        Unset,     ///< a value that nothing has written before
        Input,     ///< `index` is that of the input
        Constant,  ///< `constant` has the data
        State,     ///< mutable memory with or without a first value
        Step,      ///< what step `index` wrote as its output `output`
        Target,    ///< where a jump goes: step `index`, or the end
    };

    Kind kind = Kind::Unset;
    std::size_t argument = 0;  ///< position among the arguments of the step
    std::size_t item = 0;      ///< in a list
    bool inList = false;
    std::size_t index = 0;
    std::size_t output = 0;
    std::string text{};                              ///< of a literal; the type of all others
    std::vector<core::GraphAttribute> attributes{};  ///< of a constant: its quantization
    ConstantData constant{};
};

/// A value that a step writes.
struct StepResult {
    std::string type{};  ///< "float32 [2, 3]"
    std::vector<core::GraphAttribute> attributes{};
};

/// An instruction, or a node inside of a delegate.
struct Step {
    std::string kind{};  ///< only steps of the same kind are ever the same
    std::size_t chain = 0;
    std::size_t number = 0;  ///< in its chain, or of the node
    std::vector<Operand> operands{};
    std::vector<StepResult> results{};
    std::vector<core::GraphAttribute> attributes{};
    std::optional<std::size_t> delegate{};  ///< number of the delegate that it calls
    std::vector<std::string> inside{};      ///< kinds of its nodes, sorted; empty: not known
    std::string_view inputNames{};          ///< as core::GraphNode has them
};

struct StepList {
    std::vector<Step> steps{};
    std::vector<Operand> outputs{};  ///< of the method; a graph inside of a delegate has none
};

/// The instructions of a method, chain after chain. What an instruction writes is what its last argument
/// says, as ExecuTorch's emitter puts results there; what a delegate writes are the arguments at the end that
/// nothing has written before. Errors: Limit (arguments and list items beyond all measure).
[[nodiscard]] core::Result<StepList> stepsOf(
    const program::Method& method, std::span<const std::shared_ptr<const program::TensorData>> tensorData);

/// The nodes of a graph. Constants borrow from what the graph was made of.
[[nodiscard]] StepList stepsOf(const core::ModelGraph& graph);

}  // namespace et::inspector::detail

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

// Common representation of methods and graphs inside delegates for comparison.
namespace et::inspector::program_diff::detail {

/// Contents of a constant.
struct ConstantData {
    std::string name{};   ///< its own name; often empty
    std::string dtype{};  ///< "float32", or a backend's own name
    core::Bytes bytes{};  ///< empty if missing
    bool known = true;    ///< false if the bytes are missing
};

/// An input of a step, or an output of a method.
struct Operand {
    enum class Kind : std::uint8_t {
        Literal,   ///< a number, text, list or None, given completely by `text`
        Unset,     ///< a value not yet written
        Input,     ///< input number `index`
        Constant,  ///< data in `constant`
        State,     ///< mutable memory, with or without an initial value
        Step,      ///< output number `output` of step `index`
        Target,    ///< target of a jump: step `index`, or the end
    };

    Kind kind = Kind::Unset;
    std::size_t argument = 0;  ///< position among the arguments of the step
    std::size_t item = 0;      ///< index in a list
    bool inList = false;
    std::size_t index = 0;
    std::size_t output = 0;
    std::string text{};                              ///< for a literal its text; otherwise its type
    std::vector<core::GraphAttribute> attributes{};  ///< for a constant: its quantization
    ConstantData constant{};
};

/// A value that a step writes.
struct StepResult {
    std::string type{};  ///< "float32 [2, 3]"
    std::vector<core::GraphAttribute> attributes{};
};

/// An instruction, or a node inside a delegate.
struct Step {
    std::string kind{};  ///< only steps of the same kind can match
    std::size_t chain = 0;
    std::size_t number = 0;  ///< index in its chain, or of the node
    std::vector<Operand> operands{};
    std::vector<StepResult> results{};
    std::vector<core::GraphAttribute> attributes{};
    std::optional<std::size_t> delegate{};  ///< index of the delegate that it calls
    std::vector<std::string> inside{};      ///< kinds of the delegate's nodes, sorted; empty: unknown
    std::string_view inputNames{};          ///< as in core::GraphNode
};

struct StepList {
    std::vector<Step> steps{};
    std::vector<Operand> outputs{};  ///< of the method; empty for a graph inside a delegate
};

/// Converts the instructions of a method, chain after chain. The results of an instruction are in its last
/// argument, as emitted by ExecuTorch; the results of a delegate are its last arguments that have not been
/// written before. Errors: Limit (excessive numbers of arguments and list items).
[[nodiscard]] core::Result<StepList> stepsOf(
    const program::Method& method, std::span<const std::shared_ptr<const program::TensorData>> tensorData);

/// Converts the nodes of a graph. Constants borrow from the graph's source data.
[[nodiscard]] StepList stepsOf(const core::ModelGraph& graph);

}  // namespace et::inspector::program_diff::detail

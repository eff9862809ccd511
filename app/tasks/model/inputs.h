#pragma once

#include "bundled_program/bundle.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// The inputs of an execution, with their memory.
struct InputSet {
    std::vector<executor::InputValue> values;
    std::vector<std::string> sources;  ///< source of each: "x.npy", "random", "case 0"
    std::deque<inspector::HostTensor> owned;
    std::string bundle;  ///< file with the inputs; empty: the command line

    /// Sets all inputs of the method. Errors: InvalidArgument (reports which input, expected and given),
    /// Format (the bundle's inputs are wrong).
    [[nodiscard]] core::Result<> give(executor::Method& method) const;
};

/// A keyword that --input accepts, for the help: "random", and its meaning.
struct InputChoice {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::span<const InputChoice> inputChoices();

/// Parses sizes such as "1x17"; "" is a tensor without dimensions. Nothing for other text.
[[nodiscard]] std::optional<std::vector<std::int64_t>> sizesOf(std::string_view text);
/// "1x17".
[[nodiscard]] std::string sizesWord(std::span<const std::int64_t> sizes);

/// Makes inputs from --input values, each VALUE for the next input. A file of several tensors (.npz, torch
/// archive) provides several: by name if the program names all its inputs and the file has these names, else
/// by position. Errors: those of the files; InvalidArgument (the number differs from the method's
/// inputs, a keyword that an input does not support); Limit (more than `maxBytes`).
[[nodiscard]] core::Result<InputSet> makeInputs(const program::Method& method,
                                                std::span<const std::string> values, std::uint64_t seed,
                                                std::uint64_t maxBytes);
/// Makes expected values for the outputs of a method in the same way.
[[nodiscard]] core::Result<InputSet> makeOutputs(const program::Method& method,
                                                 std::span<const std::string> values, std::uint64_t maxBytes);

/// Inputs of a case; borrows from the bundle. Errors: NotFound (no such case).
[[nodiscard]] core::Result<InputSet> bundledInputs(const bundled_program::Bundle& bundle,
                                                   std::string_view method, std::size_t testCase);

/// Inputs of all cases of a method, at most `most`; none without a bundle or a case for the method.
[[nodiscard]] core::Result<std::deque<InputSet>> caseInputs(const bundled_program::Bundle* bundle,
                                                            std::string_view method, std::size_t most);

/// Makes random values for all inputs. Errors: those of makeInputs().
[[nodiscard]] core::Result<InputSet> randomInputs(const program::Method& method, std::uint64_t seed,
                                                  std::uint64_t maxBytes);

/// "float32 [2, 3]", or the kind of a value that is not a tensor.
[[nodiscard]] std::string describe(const program::Value& value);
/// "x: float32 [2, 3], y: int64 [2]"; tensors without a name only by type.
[[nodiscard]] std::string describe(std::span<const inspector::HostTensor> tensors);

}  // namespace et::tasks

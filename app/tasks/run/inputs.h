#pragma once

#include "bundled_program/bundle.h"
#include "inspector/tensors/host_tensor.h"
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

namespace et::app {

/// The inputs of an execution, with their memory.
struct InputSet {
    std::vector<executor::InputValue> values;
    std::vector<std::string> sources;  ///< where each comes from: "x.npy", "random", "case 0"
    std::deque<inspector::HostTensor> owned;
    std::string bundle;  ///< the file that they come from; empty: the command line

    /// Gives all of them to the method. Errors: InvalidArgument (says which, expected and given), Format (the
    /// bundle's are wrong).
    [[nodiscard]] core::Result<> give(executor::Method& method) const;
};

/// What one --input can say, for help: "random", and what it means.
struct InputChoice {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::span<const InputChoice> inputChoices();

/// The sizes of "1x17"; none for "", which is a tensor without dimensions. Nothing for anything else.
[[nodiscard]] std::optional<std::vector<std::int64_t>> sizesOf(std::string_view text);
/// "1x17".
[[nodiscard]] std::string sizesWord(std::span<const std::int64_t> sizes);

/// Inputs as --input says them, each VALUE for the next input; a torch archive with several tensors gives
/// several. Errors: those of the files; InvalidArgument (another number than the method takes, a word for an
/// input that cannot have it); Limit (more than `maxBytes`).
[[nodiscard]] core::Result<InputSet> makeInputs(const program::Method& method,
                                                std::span<const std::string> values, std::uint64_t seed,
                                                std::uint64_t maxBytes);
/// The same for the outputs of a method, as values to expect.
[[nodiscard]] core::Result<InputSet> makeOutputs(const program::Method& method,
                                                 std::span<const std::string> values, std::uint64_t maxBytes);

/// The inputs of a case; they borrow the bundle. Errors: NotFound (no such case).
[[nodiscard]] core::Result<InputSet> bundledInputs(const bundled_program::Bundle& bundle,
                                                   std::string_view method, std::size_t testCase);

/// Those of all cases of a method, at most `most`; none without a bundle, or one that has no case of it.
[[nodiscard]] core::Result<std::deque<InputSet>> caseInputs(const bundled_program::Bundle* bundle,
                                                            std::string_view method, std::size_t most);

/// Random values for all inputs. Errors: as makeInputs().
[[nodiscard]] core::Result<InputSet> randomInputs(const program::Method& method, std::uint64_t seed,
                                                  std::uint64_t maxBytes);

/// "float32 [2, 3]", or the kind of a value that is no tensor.
[[nodiscard]] std::string describe(const program::Value& value);

}  // namespace et::app

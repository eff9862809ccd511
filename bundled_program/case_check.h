#pragma once

#include "bundled_program/bundle.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <string>

namespace et::bundled_program {

/// Checks that a case matches a method: the same numbers of inputs and expected outputs, each of the same
/// kind; tensors of the same dtype and rank, of the planned sizes (for a bounded shape: at most those), in
/// the planned dim order unless it is row-major. Numbers and bools that the program was exported for have to
/// be equal. None matches every kind that the format cannot express. Errors: InvalidArgument (names the
/// value, expected and given).
[[nodiscard]] core::Result<> checkCase(const program::Method& method, const TestCase& testCase);

/// "float32 [2, 3]", "Int"; for a tensor with a dynamic shape, including its bounds.
[[nodiscard]] std::string describe(const BundledValue& value);

}  // namespace et::bundled_program

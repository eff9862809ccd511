#pragma once

#include "bundled_program/bundle.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <string>

namespace et::bundled_program {

/// Whether a case fits a method, as the format asks for: as many inputs and expected outputs, each of the
/// same kind; tensors of the same dtype and rank, of the planned sizes (of a bounded shape: at most those),
/// in the planned dim order where it is not row-major. Numbers and bools that the program was exported for
/// have to be the same. None stands for whatever the format has no kind for. Errors: InvalidArgument (says
/// which value, expected and given).
[[nodiscard]] core::Result<> checkCase(const program::Method& method, const TestCase& testCase);

/// "float32 [2, 3]", "Int"; of a tensor whose shape may change with its bounds.
[[nodiscard]] std::string describe(const BundledValue& value);

}  // namespace et::bundled_program

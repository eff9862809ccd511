#pragma once

#include "tests/operators/case.h"

#include <cstdint>
#include <string>

namespace et::test::operators {

/// Runs one case plainly and in variants that must not change the result (threads, constants, dim orders,
/// previous memory contents, resizing, a result that aliases an input), and with an invalid argument, where
/// only writes outside the outputs are checked. Returns an error description, empty if all is correct.
[[nodiscard]] std::string check(const Rule& rule, std::uint64_t seed);

/// The case as text, for a message.
[[nodiscard]] std::string describe(const Case& made);

}  // namespace et::test::operators

#pragma once

#include "tests/operators/case.h"

#include <cstdint>
#include <string>

namespace et::test::operators {

/// Runs one case: plainly, and then in ways that must not matter (threads, constants, dim orders, memory that
/// was there before, room to grow, a result over an input), and with an argument that is out of its rules,
/// where all that counts is that nothing is touched beside the outputs. Empty, or what is wrong.
[[nodiscard]] std::string check(const Rule& rule, std::uint64_t seed);

/// The case as text, for a message.
[[nodiscard]] std::string describe(const Case& made);

}  // namespace et::test::operators

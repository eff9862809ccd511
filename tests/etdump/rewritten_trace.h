#pragma once

#include "etdump/trace.h"

namespace et::test {

/// The trace written anew by TraceWriter.
[[nodiscard]] std::vector<std::byte> rewrite(const etdump::Trace& trace);

/// Fails the test where the two differ in anything that they show (a missing string equals an empty one).
void expectEqualTraces(const etdump::Trace& expected, const etdump::Trace& actual);

}  // namespace et::test

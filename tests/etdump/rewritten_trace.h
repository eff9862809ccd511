#pragma once

#include "etdump/trace.h"

namespace et::test {

/// Rewrites the trace with TraceWriter.
[[nodiscard]] std::vector<std::byte> rewrite(const etdump::Trace& trace);

/// Fails the test if the two differ in anything readable (a missing string equals an empty one).
void expectEqualTraces(const etdump::Trace& expected, const etdump::Trace& actual);

}  // namespace et::test

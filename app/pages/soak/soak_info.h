#pragma once

#include "app/tasks/soak/number_origins.h"
#include "app/tasks/soak/soak_run.h"
#include "inspector/format/table.h"

#include <optional>
#include <string>

namespace et::app {

/// Text for a terminal: how often something differed, the first operator, and when. `origin`: the kind of
/// numbers whose origin is shown; nothing: all kinds except saturated ones.
[[nodiscard]] std::string soakText(const SoakResult& result, std::optional<NumberKind> origin);
/// docs/reference/json_correctness.md, soak.
[[nodiscard]] inspector::report::Dict soakInfo(const SoakResult& result);

/// Likewise for a traced run.
[[nodiscard]] std::string originsText(const TracedOrigins& traced, std::optional<NumberKind> origin);
[[nodiscard]] inspector::report::Dict originsInfo(const TracedOrigins& traced);

}  // namespace et::app

#pragma once

#include "app/output/cells.h"
#include "app/tasks/soak/soak_run.h"

#include <optional>
#include <string>

namespace et::output {

/// Text for a terminal: how often something differed, the first operator, and when. `origin`: the kind of
/// numbers whose origin is shown; nothing: all kinds except saturated ones.
[[nodiscard]] std::string soakText(const tasks::SoakResult& result, std::optional<tasks::NumberKind> origin);
/// docs/reference/json_correctness.md, soak.
[[nodiscard]] Dict soakInfo(const tasks::SoakResult& result);

/// Likewise for a traced run.
[[nodiscard]] std::string originsText(const tasks::TracedOrigins& traced,
                                      std::optional<tasks::NumberKind> origin);
[[nodiscard]] Dict originsInfo(const tasks::TracedOrigins& traced);

}  // namespace et::output

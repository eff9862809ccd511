#pragma once

#include "app/tasks/soak/number_origins.h"
#include "app/tasks/soak/soak_run.h"
#include "inspector/format/table.h"

#include <optional>
#include <string>

namespace et::app {

/// For people: how often something differed, which operator first, and when. `origin`: where numbers of that
/// kind begin; nothing: of all kinds but saturated ones.
[[nodiscard]] std::string soakText(const SoakResult& result, std::optional<NumberKind> origin);
/// docs/json.md, "JSON of a soak".
[[nodiscard]] inspector::report::Dict soakInfo(const SoakResult& result);

/// Of a traced run, likewise.
[[nodiscard]] std::string originsText(const TracedOrigins& traced, std::optional<NumberKind> origin);
[[nodiscard]] inspector::report::Dict originsInfo(const TracedOrigins& traced);

}  // namespace et::app

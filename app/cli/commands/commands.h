#pragma once

#include "app/cli/verb.h"

#include <memory>

/// The verbs, one file each.
namespace et::cli {

[[nodiscard]] std::unique_ptr<Verb> makeTableVerb();
[[nodiscard]] std::unique_ptr<Verb> makeInfoVerb();
[[nodiscard]] std::unique_ptr<Verb> makeExportVerb();
[[nodiscard]] std::unique_ptr<Verb> makeSampleVerb();
[[nodiscard]] std::unique_ptr<Verb> makeCompletionsVerb();
[[nodiscard]] std::unique_ptr<Verb> makeManVerb();

}  // namespace et::cli

#pragma once

#include "visualizers/generate/generated_tokens.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace et::studio {

/// A line of `generate --format jsonl` (docs/reference/json.md).
struct GenerateEvent {
    std::vector<visualizers::ShownToken> tokens;  ///< of the prompt, or a generated one
};
/// Returns nothing if the line is invalid or contains no tokens.
[[nodiscard]] std::optional<GenerateEvent> readGenerateEvent(const QByteArray& line);

/// A one-line summary of a generation from the last line of its output: rates, time to first token, cache.
/// Empty if there is none.
[[nodiscard]] QString figuresOfGeneration(const QByteArray& output);

}  // namespace et::studio

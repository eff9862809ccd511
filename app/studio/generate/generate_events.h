#pragma once

#include "visualizers/generate/generated_tokens.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace et::studio {

/// A line of `generate --format jsonl` (docs/json.md).
struct GenerateEvent {
    std::vector<visualizers::ShownToken> tokens;  ///< of the prompt, or one that was generated
};
/// Nothing where the line is none, or says nothing of tokens.
[[nodiscard]] std::optional<GenerateEvent> readGenerateEvent(const QByteArray& line);

/// What a generation came to in a line, from the last line that it wrote: rates, first token, cache. Empty:
/// there is none.
[[nodiscard]] QString figuresOfGeneration(const QByteArray& output);

}  // namespace et::studio

#pragma once

namespace et::tasks {

/// Current clock of the calling core in cycles per nanosecond (GHz), measured by some microseconds of
/// dependent additions of one cycle each. An interruption lowers the result and nothing raises it, so use the
/// maximum of several calls. 0 if this processor's instructions are not supported here.
[[nodiscard]] double coreClock();

}  // namespace et::tasks

#pragma once

#include "app/output/cells.h"
#include "app/tasks/rewrite/payload_files.h"

#include <string>

namespace et::output {

/// Text for a terminal: the written files and the bytes of the payload.
[[nodiscard]] std::string payloadText(const tasks::PayloadResult& payload);
/// docs/reference/json_programs.md, extract.
[[nodiscard]] Dict payloadInfo(const tasks::PayloadResult& payload);

}  // namespace et::output

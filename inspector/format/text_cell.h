#pragma once

#include "inspector/format/table.h"

#include <string>
#include <string_view>

namespace et::inspector::format {

/// The text; no value if it is empty.
[[nodiscard]] inline Cell textCell(std::string_view text) {
    return text.empty() ? Cell() : Cell(std::string(text));
}

}  // namespace et::inspector::format

#pragma once

#include "app/cli/dap/json_value.h"
#include "app/cli/mcp/result_fields.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <string>
#include <vector>

// Answers in a limited number of bytes: the members of a command's JSON document that its shape lists, with
// shortened lists.
namespace et::cli::mcp {

using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

/// A list that was shortened.
struct ShortenedList {
    std::string path;  ///< "methods/0/tensors"
    std::size_t first = 0;
    std::size_t shown = 0;
    std::size_t size = 0;
};

struct Shortened {
    Cell value;
    std::vector<ShortenedList> lists;
};

/// The members that `shape` lists. Members that the document does not have are omitted.
[[nodiscard]] Dict project(const dap::JsonValue& document, const ResultShape& shape);

/// The longest form of `value` that takes at most `maxBytes` as JSON, or the shortest form. Lists
/// without objects and long texts are shortened without being listed, except at the top.
[[nodiscard]] Shortened shorten(const Cell& value, std::size_t maxBytes);
/// As shorten(), of the list at `path` from element `first`. Empty if there is no such list.
[[nodiscard]] Shortened shortenAt(const Cell& value, const std::string& path, std::size_t first,
                                  std::size_t maxBytes);

}  // namespace et::cli::mcp

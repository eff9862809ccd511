#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector {

/// A parsed settings value: the common subset of YAML and JSON.
class Setting {
  public:
    using Pointer = std::shared_ptr<const Setting>;
    using List = std::vector<Pointer>;
    using Map = std::vector<std::pair<std::string, Pointer>>;

    /// monostate: null or empty.
    std::variant<std::monostate, std::string, List, Map> content{};
    bool quoted = false;     ///< text was in quotes
    std::size_t line = 0;    ///< where it starts, from 1
    std::size_t height = 0;  ///< number of nested levels

    [[nodiscard]] bool isNull() const { return std::holds_alternative<std::monostate>(content); }
    /// Null if it is of another kind.
    [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&content); }
    [[nodiscard]] const List* list() const { return std::get_if<List>(&content); }
    [[nodiscard]] const Map* map() const { return std::get_if<Map>(&content); }
    /// The value of a key of a map; null if there is none, or this is not a map.
    [[nodiscard]] const Setting* find(std::string_view key) const;
    /// "a map", "a list", "a text" or "nothing", for errors.
    [[nodiscard]] std::string_view kindName() const;
};

/// Maximum size of a settings text in bytes.
inline constexpr std::size_t maxSettingsBytes = std::size_t{16} << 20;

/// Parses block and flow collections, plain and quoted scalars, comments, anchors and aliases: PyYAML's
/// output, hand-written files, and JSON. No tags or multiple documents. Errors, with the line: Format; Limit
/// (too long, too deep); Unsupported (anything else).
[[nodiscard]] core::Result<Setting::Pointer> readSettings(std::string_view text, std::string_view file);

}  // namespace et::inspector

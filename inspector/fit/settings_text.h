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

/// A text of settings as a value: what YAML and JSON have in common.
class Setting {
  public:
    using Pointer = std::shared_ptr<const Setting>;
    using List = std::vector<Pointer>;
    using Map = std::vector<std::pair<std::string, Pointer>>;

    /// monostate: null, or nothing at all.
    std::variant<std::monostate, std::string, List, Map> content{};
    bool quoted = false;     ///< a text that stood in quotes
    std::size_t line = 0;    ///< where it starts, from 1
    std::size_t height = 0;  ///< levels below it

    [[nodiscard]] bool isNull() const { return std::holds_alternative<std::monostate>(content); }
    /// Null where it is of another kind.
    [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&content); }
    [[nodiscard]] const List* list() const { return std::get_if<List>(&content); }
    [[nodiscard]] const Map* map() const { return std::get_if<Map>(&content); }
    /// The value of a key of a map; null where there is none, or no map.
    [[nodiscard]] const Setting* find(std::string_view key) const;
    /// "a map", "a list", "a text" or "nothing", for errors.
    [[nodiscard]] std::string_view kindName() const;
};

/// Most bytes of a text of settings.
inline constexpr std::size_t maxSettingsBytes = std::size_t{16} << 20;

/// Reads block and flow collections, plain and quoted scalars, comments, anchors and aliases: what PyYAML
/// writes, what people write by hand, and JSON. Neither tags nor several documents. Errors, with the line:
/// Format; Limit (too long, too deep); Unsupported (what is none of those).
[[nodiscard]] core::Result<Setting::Pointer> readSettings(std::string_view text, std::string_view file);

}  // namespace et::inspector

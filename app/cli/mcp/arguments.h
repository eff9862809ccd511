#pragma once

#include "app/cli/dap/json_value.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::mcp {

enum class ArgumentKind : std::uint8_t { Text, Texts, Integer, Flag, Choice };

/// An argument of a tool.
struct Argument {
    std::string_view name;
    ArgumentKind kind = ArgumentKind::Text;
    std::string_view meaning;
    bool required = false;
    std::int64_t least = 0;
    std::int64_t most = 0;  ///< of an integer; of a text or list, the maximum size
    std::span<const std::string_view> choices = {};
};

/// The arguments of a call, checked.
class Arguments {
  public:
    /// Errors: InvalidArgument (names the argument, the expected and the given value).
    [[nodiscard]] static core::Result<Arguments> parse(const dap::JsonValue& given,
                                                       std::span<const Argument> declared);

    [[nodiscard]] bool has(std::string_view name) const {
        return texts.contains(name) || integers.contains(name);
    }
    /// Empty if missing.
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] bool flag(std::string_view name) const { return integer(name, 0) != 0; }

  private:
    [[nodiscard]] core::Result<> add(const dap::JsonValue& value, const Argument& declared);

    std::map<std::string, std::vector<std::string>, std::less<>> texts;
    std::map<std::string, std::int64_t, std::less<>> integers;
};

/// The JSON schema of arguments.
[[nodiscard]] inspector::format::Dict schemaOf(std::span<const Argument> declared);

}  // namespace et::cli::mcp

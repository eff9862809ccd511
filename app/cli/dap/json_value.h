#pragma once

#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::dap {

/// A JSON value that may be missing. A value of another type than the requested one is treated as missing.
/// Borrows from its JsonText.
class JsonValue {
  public:
    JsonValue() = default;
    explicit JsonValue(simdjson::dom::element of) : value(of) {}

    [[nodiscard]] JsonValue operator[](std::string_view member) const;
    [[nodiscard]] std::vector<JsonValue> items() const;
    /// Whether there is a value other than null.
    explicit operator bool() const { return value && !value->is_null(); }

    [[nodiscard]] std::string text(std::string_view fallback = {}) const;
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    [[nodiscard]] bool boolean(bool fallback = false) const;
    /// As JSON text, or the plain text of a string; empty if missing.
    [[nodiscard]] std::string display() const;
    /// As a value for writers; numbers that are not finite do not exist in JSON.
    [[nodiscard]] inspector::format::Cell cell() const;
    [[nodiscard]] bool isList() const { return value && value->is_array(); }
    [[nodiscard]] bool isObject() const { return value && value->is_object(); }
    [[nodiscard]] bool isText() const { return value && value->is_string(); }
    [[nodiscard]] bool isFlag() const { return value && value->is_bool(); }
    /// Names and values of an object.
    [[nodiscard]] std::vector<std::pair<std::string, JsonValue>> members() const;

  private:
    std::optional<simdjson::dom::element> value;
};

/// A parsed JSON text.
class JsonText {
  public:
    /// Errors: Format.
    [[nodiscard]] static core::Result<JsonText> parse(std::string_view text);

    [[nodiscard]] JsonValue root() const { return top; }
    [[nodiscard]] JsonValue operator[](std::string_view member) const { return top[member]; }

  private:
    std::unique_ptr<simdjson::dom::parser> parser;
    JsonValue top;
};

}  // namespace et::cli::dap
